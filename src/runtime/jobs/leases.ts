// Decides which process runs a sweep: the one that holds its lease.
//
//   holds(name) ─▶ asked the database less than a second ago? ─ no ─▶ take every lease that is free, in one statement
//
// A process keeps its leases while it records heartbeats. Once the others have removed it, as silent or as stopped, the next that asks
// takes them. A process that stood still may therefore finish a step of a sweep that another has begun: each step checks again
// what it changes, under the lock of its session.

import type { Log } from '../../api/index.ts'
import { atMostEvery, type Clock } from '../clock.ts'
import type { Queries } from '../database/index.ts'
import { giveLeasesBack, takeLeases } from './lease-store.ts'

/** For so long an answer of the database is used, so that all sweeps of one second share one statement. */
const ASK_EVERY_MS = 1_000

export interface Leases<Name extends string> {
  /** Whether this process holds the lease, which it takes if no process holds it. */
  holds(name: Name): Promise<boolean>
  /** Gives all leases back, and takes none from then on. */
  stop(): Promise<void>
}

export type LeasesOptions<Name extends string> = {
  db: Queries
  processId: string
  names: readonly Name[]
  clock: Clock
  log?: Log
}

export function createLeases<Name extends string>(options: LeasesOptions<Name>): Leases<Name> {
  const { db, processId, names, clock, log = () => {} } = options
  let taking: Promise<unknown> = Promise.resolve()
  /** The leases of the last answer. */
  let last: readonly string[] | undefined
  let stopped = false

  async function take(): Promise<readonly string[]> {
    const before = last
    last = await takeLeases(db, processId, names)
    // The log leaves out the leases that a process takes at its start: nobody else held them.
    for (const name of last)
      if (before?.includes(name) === false) log(`this process runs “${name}” for all from now on`, 'info')
    return last
  }

  const held = atMostEvery(clock, ASK_EVERY_MS, () => {
    const taken = take()
    taking = taken
    return taken
  })

  return {
    async holds(name) {
      if (stopped) return false
      return (await held()).includes(name) && !stopped
    },
    async stop() {
      stopped = true
      await taking.catch(() => {})
      // If the database is away, the leases end with the row of this process.
      await giveLeasesBack(db, processId).catch(() => {})
    },
  }
}
