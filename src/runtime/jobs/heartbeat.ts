// Records every five seconds that this process is alive, and removes processes that no longer are.
//
//   beat ─┬─ late, or the first ──▶ not steady: nobody is judged
//         ├─ in time for 15 s ────▶ steady: those silent for 15 s are removed
//         └─ this process is not in the list ──▶ it was removed by mistake: its sockets are registered again
//
// While the database is away no process can beat. The first that comes back would find all others silent, so it waits until
// they had as much time to come back as it gives them to be silent.

import type { Queries } from '../database/index.ts'
import { recordBeat, removeOtherProcesses, removeSilentProcesses } from './process-store.ts'

export const HEARTBEAT_MS = 5_000
/** A process that is silent for longer is dead. */
const DEAD_AFTER_MS = 15_000
/** The longest time between two beats in time. Another process, which beat up to 5 s earlier, is then not silent for 15 s. */
const LATE_AFTER_MS = 7_500

export interface Heartbeat {
  /** Registers this process. `alone`: no other can use the database, so all others in the list are dead. Resolves to the number of others. */
  start(alone: boolean): Promise<number>
  /** `again` runs if this process had been removed, and with each later beat until it succeeds. Resolves to the number of others. */
  beat(again: () => Promise<void>): Promise<number>
}

export type HeartbeatOptions = {
  db: Queries
  processId: string
  /** Default: the database's time. */
  time?: (() => Date) | undefined
}

export function createHeartbeat({ db, processId, time }: HeartbeatOptions): Heartbeat {
  /** Since when this process has beaten in time. */
  let steadySince = 0
  let removed = false

  return {
    async start(alone) {
      const { now, others } = await recordBeat(db, processId, time?.())
      steadySince = now.getTime()
      if (!alone) return others
      await removeOtherProcesses(db, processId)
      return 0
    },

    async beat(again) {
      const at = time?.()
      const { now, former, others } = await recordBeat(db, processId, at)
      removed ||= former === undefined
      if (former === undefined || now.getTime() - former.getTime() > LATE_AFTER_MS)
        steadySince = now.getTime()
      if (now.getTime() - steadySince >= DEAD_AFTER_MS)
        await removeSilentProcesses(db, processId, DEAD_AFTER_MS, at)
      if (removed) await again()
      removed = false
      return others
    },
  }
}
