// Changes tables without stopping those who use them: a change that waits for a lock keeps everybody behind it waiting, so it gives up soon
// and is tried again, until the lock is free.
//
//   a dump reads ─▶ the change waits ─▶ visitors wait behind it          2 s later: given up, visitors go on; 5 s later: tried again

import type { Log } from '../../api/index.ts'
import { type Database, inTransaction, isLockTimeout, type Transaction } from './database.ts'
import { DataFolderError } from './lock.ts'

export type LockPatience = {
  /** Milliseconds until a change that waits for a lock is given up. */
  waitMs: number
  /** Milliseconds until it is tried again. */
  retryMs: number
  /** Milliseconds after which it is tried no more. */
  longestMs: number
}

export const LOCK_PATIENCE: LockPatience = { waitMs: 2_000, retryMs: 5_000, longestMs: 600_000 }

/** So many tries may not find who holds the locks, before the log says so without their names. */
const MOST_BLIND = 2

/**
 * Runs `change` in a transaction of its own, again and again while others hold locks that it needs. Rejects with a DataFolderError that names
 * them once that takes too long.
 */
export async function withShortLocks(
  database: Database,
  change: (tx: Transaction) => Promise<void>,
  log: Log,
  { waitMs, retryMs, longestMs }: LockPatience,
): Promise<void> {
  const until = performance.now() + longestMs
  let blockers: string | undefined
  for (let told = '', tries = 1; ; tries++) {
    const waiting = createWatch(database, waitMs / 2)
    try {
      return await inTransaction(database, 'change the schema', async (tx) => {
        await tx.query(`SELECT set_config('lock_timeout', $1, true)`, [`${waitMs}ms`])
        await waiting.begin(tx)
        await change(tx)
      })
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      blockers = waiting.blockers() ?? blockers
      const sentence = `The tables cannot be changed while others use them: ${blockers ?? 'a connection that has ended since'}.`
      if (performance.now() > until)
        throw new DataFolderError('blocked', `${sentence} End what holds them, and start again.`)
      // On a busy machine the look at them may come too late.
      if (sentence !== told && (blockers !== undefined || tries > MOST_BLIND)) {
        log(`${sentence} The start tries again until they are free.`, 'warn')
        told = sentence
      }
    } finally {
      waiting.end()
    }
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
}

/** Looks from another connection for whom a transaction waits. */
function createWatch(database: Database, everyMs: number) {
  let timer: ReturnType<typeof setInterval> | undefined
  let found: string | undefined

  async function look(pid: number): Promise<void> {
    const rows = await database.query<{ who: string }>(
      `SELECT format('%s (process %s of PostgreSQL, user %s, since %s)', coalesce(nullif(application_name, ''), 'a client'), pid,
         usename, to_char(xact_start, 'HH24:MI:SS')) AS who
       FROM pg_stat_activity WHERE pid = ANY(pg_blocking_pids($1)) ORDER BY xact_start`,
      [pid],
    )
    if (rows.length > 0) found = rows.map(({ who }) => who).join(', ')
  }
  return {
    async begin(tx: Transaction): Promise<void> {
      // The embedded database has one connection, and nobody to wait for.
      if (!database.connections) return
      const [row] = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
      if (row) timer = setInterval(() => look(row.pid).catch(() => {}), everyMs)
    },
    blockers: () => found,
    end: () => clearInterval(timer),
  }
}
