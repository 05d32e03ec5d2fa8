// Stores handoffs, and reads the queue that live agents work from.

import { type Condition, type Queries, textArray } from '../database/index.ts'
import type { LiveAgent } from '../sessions/index.ts'

export type Handoff = {
  conversation_id: string
  project_id: string
  shared_id: string | null
  data: Record<string, unknown>
  queue_name: string
  created_at: Date
  queued_at: Date | null
}

/** The order of a queue, in SQL: conversations that have lost their live agent come first. Within both groups, the one queued first does. */
const orderOf = (handoff: string): string =>
  `${handoff}.lost IS NULL, coalesce(${handoff}.ranked_at, ${handoff}.queued_at), ${handoff}.conversation_id`

/** Saves a handoff; it replaces an earlier one of the same conversation. */
export async function saveHandoff(tx: Queries, handoff: Handoff): Promise<void> {
  await tx.query(
    `INSERT INTO foyer.handoff (conversation_id, project_id, shared_id, data, queue_name, created_at, queued_at)
     VALUES ($1, $2, $3, $4::jsonb, $5, $6, $7)
     ON CONFLICT (conversation_id) DO UPDATE SET shared_id = excluded.shared_id, data = excluded.data,
       queue_name = excluded.queue_name, created_at = excluded.created_at, queued_at = excluded.queued_at,
       taken_at = NULL, told_position = NULL, told_waiting = false, ranked_at = NULL, waits_since = NULL,
       lost = NULL`,
    [
      handoff.conversation_id,
      handoff.project_id,
      handoff.shared_id,
      JSON.stringify(handoff.data),
      handoff.queue_name,
      handoff.created_at.toISOString(),
      handoff.queued_at?.toISOString() ?? null,
    ],
  )
}

/** Finds a handoff by its conversation, or the newest with this identifier of the integrator's. */
export async function findHandoff(
  db: Queries,
  projectId: string,
  by: { id: string } | { sharedId: string },
): Promise<Handoff | undefined> {
  const [row] = await db.query<Handoff>(
    `SELECT * FROM foyer.handoff WHERE project_id = $1 AND ${'id' in by ? 'conversation_id' : 'shared_id'} = $2
     ORDER BY created_at DESC LIMIT 1`,
    [projectId, 'id' in by ? by.id : by.sharedId],
  )
  return row
}

/** Resolves to the seconds that the conversation waited. */
export async function markTaken(tx: Queries, id: string, now: Date): Promise<number | undefined> {
  const [row] = await tx.query<{ wait: number | null }>(
    `UPDATE foyer.handoff SET taken_at = $2, waits_since = $2, lost = NULL WHERE conversation_id = $1
     RETURNING extract(epoch FROM taken_at - queued_at)::double precision AS wait`,
    [id, now.toISOString()],
  )
  return row?.wait ?? undefined
}

/** Puts a handoff at the end of a queue. */
export async function requeue(tx: Queries, id: string, queueName: string, now: Date): Promise<void> {
  await tx.query(
    `UPDATE foyer.handoff SET queue_name = $2, queued_at = $3, taken_at = NULL, told_position = NULL,
       told_waiting = false, ranked_at = NULL, waits_since = NULL, lost = NULL WHERE conversation_id = $1`,
    [id, queueName, now.toISOString()],
  )
}

/**
 * Records the place that a waiting user is told now, and resolves to it. Undefined if the user was told it before, perhaps by another
 * process.
 */
export async function recordToldPosition(tx: Queries, id: string): Promise<number | undefined> {
  const [row] = await tx.query<{ place: number }>(
    `UPDATE foyer.handoff AS h SET told_position = counted.place
     FROM (SELECT count(*)::integer AS place FROM foyer.handoff AS own, foyer.session AS s
       JOIN foyer.handoff AS other ON other.conversation_id = s.id
       WHERE own.conversation_id = $1 AND s.mode = 'queued'
         AND other.project_id = own.project_id AND other.queue_name = own.queue_name
         AND (${orderOf('other')}) <= (${orderOf('own')})) AS counted
     WHERE h.conversation_id = $1 AND h.told_position IS DISTINCT FROM counted.place RETURNING h.told_position AS place`,
    [id],
  )
  return row?.place
}

/** Records that the user is told that messages are kept. False if it was recorded since the conversation was queued. */
export async function recordToldWaiting(tx: Queries, id: string): Promise<boolean> {
  const rows = await tx.query(
    'UPDATE foyer.handoff SET told_waiting = true WHERE conversation_id = $1 AND NOT told_waiting RETURNING 1',
    [id],
  )
  return rows.length > 0
}

/** Why a conversation has lost its live agent. */
export type Lost = 'gone' | 'unanswered'

/** One conversation in the handoff queue: it waits, or a live agent has taken it. */
export type QueuedRow = {
  conversation_id: string
  channel: string
  mode: 'queued' | 'desk'
  queue_name: string
  data: Record<string, unknown>
  created_at: Date
  queued_at: Date | null
  taken_at: Date | null
  live_agent: LiveAgent | null
  told_position: number | null
  /** Why the last live agent has the conversation no more. */
  lost: Lost | null
  /** Whether the user has a socket open. */
  connected: boolean
  /** Whether another process heard the user in time. */
  here_elsewhere: boolean
  /** The newest messages with words, oldest first; of each, the first thousand characters. */
  messages: readonly {
    type: string
    text: string
    at: string
    agent_id: string | null
    agent_name: string | null
  }[]
}

/** What processes know of the user's sockets. `$1`: this process. */
const SOCKETS = `EXISTS (SELECT 1 FROM foyer.socket AS k WHERE k.session_id = s.id) AS connected,
  EXISTS (SELECT 1 FROM foyer.socket AS k WHERE k.session_id = s.id AND k.process_id <> $1 AND NOT k.away) AS here_elsewhere`

/** The conversations in a project's queue, longest wait first, up to five hundred. */
export const queuedHandoffs = (db: Queries, processId: string, projectId: string): Promise<QueuedRow[]> =>
  db.query<QueuedRow>(
    `SELECT h.conversation_id, c.channel, s.mode, h.queue_name, h.data, h.created_at, h.queued_at, h.taken_at,
       s.live_agent, h.told_position, h.lost, ${SOCKETS}, coalesce(m.messages, '[]') AS messages
     FROM foyer.session AS s JOIN foyer.handoff AS h ON h.conversation_id = s.id
       JOIN foyer.conversation AS c ON c.id = s.id
       LEFT JOIN LATERAL (
         SELECT jsonb_agg(jsonb_build_object('type', type, 'text', left(payload ->> 'text', 1000), 'at', created_at,
           'agent_id', payload ->> 'agent_id', 'agent_name', payload ->> 'agent_name')
           ORDER BY sequence) AS messages
         FROM (SELECT type, payload, created_at, sequence FROM foyer.event
           WHERE session_id = s.id AND payload ->> 'text' <> '' AND type IN
             ('EVENT_TYPE_USER_MESSAGE', 'EVENT_TYPE_POLY_AGENT_MESSAGE', 'EVENT_TYPE_LIVE_AGENT_MESSAGE')
           ORDER BY sequence DESC LIMIT 30) AS newest) AS m ON true
     WHERE s.mode IN ('queued', 'desk') AND h.project_id = $2
     ORDER BY ${orderOf('h')} LIMIT 500`,
    [processId, projectId],
  )

/** What is known of the sockets of one conversation in a queue. */
export type QueuedSockets = Pick<
  QueuedRow,
  'conversation_id' | 'channel' | 'connected' | 'here_elsewhere'
> & { project_id: string }

/** The conversations in the queues of these projects, and whether their users have a socket open. */
export const queuedSockets = (
  db: Queries,
  processId: string,
  projectIds: readonly string[],
): Promise<QueuedSockets[]> =>
  db.query(
    `SELECT s.id AS conversation_id, c.project_id, c.channel, ${SOCKETS}
     FROM foyer.session AS s JOIN foyer.conversation AS c ON c.id = s.id
     WHERE s.mode IN ('queued', 'desk') AND c.project_id = ANY ($2) ORDER BY s.id`,
    [processId, textArray(projectIds)],
  )

/** The conversations in queues with sockets at this process, and whether it has recorded that these are silent. */
export const ownQueuedSockets = (
  db: Queries,
  processId: string,
): Promise<{ conversation_id: string; away: boolean }[]> =>
  db.query(
    `SELECT k.session_id AS conversation_id, bool_and(k.away) AS away
     FROM foyer.socket AS k JOIN foyer.session AS s ON s.id = k.session_id
     WHERE k.process_id = $1 AND s.mode IN ('queued', 'desk') GROUP BY k.session_id`,
    [processId],
  )

/** Whether any conversation is in a queue. */
export const dueQueue = (): Condition => ({
  sql: `EXISTS (SELECT 1 FROM foyer.session WHERE mode IN ('queued', 'desk'))`,
  params: [],
})

/** Conversations of all projects that wait for a live agent. */
export async function countWaiting(db: Queries): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM foyer.session WHERE mode = 'queued'`,
  )
  return row?.count ?? 0
}

/** A waiting conversation, and the place in the queue that its user was last told. */
export type PlaceRow = Pick<QueuedRow, 'conversation_id' | 'queue_name' | 'told_position'>

/** A project's waiting conversations, longest wait first. */
export const waitingHandoffs = (db: Queries, projectId: string): Promise<PlaceRow[]> =>
  db.query<PlaceRow>(
    `SELECT h.conversation_id, h.queue_name, h.told_position
     FROM foyer.session AS s JOIN foyer.handoff AS h ON h.conversation_id = s.id
     WHERE s.mode = 'queued' AND h.project_id = $1
     ORDER BY ${orderOf('h')}`,
    [projectId],
  )

/** Conversations of all projects queued before `time`. */
export async function waitingSince(db: Queries, time: Date): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT s.id FROM foyer.session AS s JOIN foyer.handoff AS h ON h.conversation_id = s.id
     WHERE s.mode = 'queued' AND h.queued_at <= $1 ORDER BY h.queued_at LIMIT 200`,
    [time.toISOString()],
  )
  return rows.map((row) => row.id)
}

/** Seconds that somebody waits in a queue in which nobody has waited yet. */
const UNKNOWN_WAIT_SECONDS = 60

/** The mean wait of the last twenty conversations of a project, in seconds. `project`: its ID, in SQL. */
export const meanWaitOf = (project: string): string =>
  `(SELECT coalesce(avg(wait), ${UNKNOWN_WAIT_SECONDS})::double precision FROM (
     SELECT extract(epoch FROM taken_at - queued_at) AS wait FROM foyer.handoff
     WHERE project_id = ${project} AND taken_at IS NOT NULL ORDER BY taken_at DESC LIMIT 20) AS last)`

/** The mean wait of the last twenty conversations of a project, in seconds. */
export async function meanWait(db: Queries, projectId: string): Promise<number> {
  const [row] = await db.query<{ seconds: number }>(`SELECT ${meanWaitOf('$1')} AS seconds`, [projectId])
  return row?.seconds ?? UNKNOWN_WAIT_SECONDS
}
