// Ends the runtime: first it gives its work to other processes, then it stops what still runs and closes the database.
//
//   drain ─▶ no new sockets and claims; sockets closed one by one; jobs end ─▶ close ─▶ the rest aborted, the process unregistered

import type { Bus } from './bus/index.ts'
import type { Calls } from './calls/index.ts'
import { atMost, type Clock } from './clock.ts'
import type { Embedder, Indexer } from './conversations/index.ts'
import type { Database } from './database/index.ts'
import type { HandoffQueue } from './handoff/index.ts'
import { removeProcess } from './jobs/index.ts'
import type { Messaging } from './messaging/index.ts'
import type { Sockets } from './sessions/index.ts'
import type { Turns } from './turns/index.ts'

/** How long `close` waits for what it has aborted. */
const STOP_MS = 5_000

export type ShutdownOptions = {
  calls: Calls
  turns: Turns
  messaging: Messaging
  sockets: Sockets
  embedder: Embedder
  indexer: Indexer
  queue: HandoffQueue
  /** Stops the heartbeat among others, so that this process has to be unregistered soon after. */
  stopPeriodic: () => Promise<void>
  bus: Bus
  database: Database
  processId: string
  clock: Clock
}

export interface Shutdown {
  /**
   * Gives the work of this process to others: leaves new sockets unanswered, closes its own with 1001 spread over seconds, claims no
   * more jobs, and lets those end that run. All else goes on, such as HTTP. Resolves when nothing runs, at the latest after `ms`.
   */
  drain(ms: number): Promise<void>
  /** Closes every socket with 1001, stops the agents and closes the database. */
  close(): Promise<void>
}

export function createShutdown(options: ShutdownOptions): Shutdown {
  const { calls, turns, messaging, sockets, embedder, indexer, queue, database, clock } = options

  async function close(): Promise<void> {
    const stopping = [calls, turns, messaging, sockets].map((part) => part.stop(STOP_MS))
    await Promise.all([options.stopPeriodic(), ...stopping])
    await embedder.stop()
    await indexer.stop()
    await queue.settled()
    await options.bus.close()
    await removeProcess(database, options.processId)
    await database.close()
  }

  async function drain(ms: number): Promise<void> {
    const jobsEnd = () => Promise.all([calls.drain(), turns.drain(), messaging.drain()])
    await Promise.all([jobsEnd(), sockets.drain(ms)])
    // A message that was being stored when this began may have started a turn since.
    await jobsEnd()
  }

  let closing: Promise<void> | undefined
  return {
    drain: (ms) => atMost(clock, ms, drain(ms)),
    close() {
      closing ??= close()
      return closing
    },
  }
}
