// Records at each beat that this process is alive, and removes processes that no longer are.
//
//   beat ─┬─ late, or the first ──▶ not steady: nobody is judged
//         ├─ in time for so long ─▶ steady: those that were silent as long are removed
//         └─ this process is not in the list ──▶ it was removed by mistake: its sockets are registered again
//
// While the database is away no process can beat. The first that comes back would find all others silent, so it waits until
// they had as much time to come back as it gives them to be silent.

import type { Log } from '../../api/index.ts'
import { type Clock, isShared, wrongClock } from '../clock.ts'
import type { Queries } from '../database/index.ts'
import { type Others, recordBeat, removeOtherProcesses, removeSilentProcesses } from './process-store.ts'

export type LivenessSettings = {
  /** Seconds between two heartbeats of a process. Default: 5. */
  beatSeconds: number
  /** Seconds without a heartbeat after which a process counts as dead: at least three beats. All processes need the same. Default: 15. */
  deadAfterSeconds: number
}

export const DEFAULT_LIVENESS: LivenessSettings = { beatSeconds: 5, deadAfterSeconds: 15 }

/** A difference that changes by less comes from the network: to correct it would let time go back and forth. */
const JITTER_MS = 250
/** An answer of the database that took longer says too little about its time. */
const SLOW_MS = 2_000

export interface Heartbeat {
  /** Registers this process. `alone`: no other can use the database, so all others in the list are dead. Resolves to the others. */
  start(alone: boolean): Promise<Others>
  /** `again` runs if this process had been removed, and with each later beat until it succeeds. Resolves to the others. */
  beat(again: () => Promise<void>): Promise<Others>
}

export type HeartbeatOptions = {
  db: Queries
  processId: string
  /** The same in all processes of this build. */
  build: string
  deadAfterSeconds: number
  /** A shared clock is corrected by each beat. One that is turned by hand dates the beats itself. Default: the database dates them. */
  clock?: Clock
  log?: Log
  /** A heartbeat was recorded. */
  beaten?: () => void
}

export function createHeartbeat(options: HeartbeatOptions): Heartbeat {
  const { db, processId, build, deadAfterSeconds, clock, log = () => {}, beaten = () => {} } = options
  const shared = clock && isShared(clock) ? clock : undefined
  const deadAfterMs = deadAfterSeconds * 1000
  /** The longest time between two beats in time. Another process, which beat up to a third earlier, is then not taken for dead. */
  const lateAfterMs = deadAfterMs / 2
  /** Since when this process has beaten in time. */
  let steadySince = 0
  let removed = false
  let isWrong = false
  /** Undefined: the database dates a beat. */
  const time = () => (clock && !shared ? new Date(clock.now()) : undefined)

  async function record(at = time()) {
    const before = shared?.own() ?? 0
    const beat = await recordBeat(db, processId, build, at)
    if (!shared) return beat
    const after = shared.own()
    if (after - before > SLOW_MS) return beat
    const ahead = Math.round((before + after) / 2 - beat.now.getTime())
    const changed = Math.abs(ahead - shared.ahead()) > JITTER_MS
    shared.correct(changed ? ahead : shared.ahead(), deadAfterMs)
    const wrong = wrongClock(ahead)
    if (wrong && !isWrong)
      log(
        `the clock of this machine is ${wrong}, by which all goes: set it right, by NTP for example`,
        'warn',
      )
    isWrong = wrong !== undefined
    return beat
  }

  return {
    async start(alone) {
      const { now, others } = await record()
      steadySince = now.getTime()
      if (!alone) return others
      await removeOtherProcesses(db, processId)
      return { count: 0, strangers: 0 }
    },

    async beat(again) {
      const at = time()
      const { now, former, others } = await record(at)
      beaten()
      removed ||= former === undefined
      if (former === undefined || now.getTime() - former.getTime() > lateAfterMs) steadySince = now.getTime()
      if (now.getTime() - steadySince >= deadAfterMs)
        for (const id of await removeSilentProcesses(db, processId, deadAfterMs, at))
          log(
            `process ${id} was silent for ${deadAfterSeconds} s and counts as dead: its work goes to others`,
            'warn',
          )
      if (removed) {
        await again()
        log(
          `process ${processId} was silent for too long and counted as dead: its sockets are registered again`,
          'warn',
        )
      }
      removed = false
      return others
    },
  }
}
