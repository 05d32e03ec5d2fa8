// Stores which live agents are at the desk, and finds the conversations that have lost theirs.

import { DEFAULT_DESK_SETTINGS } from '../accounts/index.ts'
import type { Queries } from '../database/index.ts'
import type { LiveAgent } from '../sessions/index.ts'
import { type Lost, meanWaitOf } from './store.ts'

/** A setting of the project `p`, in SQL. */
const setting = (name: keyof typeof DEFAULT_DESK_SETTINGS): string =>
  `coalesce((p.settings -> 'desk' ->> '${name}')::double precision, ${DEFAULT_DESK_SETTINGS[name]})`
/** `$1`: now. A live agent `a` of the project `p` was heard in time. */
const HEARD = `a.beat_at > $1::timestamptz - ${setting('goneSeconds')} * interval '1 second'`
/** The conversations that the live agent `a` has. */
const CHATS = `(SELECT count(*)::integer FROM foyer.session AS s JOIN foyer.handoff AS h ON h.conversation_id = s.id
  WHERE s.mode = 'desk' AND h.project_id = a.project_id AND s.live_agent ->> 'id' = a.id)`

/** Resolves to whether the beat changes what the desk shows: this live agent came, turned away or came back. */
export async function saveBeat(
  db: Queries,
  projectId: string,
  { id, name }: LiveAgent,
  { away, now }: { away: boolean | undefined; now: Date },
): Promise<boolean> {
  const [row] = await db.query<{ news: boolean }>(
    `WITH before AS (
       SELECT a.away, ${HEARD} AS heard FROM foyer.live_agent AS a JOIN foyer.project AS p ON p.id = a.project_id
       WHERE a.project_id = $2 AND a.id = $3)
     INSERT INTO foyer.live_agent AS own (project_id, id, name, away, beat_at) VALUES ($2, $3, $4, coalesce($5::boolean, false), $1)
     ON CONFLICT (project_id, id) DO UPDATE SET name = excluded.name, away = coalesce($5::boolean, own.away),
       beat_at = greatest(own.beat_at, excluded.beat_at)
     RETURNING NOT coalesce((SELECT heard AND away = coalesce($5::boolean, away) FROM before), false) AS news`,
    [now.toISOString(), projectId, id, name, away ?? null],
  )
  return row?.news ?? true
}

export type LiveAgentRow = { id: string; name: string; away: boolean; heard: boolean; chats: number }

/** The live agents of a project that were ever at its desk, by name. */
export const liveAgents = (db: Queries, projectId: string, now: Date): Promise<LiveAgentRow[]> =>
  db.query(
    `SELECT a.id, a.name, a.away, ${HEARD} AS heard, ${CHATS} AS chats
     FROM foyer.live_agent AS a JOIN foyer.project AS p ON p.id = a.project_id
     WHERE a.project_id = $2 ORDER BY a.name, a.id`,
    [now.toISOString(), projectId],
  )

/** `most`: conversations that this live agent may have. */
type Taker = Pick<LiveAgentRow, 'name' | 'away' | 'chats'> & { most: number }

/**
 * One live agent who takes something, which is a sign of life, and whose row nobody else locks until the end of the transaction. Undefined: the
 * presence of this one is not known. What another take has committed while this one waited for the lock is counted: the second statement sees it.
 */
export async function lockLiveAgent(
  tx: Queries,
  projectId: string,
  id: string,
  now: Date,
): Promise<Taker | undefined> {
  await tx.query(
    'UPDATE foyer.live_agent SET beat_at = greatest(beat_at, $3) WHERE project_id = $1 AND id = $2',
    [projectId, id, now.toISOString()],
  )
  const [row] = await tx.query<Taker>(
    `SELECT a.name, a.away, ${CHATS} AS chats, ${setting('chats')} AS most
     FROM foyer.live_agent AS a JOIN foyer.project AS p ON p.id = a.project_id
     WHERE a.project_id = $1 AND a.id = $2`,
    [projectId, id],
  )
  return row
}

/** A project whose live agents were heard. `here`: take new conversations. `refuses`: nobody is here, and the project wants nobody to wait. */
export type DeskRow = {
  project_id: string
  here: number
  refuses: boolean
  nobody: string | null
  waiting: number
  mean_wait: number
}

/** A project whose live agents were never heard is missing. */
export const desksHere = (db: Queries, now: Date): Promise<DeskRow[]> =>
  db.query(
    `SELECT d.project_id, d.here, d.here = 0 AND coalesce((p.settings -> 'desk' ->> 'refuse')::boolean, true) AS refuses,
       p.settings -> 'desk' ->> 'nobody' AS nobody, ${meanWaitOf('p.id')} AS mean_wait,
       (SELECT count(*)::integer FROM foyer.session AS s JOIN foyer.handoff AS h ON h.conversation_id = s.id
        WHERE s.mode = 'queued' AND h.project_id = p.id) AS waiting
     FROM (SELECT p.id AS project_id, count(*) FILTER (WHERE NOT a.away AND ${HEARD})::integer AS here
       FROM foyer.live_agent AS a JOIN foyer.project AS p ON p.id = a.project_id GROUP BY p.id) AS d
     JOIN foyer.project AS p ON p.id = d.project_id`,
    [now.toISOString()],
  )

/** `$1`: now. Why the conversation of `s`, `h` and `p` has lost its live agent `a`, or null. */
const LOST = `CASE WHEN NOT ${HEARD} THEN 'gone'
  WHEN h.waits_since <= $1::timestamptz - ${setting('answerSeconds')} * interval '1 second' THEN 'unanswered' END`
const TAKEN = `foyer.session AS s JOIN foyer.handoff AS h ON h.conversation_id = s.id
  JOIN foyer.project AS p ON p.id = h.project_id
  JOIN foyer.live_agent AS a ON a.project_id = h.project_id AND a.id = s.live_agent ->> 'id'`

/** Conversations of all projects that have lost their live agent. */
export async function lostConversations(db: Queries, now: Date): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT s.id FROM ${TAKEN} WHERE s.mode = 'desk' AND ${LOST} IS NOT NULL ORDER BY h.taken_at LIMIT 200`,
    [now.toISOString()],
  )
  return rows.map(({ id }) => id)
}

/** Asked under the session's lock: undefined if its live agent is there, and has answered. */
export async function lossOf(tx: Queries, id: string, now: Date): Promise<Lost | undefined> {
  const [row] = await tx.query<{ lost: Lost | null }>(
    `SELECT ${LOST} AS lost FROM ${TAKEN} WHERE s.id = $2`,
    [now.toISOString(), id],
  )
  return row?.lost ?? undefined
}

/**
 * Puts a conversation that has lost its live agent back into its queue, before all that have lost none. The wait begins anew. Conversations
 * that have lost their live agents are ranked by their first waits. Resolves to the queue's name.
 */
export async function putInFront(tx: Queries, id: string, why: Lost, now: Date): Promise<string> {
  const [row] = await tx.query<{ queue_name: string }>(
    `UPDATE foyer.handoff SET ranked_at = coalesce(ranked_at, queued_at), queued_at = $2, taken_at = NULL,
       told_position = NULL, told_waiting = false, waits_since = NULL, lost = $3
     WHERE conversation_id = $1 RETURNING queue_name`,
    [id, now.toISOString(), why],
  )
  return row?.queue_name ?? ''
}

/** The visitor waits for the live agent's answer since `now`, or since an earlier message. Null: the answer has come. */
export async function setWaits(tx: Queries, id: string, now: Date | null): Promise<void> {
  await tx.query(
    `UPDATE foyer.handoff SET waits_since = $2::timestamptz
     WHERE conversation_id = $1 AND (waits_since IS NULL) = ($2::timestamptz IS NOT NULL)`,
    [id, now?.toISOString() ?? null],
  )
}
