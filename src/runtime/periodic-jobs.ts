// Repeats the jobs that depend on time: sweeps every second, where anything is due; recovery every five seconds; the heartbeat as the
// settings say; tidying every five minutes, and others. What has ended long ago is erased in batches: one a second, so that the database has
// time for chats between them.

import type { Log, LogFailure } from '../api/index.ts'
import type { Erasing } from './admin/index.ts'
import type { Calls } from './calls/index.ts'
import { type Clock, every, isShared } from './clock.ts'
import type { Embedder, Indexer, SearchUpkeep } from './conversations/index.ts'
import type { Database } from './database/index.ts'
import type { BuildFiles } from './files/index.ts'
import type { HandoffQueue, LiveAgents, QueuePresence } from './handoff/index.ts'
import { createDue, createLeases, forgetRates } from './jobs/index.ts'
import type { Messaging } from './messaging/index.ts'
import { type Inactivity, type Places, removeEvents } from './sessions/index.ts'
import type { Turns } from './turns/index.ts'

const SWEEP_MS = 1_000
const RECOVERY_MS = 5_000
const TIDY_MS = 300_000
const DAY_MS = 86_400_000
/** Conversations, or sessions, of one batch: at most about a tenth of a second. */
const BATCH = 100

/** The jobs that one process runs for all. Every process runs the others: most claim their work; presence looks at all that wait. */
const LEASED_JOBS = ['idle sweep', 'handoff queue', 'calls', 'retention'] as const

export type PeriodicJobsOptions = {
  database: Database
  processId: string
  places: Places
  inactivity: Inactivity
  queue: HandoffQueue
  queuePresence: QueuePresence
  liveAgents: LiveAgents
  calls: Calls
  messaging: Messaging
  embedder: Embedder
  searchUpkeep: SearchUpkeep
  indexer: Indexer
  turns: Turns
  erasing: Erasing
  files: BuildFiles
  /** Records that this process is alive. */
  heartbeat: () => Promise<void>
  beatSeconds: number
  /** Days after its end for which a conversation is kept; 0: for ever. */
  retentionDays: number
  clock: Clock
  log: Log
  logFailure: LogFailure
}

/**
 * Starts the periodic jobs. A failed job does not stop the others. Returns the undo, which resolves once another process can run the
 * jobs that one runs for all.
 */
export function startPeriodicJobs(options: PeriodicJobsOptions): () => Promise<void> {
  const {
    database,
    places,
    inactivity,
    queue,
    queuePresence,
    liveAgents,
    calls,
    messaging,
    embedder,
    searchUpkeep,
    indexer,
    turns,
    erasing,
  } = options
  const { files, heartbeat, beatSeconds, retentionDays, clock, logFailure } = options
  const leases = createLeases({ ...options, db: database.apart ?? database, names: LEASED_JOBS })
  const repeat = (ms: number, name: string, job: () => Promise<unknown>) =>
    every(clock, ms, () =>
      job().then(
        () => {},
        (error: unknown) => logFailure(`${name} failed`, error),
      ),
    )
  /** A sweep by a clock that somebody set would end every chat, and erase every conversation, within a second. */
  const isSure = () => !isShared(clock) || clock.isSure()
  /** True if this process holds the lease, and is sure of the time. */
  const holds = async (lease: (typeof LEASED_JOBS)[number]) => (await leases.holds(lease)) && isSure()
  const leased = (lease: (typeof LEASED_JOBS)[number], job: () => Promise<void>) => async () => {
    if (await holds(lease)) await job()
  }
  const isDue = createDue({
    db: database,
    clock,
    conditions: {
      'the idle sweep': inactivity.due,
      'the sweep of the handoff queue': queue.due,
      'the presence of the handoff queue': queue.due,
      'the sweep of calls': calls.due,
      delivery: messaging.due,
      embedding: embedder.due,
      indexing: indexer.due,
    },
  })
  const whenDue = (name: Parameters<typeof isDue>[0], job: () => Promise<unknown>) =>
    repeat(SWEEP_MS, name, async () => {
      if (await isDue(name)) await job()
    })
  /** Runs batches of a job a second apart until nothing is left, and looks again five minutes later. First after `waitMs`. */
  function inBatches(name: string, job: () => Promise<number>, waitMs = TIDY_MS): () => void {
    let due = clock.now() + waitMs
    return repeat(SWEEP_MS, name, async () => {
      if (!isSure() || clock.now() < due) return
      due = clock.now() + TIDY_MS
      if ((await leases.holds('retention')) && (await job()) >= BATCH) due = clock.now()
    })
  }
  const stops = [
    whenDue('the idle sweep', leased('idle sweep', inactivity.sweep)),
    whenDue(
      'the sweep of the handoff queue',
      leased('handoff queue', async () => {
        await liveAgents.sweep()
        await queue.sweep()
      }),
    ),
    repeat(SWEEP_MS, 'the record of silent sockets', () => places.sweep()),
    whenDue('the presence of the handoff queue', () => queuePresence.sweep()),
    whenDue('the sweep of calls', async () => calls.sweep(await holds('calls'))),
    whenDue('delivery', async () => messaging.deliver()),
    whenDue('embedding', () => embedder.work()),
    whenDue('indexing', () => indexer.work()),
    repeat(beatSeconds * 1000, 'the heartbeat', heartbeat),
    repeat(RECOVERY_MS, 'recovery', () => turns.recover()),
    repeat(DAY_MS, 'keeping the files of the build', () => files.touch()),
    repeat(
      TIDY_MS,
      'tidying',
      leased('retention', () => forgetRates(database, new Date(clock.now() - TIDY_MS * 2))),
    ),
    inBatches(
      'the upkeep of search',
      async () => {
        await searchUpkeep.makeIndexes()
        return searchUpkeep.work(BATCH)
      },
      0,
    ),
    inBatches('the removal of events', () => removeEvents(database, new Date(clock.now() - DAY_MS), BATCH)),
    ...(retentionDays > 0
      ? [
          inBatches('erasing by retention', () =>
            erasing.eraseEndedBefore(new Date(clock.now() - retentionDays * DAY_MS), BATCH),
          ),
        ]
      : []),
  ]
  return () => {
    for (const stop of stops) stop()
    return leases.stop()
  }
}
