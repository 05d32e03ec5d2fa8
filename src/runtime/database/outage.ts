// Logs what failed. Of a database that is away, one line tells that it is, and one that it is back: all that fails meanwhile fails for that
// reason.
//
//   logFailure ─┬─ for another reason ───────────────────────────▶ a line
//               └─ the database cannot be reached: the first time ▶ a line
//   three heartbeats, and no such failure between them ───────────▶ a line

import type { Log, LogFailure } from '../../api/index.ts'
import { isOutage } from './unreachable.ts'

/** A database that comes and goes more often is away all the time. */
const BEATS_UNTIL_BACK = 3

export interface OutageLog {
  logFailure: LogFailure
  /** A heartbeat was recorded. */
  beaten(): void
}

/** `now`: milliseconds that nobody sets. */
export function createOutageLog(log: Log, now = () => performance.now()): OutageLog {
  let awaySince: number | undefined
  /** The heartbeats since the last failure, and the time of the first. */
  let beats = { count: 0, since: 0 }

  return {
    logFailure(what, error) {
      const { code, message } = Object(error) as { code?: unknown; message?: unknown }
      if (!isOutage(error)) return log(`${what}: ${error instanceof Error ? message : 'unknown error'}`)
      beats = { count: 0, since: 0 }
      if (awaySince !== undefined) return
      awaySince = now()
      log(
        `the database cannot be reached (${code ?? message}): what chats store waits up to a minute for it, other requests fail`,
      )
    },
    beaten() {
      if (awaySince === undefined) return
      if (beats.count === 0) beats.since = now()
      beats.count++
      if (beats.count < BEATS_UNTIL_BACK) return
      log(`the database is back: it was away for ${Math.ceil((beats.since - awaySince) / 1000)} s`, 'info')
      awaySince = undefined
    },
  }
}
