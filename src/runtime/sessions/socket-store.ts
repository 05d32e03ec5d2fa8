// Counts the open sockets of each session, over all processes.

import { type Database, type Queries, textArray } from '../database/index.ts'

export type OpenSocket = { id: string; sessionId: string; processId: string }

/**
 * Adds a socket. False if the session has `most` sockets already. Those of a process that has been silent for `deadAfterMs` do not count,
 * also before it is removed: where processes are killed again and again, none of them lives long enough to remove another.
 */
export const addSocket = (
  database: Database,
  socket: OpenSocket,
  { most, deadAfterMs }: { most: number; deadAfterMs: number },
): Promise<boolean> =>
  database.transaction(async (tx) => {
    await tx.query('SELECT 1 FROM foyer.session WHERE id = $1 FOR UPDATE', [socket.sessionId])
    const rows = await tx.query<{ n: number }>(
      `SELECT count(*)::integer AS n FROM foyer.socket AS s JOIN foyer.process AS p ON p.id = s.process_id
       WHERE s.session_id = $1 AND p.seen_at >=
         (SELECT max(seen_at) FROM foyer.process) - $2::integer * interval '1 millisecond'`,
      [socket.sessionId, deadAfterMs],
    )
    if ((rows[0]?.n ?? 0) >= most) return false
    await tx.query('INSERT INTO foyer.socket (id, session_id, process_id) VALUES ($1, $2, $3)', [
      socket.id,
      socket.sessionId,
      socket.processId,
    ])
    return true
  })

/** Whether a session has a socket. Under the session's lock none is added meanwhile. */
export async function hasSocket(tx: Queries, sessionId: string): Promise<boolean> {
  const rows = await tx.query('SELECT 1 FROM foyer.socket WHERE session_id = $1 LIMIT 1', [sessionId])
  return rows.length > 0
}

/** Adds open sockets that are missing, since their process had been removed. Those of erased sessions are left out. */
export async function restoreSockets(db: Queries, sockets: readonly OpenSocket[]): Promise<void> {
  await db.query(
    `INSERT INTO foyer.socket (id, session_id, process_id)
     SELECT k.id, s.id, k."processId"
     FROM jsonb_to_recordset($1::jsonb) AS k (id text, "sessionId" text, "processId" text)
       JOIN foyer.session AS s ON s.id = k."sessionId"
     ON CONFLICT (id) DO NOTHING`,
    [JSON.stringify(sockets)],
  )
}

/** Records that the sockets of these sessions at a process are silent, or are heard again. */
export async function recordAway(
  db: Queries,
  processId: string,
  sessionIds: readonly string[],
  away: boolean,
): Promise<void> {
  await db.query(
    'UPDATE foyer.socket SET away = $3 WHERE process_id = $1 AND session_id = ANY ($2::text[])',
    [processId, textArray(sessionIds), away],
  )
}

export async function removeSocket(db: Queries, id: string): Promise<void> {
  await db.query('DELETE FROM foyer.socket WHERE id = $1', [id])
}
