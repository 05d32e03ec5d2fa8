// Removes the events of sessions that ended long ago. What was said stays in the turns of the log.

import { type Database, inTransaction, type Transaction, textArray } from '../../database/index.ts'

/**
 * Removes the events of the next `limit` sessions that ended before the given time, oldest end first; more than `limit` where several ended in
 * the same instant as the last. The store remembers how far it got. A session with a user's message that no turn answers keeps its events.
 * Returns the number of sessions looked at.
 */
export const removeEvents = (database: Database, endedBefore: Date, limit: number): Promise<number> =>
  inTransaction(database, 'remove events', async (tx) => {
    const { ids, until } = await nextEnded(tx, endedBefore, limit)
    if (until === null) return 0
    const due = textArray(ids)
    // An ended session that is locked is being erased.
    const locked = await tx.query<{ id: string }>(
      `SELECT id FROM foyer.session WHERE id = ANY ($1::text[]) AND turn_owner IS NULL
       ORDER BY id FOR UPDATE SKIP LOCKED`,
      [due],
    )
    await tx.query(
      `DELETE FROM foyer.event WHERE session_id = ANY ($1::text[]) AND session_id <> ALL (ARRAY (
         SELECT e.session_id FROM foyer.event AS e
         WHERE e.session_id = ANY ($1::text[]) AND e.type = 'EVENT_TYPE_USER_MESSAGE' AND NOT EXISTS (
           SELECT 1 FROM foyer.turn AS t
           WHERE t.conversation_id = ANY ($1::text[]) AND t.conversation_id = e.session_id AND t.cause = e.sequence)))`,
      [textArray(locked.map(({ id }) => id))],
    )
    await tx.query(
      `INSERT INTO foyer.event_removal (ended_until) VALUES ($1)
       ON CONFLICT (single) DO UPDATE SET ended_until = excluded.ended_until`,
      [until],
    )
    return ids.length
  })

/** The sessions after those that were looked at, and the end of the last one in PostgreSQL's precision; null if there are none. */
async function nextEnded(
  tx: Transaction,
  endedBefore: Date,
  limit: number,
): Promise<{ ids: string[]; until: string | null }> {
  const [progress] = await tx.query<{ from: string }>(
    'SELECT ended_until::text AS from FROM foyer.event_removal',
  )
  const from = progress?.from ?? '-infinity'
  const [last] = await tx.query<{ until: string | null }>(
    `SELECT max(ended_at)::text AS until FROM (
       SELECT ended_at FROM foyer.conversation WHERE ended_at > $1 AND ended_at < $2 ORDER BY ended_at LIMIT $3) AS next`,
    [from, endedBefore.toISOString(), limit],
  )
  const until = last?.until ?? null
  if (until === null) return { ids: [], until }
  const rows = await tx.query<{ id: string }>(
    'SELECT id FROM foyer.conversation WHERE ended_at > $1 AND ended_at <= $2',
    [from, until],
  )
  return { ids: rows.map(({ id }) => id), until }
}
