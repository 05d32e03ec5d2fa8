// Sessions and their events. A sequence is taken under the lock of the session's row, in the transaction that
// stores the event, so that the order of commits is the order of sequences.

import type { Platform, ServerEventType } from '../../protocol/index.ts'
import type { Database, Queries } from './database.ts'

export type SessionState = 'active' | 'expired' | 'ended'
/** Who the visitor talks to: the agent, nobody yet (a handoff is pending), or a person. */
export type SessionMode = 'agent' | 'handoff' | 'live'

export type SessionRow = {
  id: string
  connector_id: string
  /** The `jti` of the access token; the token itself is stored nowhere. */
  token_id: string
  platform: Platform
  streaming: boolean
  state: SessionState
  mode: SessionMode
  created_at: Date
  active_at: Date
  over_at: Date | null
  warned: boolean
  joined: boolean
  next_sequence: number
  /** The sequence up to which the agent has answered. */
  answered: number
  turn_owner: string | null
  turn_cause: number | null
  turn_shown: boolean
  memory: Record<string, unknown>
}

export type StoredEvent = {
  sequence: number
  id: string
  type: ServerEventType
  payload: Record<string, unknown>
  custom: Record<string, string> | null
  client_id: string | null
  message_id: string | null
  first_sequence: number | null
  created_at: Date
}

/** An event before it has its place. */
export type NewEvent = {
  type: ServerEventType
  payload: Record<string, unknown>
  custom?: Record<string, string> | undefined
  clientId?: string | undefined
  messageId?: string | undefined
  firstSequence?: number | undefined
}

type Changes = Partial<Omit<SessionRow, 'id' | 'connector_id' | 'token_id' | 'created_at' | 'next_sequence'>>

/** A session whose row this transaction has locked. */
export type LockedSession = {
  readonly row: Readonly<SessionRow>
  append(events: readonly NewEvent[], now: Date): Promise<StoredEvent[]>
  change(changes: Changes): Promise<void>
  findByClientId(clientId: string): Promise<StoredEvent | undefined>
  /** The first of the given types with a sequence above `after`. */
  firstOf(types: readonly ServerEventType[], after: number): Promise<StoredEvent | undefined>
  chunksOf(messageId?: string): Promise<StoredEvent[]>
  /** Takes a stored message away, since a whole one that says more follows it. Returns where it began. */
  removeMessage(messageId: string): Promise<number | undefined>
  /** Replaces the chunks of a message by the whole of it, in the place of `last`. */
  replaceChunks(
    messageId: string,
    last: StoredEvent,
    whole: { id: string; payload: Record<string, unknown> },
  ): Promise<void>
}

export type Sessions = ReturnType<typeof createSessions>

const EVENT = 'sequence, id, type, payload, custom, client_id, message_id, first_sequence, created_at'

export function createSessions(database: Database, uuid: () => string) {
  /** Undefined where there is no such session. */
  function locked<T>(id: string, run: (session: LockedSession) => Promise<T>): Promise<T | undefined> {
    return database.transaction(async (tx) => {
      const [row] = await tx.query<SessionRow>('SELECT * FROM foyer.session WHERE id = $1 FOR UPDATE', [id])
      return row && run(lock(tx, row, uuid))
    })
  }

  return {
    locked,

    async create(
      session: Pick<SessionRow, 'id' | 'connector_id' | 'token_id' | 'platform' | 'streaming'>,
      first: NewEvent,
      now: Date,
    ): Promise<void> {
      await database.transaction(async (tx) => {
        const [row] = await tx.query<SessionRow>(
          `INSERT INTO foyer.session (id, connector_id, token_id, platform, streaming, created_at, active_at)
           VALUES ($1, $2, $3, $4, $5, $6, $6) RETURNING *`,
          [
            session.id,
            session.connector_id,
            session.token_id,
            session.platform,
            session.streaming,
            now.toISOString(),
          ],
        )
        if (row) await lock(tx, row, uuid).append([first], now)
      })
    },

    async find(id: string): Promise<SessionRow | undefined> {
      const [row] = await database.query<SessionRow>('SELECT * FROM foyer.session WHERE id = $1', [id])
      return row
    },

    /** Events with a higher sequence than `cursor`, oldest first. */
    replay: (id: string, cursor: number): Promise<StoredEvent[]> =>
      database.query<StoredEvent>(
        `SELECT ${EVENT} FROM foyer.event WHERE session_id = $1 AND sequence > $2 ORDER BY sequence`,
        [id, cursor],
      ),

    /** What was said before `sequence`, oldest first; at most the last hundred messages. */
    history: (id: string, sequence: number): Promise<StoredEvent[]> =>
      database.query<StoredEvent>(
        `SELECT * FROM (
           SELECT ${EVENT} FROM foyer.event
           WHERE session_id = $1 AND sequence < $2 AND type IN
             ('EVENT_TYPE_USER_MESSAGE', 'EVENT_TYPE_POLY_AGENT_MESSAGE', 'EVENT_TYPE_LIVE_AGENT_MESSAGE')
           ORDER BY sequence DESC LIMIT 100) AS recent
         ORDER BY sequence`,
        [id, sequence],
      ),

    /** Active sessions between visitor and agent in which nothing happened since `before`. */
    async idleSince(before: Date, which: 'all' | 'unwarned'): Promise<string[]> {
      const rows = await database.query<{ id: string }>(
        `SELECT id FROM foyer.session WHERE state = 'active' AND mode = 'agent' AND active_at <= $1
         ${which === 'unwarned' ? 'AND NOT warned' : ''} ORDER BY active_at LIMIT 200`,
        [before.toISOString()],
      )
      return rows.map((row) => row.id)
    },

    /** Sessions whose turn was run by a process that is gone. */
    async orphans(): Promise<string[]> {
      const rows = await database.query<{ id: string }>(
        `SELECT id FROM foyer.session WHERE turn_owner IS NOT NULL
         AND turn_owner NOT IN (SELECT id FROM foyer.process) LIMIT 200`,
      )
      return rows.map((row) => row.id)
    },

    /** Active sessions in which something still waits for an answer, and nobody is at it. */
    async unanswered(): Promise<string[]> {
      const rows = await database.query<{ id: string }>(
        `SELECT s.id FROM foyer.session AS s WHERE s.state = 'active' AND s.turn_owner IS NULL AND EXISTS (
           SELECT 1 FROM foyer.event AS e WHERE e.session_id = s.id AND e.sequence > s.answered
           AND e.type IN ('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN', 'EVENT_TYPE_USER_MESSAGE')) LIMIT 200`,
      )
      return rows.map((row) => row.id)
    },
  }
}

function lock(tx: Queries, row: SessionRow, uuid: () => string): LockedSession {
  const { id } = row
  return {
    row,
    async append(events, now) {
      const rows = events.map((event, index) => ({
        sequence: row.next_sequence + index,
        id: uuid(),
        type: event.type,
        payload: event.payload,
        custom: event.custom ?? null,
        client_id: event.clientId ?? null,
        message_id: event.messageId ?? null,
        first_sequence: event.firstSequence ?? null,
        created_at: now,
      }))
      await tx.query(
        `INSERT INTO foyer.event (session_id, ${EVENT})
         SELECT $1, ${EVENT} FROM jsonb_to_recordset($2::jsonb) AS e (sequence integer, id text, type text,
           payload jsonb, custom jsonb, client_id text, message_id text, first_sequence integer, created_at timestamptz)`,
        [id, JSON.stringify(rows)],
      )
      row.next_sequence += rows.length
      await tx.query('UPDATE foyer.session SET next_sequence = $2 WHERE id = $1', [id, row.next_sequence])
      return rows
    },
    async change(changes) {
      const entries = Object.entries(changes)
      const sets = entries.map(
        ([name], index) => `${name} = $${index + 2}${name === 'memory' ? '::jsonb' : ''}`,
      )
      const values = entries.map(([, value]) => {
        if (value instanceof Date) return value.toISOString()
        return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
      })
      await tx.query(`UPDATE foyer.session SET ${sets.join(', ')} WHERE id = $1`, [id, ...values])
      Object.assign(row, changes)
    },
    async findByClientId(clientId) {
      const [event] = await tx.query<StoredEvent>(
        `SELECT ${EVENT} FROM foyer.event WHERE session_id = $1 AND client_id = $2`,
        [id, clientId],
      )
      return event
    },
    async firstOf(types, after) {
      const [event] = await tx.query<StoredEvent>(
        `SELECT ${EVENT} FROM foyer.event WHERE session_id = $1 AND sequence > $2
         AND type IN (SELECT jsonb_array_elements_text($3::jsonb)) ORDER BY sequence LIMIT 1`,
        [id, after, JSON.stringify(types)],
      )
      return event
    },
    chunksOf: (messageId) =>
      tx.query<StoredEvent>(
        `SELECT ${EVENT} FROM foyer.event WHERE session_id = $1 AND type = 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK'
         AND ($2::text IS NULL OR message_id = $2) ORDER BY sequence`,
        [id, messageId ?? null],
      ),
    async removeMessage(messageId) {
      const [removed] = await tx.query<{ first: number }>(
        `DELETE FROM foyer.event WHERE session_id = $1 AND message_id = $2
         RETURNING coalesce(first_sequence, sequence) AS first`,
        [id, messageId],
      )
      return removed?.first
    },
    async replaceChunks(messageId, last, whole) {
      const chunks = await tx.query<{ sequence: number }>(
        `DELETE FROM foyer.event WHERE session_id = $1 AND type = 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK'
         AND message_id = $2 RETURNING sequence`,
        [id, messageId],
      )
      const first = Math.min(last.sequence, ...chunks.map((chunk) => chunk.sequence))
      await tx.query(
        `INSERT INTO foyer.event (session_id, sequence, id, type, payload, message_id, first_sequence, created_at)
         VALUES ($1, $2, $3, 'EVENT_TYPE_POLY_AGENT_MESSAGE', $4::jsonb, $5, $6, $7)`,
        [
          id,
          last.sequence,
          whole.id,
          JSON.stringify(whole.payload),
          messageId,
          first,
          new Date(last.created_at).toISOString(),
        ],
      )
    },
  }
}
