// Records which processes are alive: any process may claim a job whose owner is not among them. Times are the database's, since the
// clocks of processes differ; `at` replaces it where the time of a test is turned by hand.

import type { Queries } from '../database/index.ts'

/** How many other processes there are, and how many of them are of another build. */
export type Others = { count: number; strangers: number }

/** Records that this process is alive. `former`: when it did so before; undefined if it is not in the list. */
export async function recordBeat(
  db: Queries,
  processId: string,
  build: string,
  at?: Date,
): Promise<{ now: Date; former: Date | undefined; others: Others }> {
  const [row] = await db.query<{ seen_at: Date; former: Date | null } & Others>(
    `WITH former AS (SELECT seen_at FROM foyer.process WHERE id = $1),
     others AS (SELECT count(*)::integer AS count, count(*) FILTER (WHERE build IS DISTINCT FROM $3)::integer AS strangers
       FROM foyer.process WHERE id <> $1)
     INSERT INTO foyer.process AS p (id, seen_at, build) VALUES ($1, coalesce($2, now()), $3)
     ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at
     RETURNING p.seen_at, (SELECT seen_at FROM former) AS former, (SELECT count FROM others) AS count,
       (SELECT strangers FROM others) AS strangers`,
    [processId, at?.toISOString() ?? null, build],
  )
  if (!row) throw new Error('The heartbeat was not recorded')
  const { seen_at: now, former, count, strangers } = row
  return { now, former: former ?? undefined, others: { count, strangers } }
}

/** Removes the other processes that have not been seen for so many milliseconds. Returns their ids. */
export async function removeSilentProcesses(
  db: Queries,
  processId: string,
  silentMs: number,
  at?: Date,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `DELETE FROM foyer.process WHERE id <> $1
     AND seen_at < coalesce($3, now()) - $2::integer * interval '1 millisecond' RETURNING id`,
    [processId, silentMs, at?.toISOString() ?? null],
  )
  return rows.map(({ id }) => id)
}

/** How many processes share the database, as far as their heartbeats tell. */
export async function countProcesses(db: Queries): Promise<number> {
  const [row] = await db.query<{ n: number }>('SELECT count(*)::integer AS n FROM foyer.process')
  return row?.n ?? 0
}

export async function removeOtherProcesses(db: Queries, processId: string): Promise<void> {
  await db.query('DELETE FROM foyer.process WHERE id <> $1', [processId])
}

export async function removeProcess(db: Queries, processId: string): Promise<void> {
  await db.query('DELETE FROM foyer.process WHERE id = $1', [processId])
}
