// Reads the lines of a conversation for the desk: messages, events and notes.

import type { Queries } from '../database/index.ts'

/** One line of a conversation, as live agents see it. */
export type LineRow = {
  id: string
  /** The type of the event, or `note`. */
  type: string
  payload: Record<string, unknown>
  created_at: Date
}

const MOST_LINES = 300
const MOST_BYTES = 1024 * 1024

const SHOWN_EVENTS = `'EVENT_TYPE_USER_MESSAGE', 'EVENT_TYPE_POLY_AGENT_MESSAGE', 'EVENT_TYPE_LIVE_AGENT_MESSAGE',
  'EVENT_TYPE_POLY_AGENT_TRIGGERED_HANDOFF', 'EVENT_TYPE_HANDOFF_FAILED', 'EVENT_TYPE_HANDOFF_TIMEOUT',
  'EVENT_TYPE_LIVE_AGENT_JOINED', 'EVENT_TYPE_LIVE_AGENT_LEFT', 'EVENT_TYPE_CSAT_RESPONSE', 'EVENT_TYPE_SESSION_END'`

/**
 * The newest lines up to a mebibyte, oldest first; none if the conversation belongs to another project. A note comes before the
 * events of the same time.
 */
export const linesOf = (db: Queries, projectId: string, id: string): Promise<LineRow[]> =>
  db.query<LineRow>(
    `SELECT id, type, payload, created_at FROM (
       SELECT *, sum(octet_length(payload::text)) OVER (ORDER BY created_at DESC, place DESC, id DESC)
         - octet_length(payload::text) AS newer
       FROM (
         (SELECT id, type, payload, created_at, sequence AS place FROM foyer.event
          WHERE session_id = $1 AND type IN (${SHOWN_EVENTS}) ORDER BY sequence DESC LIMIT ${MOST_LINES})
         UNION ALL
         (SELECT id, 'note', jsonb_build_object('agent_id', agent_id, 'agent_name', agent_name, 'text', words),
            created_at, 0 FROM foyer.note WHERE conversation_id = $1 ORDER BY created_at DESC LIMIT ${MOST_LINES})
       ) AS line) AS sized
     WHERE newer < ${MOST_BYTES} AND EXISTS (SELECT 1 FROM foyer.conversation WHERE id = $1 AND project_id = $2)
     ORDER BY created_at, place, id`,
    [id, projectId],
  )

export type NewNote = {
  id: string
  conversationId: string
  agent: { id: string; name: string }
  words: string
  at: Date
}

export async function insertNote(
  tx: Queries,
  { id, conversationId, agent, words, at }: NewNote,
): Promise<void> {
  await tx.query(
    `INSERT INTO foyer.note (id, conversation_id, agent_id, agent_name, words, created_at)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [id, conversationId, agent.id, agent.name, words, at.toISOString()],
  )
}
