// Stores the events of sessions. An event takes its sequence under the session's lock, so events commit in order.

import type { Queries, Transaction } from '../../database/index.ts'
import type { StoredEvent } from './session.ts'

export const EVENT = 'sequence, id, type, payload, custom, client_id, message_id, first_sequence, created_at'
/** The types of these columns, for jsonb_to_recordset. */
export const EVENT_RECORD = `sequence integer, id text, type text, payload jsonb, custom jsonb, client_id text,
  message_id text, first_sequence integer, created_at timestamptz`

/** Limits of a page of a replay: events, and bytes. */
const PAGE_EVENTS = 200
const PAGE_BYTES = 256 * 1024

/** Events with a higher sequence than `after`, oldest first, up to the size of a page. */
export async function eventsAfter(
  db: Queries,
  sessionId: string,
  after: number,
): Promise<{ events: StoredEvent[]; more: boolean }> {
  const rows = await db.query<StoredEvent & { total: number }>(
    `SELECT ${EVENT}, total FROM (
       SELECT ${EVENT}, (count(*) OVER ())::integer AS total,
         sum(octet_length(payload::text)) OVER (ORDER BY sequence) - octet_length(payload::text) AS before
       FROM (SELECT ${EVENT} FROM foyer.event WHERE session_id = $1 AND sequence > $2
             ORDER BY sequence LIMIT ${PAGE_EVENTS + 1}) AS next) AS page
     WHERE before < ${PAGE_BYTES} ORDER BY sequence LIMIT ${PAGE_EVENTS}`,
    [sessionId, after],
  )
  const more = rows.length < (rows[0]?.total ?? 0)
  return { events: rows.map(({ total: _, ...event }) => event), more }
}

/** The text of a stored message, and the type of its event. */
export type SaidMessage = { id: string; type: string; text: string }

/** Bytes of the texts that are read before a message. */
const BEFORE_BYTES = 256 * 1024

/**
 * The last hundred messages, oldest first, of a user only those before `sequence` (default: of all): what a message that waited is
 * answered with, the answers to the messages before it among them. Older messages are left out, and not decompressed, once the
 * texts of newer messages take 256 KiB; the newest message is always read. One row of three arrays takes a
 * third of the processor time of a hundred rows.
 */
export async function messagesBefore(
  db: Queries,
  sessionId: string,
  sequence?: number,
): Promise<SaidMessage[]> {
  const [row] = await db.query<{
    ids: string[] | null
    types: string[] | null
    texts: (string | null)[] | null
  }>(
    `SELECT array_to_json(array_agg(id)) AS ids, array_to_json(array_agg(type)) AS types,
       array_to_json(array_agg(payload ->> 'text')) AS texts FROM (
       SELECT id, type, payload, sum(bytes) OVER (ORDER BY sequence DESC ROWS UNBOUNDED PRECEDING) - bytes AS newer
       FROM (SELECT sequence, coalesce(message_id, id) AS id, type, payload, coalesce(text_bytes, octet_length(payload ->> 'text'), 0) AS bytes FROM foyer.event
         WHERE session_id = $1 AND (type IN ('EVENT_TYPE_POLY_AGENT_MESSAGE', 'EVENT_TYPE_LIVE_AGENT_MESSAGE')
           OR type = 'EVENT_TYPE_USER_MESSAGE' AND sequence < coalesce($2, 2147483647))
         ORDER BY sequence DESC LIMIT 100) AS recent
       ORDER BY sequence DESC) AS sized
     WHERE newer < ${BEFORE_BYTES}`,
    [sessionId, sequence ?? null],
    { prepared: true },
  )
  const { ids, types, texts } = row ?? { ids: null, types: null, texts: null }
  return (types ?? [])
    .map((type, index) => ({ id: ids?.[index] ?? '', type, text: texts?.[index] ?? '' }))
    .reverse()
}

/** Why a session has ended. Its end is among its last events: only a rating may follow. */
export async function endReason(db: Queries, sessionId: string): Promise<string | undefined> {
  const [end] = await db.query<{ reason: string }>(
    `SELECT payload ->> 'reason' AS reason FROM foyer.event
     WHERE session_id = $1 AND type = 'EVENT_TYPE_SESSION_END' ORDER BY sequence DESC LIMIT 1`,
    [sessionId],
  )
  return end?.reason
}

/** Whether this very event is stored. */
export async function isStored(
  db: Queries,
  sessionId: string,
  { sequence, id }: Pick<StoredEvent, 'sequence' | 'id'>,
): Promise<boolean> {
  const rows = await db.query(
    'SELECT 1 FROM foyer.event WHERE session_id = $1 AND sequence = $2 AND id = $3',
    [sessionId, sequence, id],
  )
  return rows.length > 0
}

/** The event that a client sent under this id. */
export async function findByClientId(
  db: Queries,
  sessionId: string,
  clientId: string,
): Promise<StoredEvent | undefined> {
  const [event] = await db.query<StoredEvent>(
    `SELECT ${EVENT} FROM foyer.event WHERE session_id = $1 AND client_id = $2`,
    [sessionId, clientId],
    { prepared: true },
  )
  return event
}

/** The decision about a question, by the id of its message. */
export async function findDecision(
  db: Queries,
  sessionId: string,
  confirmId: string,
): Promise<StoredEvent | undefined> {
  const [event] = await db.query<StoredEvent>(
    `SELECT ${EVENT} FROM foyer.event WHERE session_id = $1 AND message_id = $2
     AND type = 'EVENT_TYPE_USER_DECISION'`,
    [sessionId, confirmId],
  )
  return event
}

/** Whether this id is that of a whole message of the agent. */
export async function isAnswer(db: Queries, sessionId: string, messageId: string): Promise<boolean> {
  const answers = await db.query(
    `SELECT 1 FROM foyer.event WHERE session_id = $1 AND message_id = $2
     AND type IN ('EVENT_TYPE_POLY_AGENT_MESSAGE', 'EVENT_TYPE_LIVE_AGENT_MESSAGE') LIMIT 1`,
    [sessionId, messageId],
  )
  return answers.length > 0
}

/** Whether the agent has said a whole message after an input. */
export async function hasAnswerAfter(
  db: Queries,
  sessionId: string,
  inputSequence: number,
): Promise<boolean> {
  const answers = await db.query(
    `SELECT 1 FROM foyer.event WHERE session_id = $1 AND sequence > $2
     AND type = 'EVENT_TYPE_POLY_AGENT_MESSAGE' LIMIT 1`,
    [sessionId, inputSequence],
  )
  return answers.length > 0
}

/** Whether a phone's message is stored, in any conversation between these numbers. */
export async function isMessageStored(
  db: Queries,
  { userNumber, agentNumber }: { userNumber: string; agentNumber: string },
  clientId: string,
): Promise<boolean> {
  const storedMessages = await db.query(
    `SELECT 1 FROM foyer.conversation AS c JOIN foyer.event AS e ON e.session_id = c.id AND e.client_id = $3
     WHERE c.from_number = $1 AND c.to_number = $2 AND c.from_number <> '' LIMIT 1`,
    [userNumber, agentNumber, clientId],
  )
  return storedMessages.length > 0
}

/** The first input with a sequence above `after`: a join or a message. */
export async function nextInput(
  db: Queries,
  sessionId: string,
  after: number,
): Promise<StoredEvent | undefined> {
  const [event] = await db.query<StoredEvent>(
    `SELECT ${EVENT} FROM foyer.event WHERE session_id = $1 AND sequence > $2
     AND type IN ('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN', 'EVENT_TYPE_USER_MESSAGE') ORDER BY sequence LIMIT 1`,
    [sessionId, after],
    { prepared: true },
  )
  return event
}

/** A message in chunks. `inputSequence`: the sequence of the input that it answers. No index has the message, so only the events after the input are read. */
export type Chunked = { inputSequence: number; messageId: string }

/** The stored chunks of one message, or of the first message that has any, oldest first. */
export const chunksOf = (
  db: Queries,
  sessionId: string,
  { inputSequence, messageId }: { inputSequence: number; messageId?: string | undefined },
): Promise<StoredEvent[]> =>
  db.query<StoredEvent>(
    `SELECT ${EVENT} FROM foyer.event WHERE session_id = $1 AND sequence > $2
     AND type = 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK'
     AND message_id = coalesce($3, (SELECT message_id FROM foyer.event WHERE session_id = $1 AND sequence > $2
       AND type = 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK' ORDER BY sequence LIMIT 1))
     ORDER BY sequence`,
    [sessionId, inputSequence, messageId ?? null],
  )

export function deleteChunks(
  tx: Transaction,
  sessionId: string,
  { inputSequence, messageId }: Chunked,
): void {
  tx.send(
    `DELETE FROM foyer.event WHERE session_id = $1 AND sequence > $2
     AND type = 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK' AND message_id = $3`,
    [sessionId, inputSequence, messageId],
    { prepared: true },
  )
}
