// Counts requests within windows of time, and what a visitor uses in a day, for all processes together.

import { createHash } from 'node:crypto'
import type { Queries } from '../database/index.ts'

const DAY_SECONDS = 86_400

/**
 * Counts one more request. Returns the count in this window of `seconds`, and the seconds until it ends. A process whose
 * clock is behind counts in the window of the processes ahead of it.
 */
export async function countRequest(
  db: Queries,
  key: string,
  seconds: number,
  now: Date,
  by = 1,
): Promise<{ count: number; wait: number }> {
  const start = Math.floor(now.getTime() / (seconds * 1000)) * seconds * 1000
  const [row] = await db.query<{ count: number }>(
    `INSERT INTO foyer.rate AS r (key, window_start, count) VALUES ($1, $2, $3) ON CONFLICT (key) DO UPDATE SET
       count = CASE WHEN r.window_start >= excluded.window_start THEN r.count + $3 ELSE $3 END,
       window_start = greatest(r.window_start, excluded.window_start) RETURNING count`,
    [key, new Date(start).toISOString(), by],
  )
  return { count: row?.count ?? 1, wait: Math.ceil((start + seconds * 1000 - now.getTime()) / 1000) }
}

/**
 * Adds an amount to a visitor's usage of this day (UTC). Returns the sum. The store holds a hash of the visitor's identifier,
 * which may be a phone number.
 */
export async function addUsage(
  db: Queries,
  what: string,
  visitor: string,
  amount: number,
  now: Date,
): Promise<number> {
  const hash = createHash('sha256').update(visitor).digest('base64url')
  const { count } = await countRequest(db, `${USAGE}${what} ${hash}`, DAY_SECONDS, now, amount)
  return count
}
/** The prefix of daily usage in stored keys. Earlier builds wrote it, so that a day's sums outlive an upgrade. */
const USAGE = 'tally '

/** Deletes windows that began before the given time, and daily usage only when their day is over. */
export async function forgetRates(db: Queries, before: Date): Promise<void> {
  await db.query(
    `DELETE FROM foyer.rate WHERE window_start < CASE WHEN starts_with(key, $2)
       THEN $1::timestamptz - interval '1 day' ELSE $1::timestamptz END`,
    [before.toISOString(), USAGE],
  )
}
