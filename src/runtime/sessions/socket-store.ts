// Stores the open sockets of each session, over all processes: each has one of its places.

import { type Database, inTransaction, type Queries, textArray } from '../database/index.ts'

export type OpenSocket = { id: string; sessionId: string; processId: string }

/** `taken`: the place was that of a silent socket of a process. */
export type Place = { taken: { processId: string } | undefined }

/**
 * The sockets of a session. Those of a process that has been silent for so long do not count, also before it is removed: where processes
 * are killed again and again, none of them lives long enough to remove another.
 */
const COUNTED = `foyer.socket AS s JOIN foyer.process AS p ON p.id = s.process_id
  WHERE s.session_id = $1 AND p.seen_at >=
    (SELECT max(seen_at) FROM foyer.process) - $2::integer * interval '1 millisecond'`

/**
 * Adds a socket. If the session has `most` sockets already, it takes the place of the one that has been silent longest; undefined if none
 * is silent. The session's lock puts handshakes in order, so that each takes another place.
 */
export const addSocket = (
  database: Database,
  socket: OpenSocket,
  { most, deadAfterMs }: { most: number; deadAfterMs: number },
): Promise<Place | undefined> =>
  inTransaction(database, 'admit a socket', async (tx) => {
    const counted = [socket.sessionId, deadAfterMs]
    await tx.query('SELECT 1 FROM foyer.session WHERE id = $1 FOR UPDATE', [socket.sessionId])
    const [{ n } = { n: 0 }] = await tx.query<{ n: number }>(
      `SELECT count(*)::integer AS n FROM ${COUNTED}`,
      counted,
    )
    const [taken] = n < most ? [] : await removeSilentSocket(tx, counted)
    if (n >= most && !taken) return undefined
    await tx.query('INSERT INTO foyer.socket (id, session_id, process_id) VALUES ($1, $2, $3)', [
      socket.id,
      socket.sessionId,
      socket.processId,
    ])
    return { taken }
  })

/** A socket that is heard again meanwhile is passed over: the lock waits for its process, and looks once more. */
const removeSilentSocket = (tx: Queries, counted: unknown[]) =>
  tx.query<{ processId: string }>(
    `DELETE FROM foyer.socket WHERE id = (SELECT s.id FROM ${COUNTED} AND s.silent_since IS NOT NULL
       ORDER BY s.silent_since, s.id LIMIT 1 FOR UPDATE OF s)
     RETURNING process_id AS "processId"`,
    counted,
  )

/** Records since when sockets are silent; undefined: they are heard. Returns the ids of those that have a row. Locks them in one order. */
export async function recordSilence(
  db: Queries,
  sockets: readonly { id: string; since: number | undefined }[],
): Promise<string[]> {
  const rows = sockets.map(({ id, since }) => ({ id, since: since && new Date(since).toISOString() }))
  const stored = await db.query<{ id: string }>(
    `WITH own AS (SELECT s.id, k.since FROM foyer.socket AS s
       JOIN jsonb_to_recordset($1::jsonb) AS k (id text, since timestamptz) ON k.id = s.id ORDER BY s.id FOR UPDATE OF s)
     UPDATE foyer.socket AS s SET silent_since = own.since FROM own WHERE s.id = own.id RETURNING s.id`,
    [JSON.stringify(rows)],
  )
  return stored.map(({ id }) => id)
}

/**
 * Those of these sockets of a process that have no row. None of a process that is not in the list: it was removed by mistake with all its
 * rows, and writes them anew.
 */
export async function socketsWithoutPlace(
  db: Queries,
  processId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT k.id FROM unnest($2::text[]) AS k (id)
     WHERE NOT EXISTS (SELECT 1 FROM foyer.socket AS s WHERE s.id = k.id)
       AND EXISTS (SELECT 1 FROM foyer.process WHERE id = $1)`,
    [processId, textArray(ids)],
  )
  return rows.map(({ id }) => id)
}

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

/** Records that the sockets of these sessions at a process are silent, or are heard again. Locks them in one order. */
export async function recordAway(
  db: Queries,
  processId: string,
  sessionIds: readonly string[],
  away: boolean,
): Promise<void> {
  await db.query(
    `WITH own AS (SELECT id FROM foyer.socket WHERE process_id = $1 AND session_id = ANY ($2::text[])
       ORDER BY id FOR UPDATE)
     UPDATE foyer.socket AS s SET away = $3 FROM own WHERE s.id = own.id`,
    [processId, textArray(sessionIds), away],
  )
}

export async function removeSocket(db: Queries, id: string): Promise<void> {
  await db.query('DELETE FROM foyer.socket WHERE id = $1', [id])
}
