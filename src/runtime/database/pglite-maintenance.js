// Does for PGlite what a PostgreSQL server does by itself: checkpoints, and the work of autovacuum. It is plain
// JavaScript, since PGlite's worker loads it without a build.

const CHECKPOINT_EVERY = 30_000
const CHECKPOINT_BYTES = 16 * 1024 * 1024
/** Milliseconds without a statement that count as a pause. */
const PAUSE = 50
/** Under load a table waits until it has this many times as many changes as it may have in a pause. */
const OVERDUE = 20

/**
 * @typedef {object} Statements The part of PGlite that is used.
 * @property {(sql: string) => Promise<{ rows: unknown[] }>} query
 * @property {(sql: string) => Promise<unknown>} exec
 */
/** @typedef {{ name: string, changes: number, rows: number }} Table `changes`: since it was last tidied. */

/**
 * `now`: milliseconds.
 * @param {Statements} database
 * @param {() => number} now
 */
export function createMaintenance(database, now) {
  let askedAt = Number.NEGATIVE_INFINITY
  let checkpointed = { lsn: 0n, at: now() }

  async function walPosition() {
    const { rows } = await database.query("SELECT (pg_current_wal_lsn() - '0/0')::text AS lsn")
    const [{ lsn }] = /** @type {[{ lsn: string }]} */ (rows)
    return BigInt(lsn)
  }

  return {
    /** Records that the runtime sent a statement. */
    asked() {
      askedAt = now()
    },

    /** Without checkpoints a start after a kill would replay everything since the last clean stop. */
    async checkpoint() {
      const lsn = await walPosition()
      const written = Number(lsn - checkpointed.lsn)
      if (written === 0 || (written < CHECKPOINT_BYTES && now() - checkpointed.at < CHECKPOINT_EVERY)) return
      await database.exec('CHECKPOINT')
      checkpointed = { lsn: await walPosition(), at: now() }
    },

    /**
     * Vacuums and analyses the table that has changed most. Without statistics the planner would scan whole tables to
     * search for a rare word. It takes some 100 ms, in which every statement waits, so it runs in a pause.
     */
    async tidy() {
      const most = now() - askedAt > PAUSE ? 1 : OVERDUE
      const { rows } = await database.query(
        `SELECT relname AS name, greatest(n_mod_since_analyze, n_dead_tup)::integer AS changes, n_live_tup::integer AS rows
         FROM pg_stat_user_tables WHERE schemaname = 'foyer' ORDER BY n_mod_since_analyze DESC`,
      )
      const due = /** @type {Table[]} */ (rows).find(
        (table) => table.changes > most * (1_000 + table.rows / 5),
      )
      // One table at a time, so that the next statement waits for one table at most.
      if (due) await database.exec(`VACUUM (ANALYZE) foyer."${due.name}"`)
    },
  }
}
