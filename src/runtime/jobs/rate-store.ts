// Counts requests within windows of time, for all processes together.

import type { Queries } from '../database/index.ts'

/** Counts one more request. Returns the count in this window of `seconds`, and the seconds until the next one. */
export async function countRequest(
  db: Queries,
  key: string,
  seconds: number,
  now: Date,
): Promise<{ count: number; wait: number }> {
  const start = Math.floor(now.getTime() / (seconds * 1000)) * seconds * 1000
  const [row] = await db.query<{ count: number }>(
    `INSERT INTO foyer.rate AS r (key, window_start, count) VALUES ($1, $2, 1) ON CONFLICT (key) DO UPDATE SET
       count = CASE WHEN r.window_start = excluded.window_start THEN r.count + 1 ELSE 1 END,
       window_start = excluded.window_start RETURNING count`,
    [key, new Date(start).toISOString()],
  )
  return { count: row?.count ?? 1, wait: Math.ceil((start + seconds * 1000 - now.getTime()) / 1000) }
}

export async function forgetRates(db: Queries, before: Date): Promise<void> {
  await db.query('DELETE FROM foyer.rate WHERE window_start < $1', [before.toISOString()])
}
