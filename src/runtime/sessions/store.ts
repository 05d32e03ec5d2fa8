// Sessions and their events. A sequence is taken under the lock of the session's row, in the transaction that
// stores the event, so that the order of commits is the order of sequences.

import type { Platform, ServerEventType } from '../../protocol/index.ts'
import {
  type Channel,
  createRecorder,
  insertConversation,
  type NewConversation,
  type Recorder,
} from '../conversations/writer-store.ts'
import type { Database, Queries } from '../database/database.ts'
import { createHandoffWriter, type DeskAgent, type HandoffWriter } from '../handoff/store.ts'
import { createDeliveryWriter, type DeliveryWriter } from '../messaging/store.ts'
import type { Clean } from '../redact.ts'

export type SessionState = 'active' | 'expired' | 'ended'
/**
 * Who the visitor talks to: the agent, nobody yet (a handoff is pending), or a person. `handoff` and `live` are
 * in the agent's own hands, which brings the person along; `queued` and `desk` are in those of the desk.
 */
export type SessionMode = 'agent' | 'handoff' | 'live' | 'queued' | 'desk'

export type SessionRow = {
  id: string
  /** Null: somebody wrote from a phone, which shows no connector. */
  connector_id: string | null
  channel: Channel
  /** The `jti` of the access token; the token itself is stored nowhere. Empty where there is no socket. */
  token_id: string
  platform: Platform
  streaming: boolean
  state: SessionState
  mode: SessionMode
  created_at: Date
  active_at: Date
  over_at: Date | null
  warned: boolean
  warned_at: Date | null
  joined: boolean
  next_sequence: number
  /** The sequence up to which the agent has answered. */
  answered: number
  turn_owner: string | null
  turn_cause: number | null
  turn_shown: boolean
  memory: Record<string, unknown>
  live_agent: DeskAgent | null
  /** Of text and voice; empty in a chat. */
  user_number: string
  agent_number: string
  rcs_sender: string
  /** The user has written, not only been written to. */
  engaged: boolean
  /** What the carrier told beside the words. Not part of the record. */
  attributes: Record<string, unknown>
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

export type NewSession = Pick<SessionRow, 'connector_id' | 'token_id' | 'platform' | 'streaming'> &
  Partial<Pick<SessionRow, 'user_number' | 'agent_number' | 'rcs_sender'>>

type Changes = Partial<Omit<SessionRow, 'id' | 'connector_id' | 'token_id' | 'created_at' | 'next_sequence'>>

/** A session whose row this transaction has locked. */
export type LockedSession = {
  readonly row: Readonly<SessionRow>
  readonly record: Recorder
  readonly handoff: HandoffWriter
  readonly deliveries: DeliveryWriter
  append(events: readonly NewEvent[], now: Date): Promise<StoredEvent[]>
  change(changes: Changes): Promise<void>
  findByClientId(clientId: string): Promise<StoredEvent | undefined>
  /** Whether it is known from this or another conversation by text of the same two numbers. */
  wasHeard(clientId: string): Promise<boolean>
  /** The first of the given types with a sequence above `after`. */
  firstOf(types: readonly ServerEventType[], after: number): Promise<StoredEvent | undefined>
  chunksOf(messageId?: string): Promise<StoredEvent[]>
  /** Replaces the chunks of a message by the whole of it, in the place of `last`. */
  replaceChunks(
    messageId: string,
    last: StoredEvent,
    whole: { id: string; payload: Record<string, unknown> },
  ): Promise<void>
}

export type Sessions = ReturnType<typeof createSessions>

/** A page of a replay: so many events, or as many as hold so much. */
const PAGE_EVENTS = 200
const PAGE_BYTES = 256 * 1024

const JSON_COLUMNS = new Set(['memory', 'live_agent', 'attributes'])

const EVENT = 'sequence, id, type, payload, custom, client_id, message_id, first_sequence, created_at'

/** `clean` is applied to every word before it is stored. */
export function createSessions(database: Database, uuid: () => string, clean: Clean) {
  /** Undefined where there is no such session. */
  function locked<T>(id: string, run: (session: LockedSession) => Promise<T>): Promise<T | undefined> {
    return database.transaction(async (tx) => {
      const [row] = await tx.query<SessionRow>('SELECT * FROM foyer.session WHERE id = $1 FOR UPDATE', [id])
      return row && run(lock(tx, row, uuid, clean))
    })
  }

  return {
    locked,

    /** Makes the session and the record of its conversation, which share their id. */
    async create(
      conversation: NewConversation,
      session: NewSession,
      now: Date,
      first: (session: LockedSession) => Promise<unknown>,
    ): Promise<void> {
      await database.transaction(async (tx) => {
        await insertConversation(tx, conversation, now)
        const [row] = await tx.query<SessionRow>(
          `INSERT INTO foyer.session (id, connector_id, token_id, platform, streaming, created_at, active_at, channel,
             user_number, agent_number, rcs_sender) VALUES ($1, $2, $3, $4, $5, $6, $6, $7, $8, $9, $10) RETURNING *`,
          [
            conversation.id,
            session.connector_id,
            session.token_id,
            session.platform,
            session.streaming,
            now.toISOString(),
            conversation.channel,
            session.user_number ?? '',
            session.agent_number ?? '',
            session.rcs_sender ?? '',
          ],
        )
        if (row) await first(lock(tx, row, uuid, clean))
      })
    },

    async find(id: string): Promise<SessionRow | undefined> {
      const [row] = await database.query<SessionRow>('SELECT * FROM foyer.session WHERE id = $1', [id])
      return row
    },

    /** Events with a higher sequence than `cursor`, oldest first, up to the size of a page. */
    async replay(id: string, cursor: number): Promise<{ events: StoredEvent[]; more: boolean }> {
      const rows = await database.query<StoredEvent & { total: number }>(
        `SELECT ${EVENT}, total FROM (
           SELECT ${EVENT}, (count(*) OVER ())::integer AS total,
             sum(octet_length(payload::text)) OVER (ORDER BY sequence) - octet_length(payload::text) AS before
           FROM (SELECT ${EVENT} FROM foyer.event WHERE session_id = $1 AND sequence > $2
                 ORDER BY sequence LIMIT ${PAGE_EVENTS + 1}) AS next) AS page
         WHERE before < ${PAGE_BYTES} ORDER BY sequence LIMIT ${PAGE_EVENTS}`,
        [id, cursor],
      )
      const more = rows.length < (rows[0]?.total ?? 0)
      return { events: rows.map(({ total: _, ...event }) => event), more }
    },

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

    /**
     * Active sessions between user and agent in which nothing happened since `before`; with `warnedBefore`, of
     * those in which the user has written only such as were warned by then.
     */
    async idleSince(
      before: Date,
      which: 'all' | 'unwarned',
      family: 'chat' | 'text',
      warnedBefore?: Date,
    ): Promise<string[]> {
      const channels = family === 'chat' ? "= 'WEBCHAT'" : "IN ('SMS', 'RCS')"
      const rows = await database.query<{ id: string }>(
        `SELECT id FROM foyer.session WHERE state = 'active' AND mode = 'agent' AND active_at <= $1
         AND channel ${channels} ${which === 'unwarned' ? 'AND NOT warned' : ''}
         ${warnedBefore ? 'AND (NOT engaged OR warned_at <= $2)' : ''} ORDER BY active_at LIMIT 200`,
        [before.toISOString(), ...(warnedBefore ? [warnedBefore.toISOString()] : [])],
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

function lock(tx: Queries, row: SessionRow, uuid: () => string, clean: Clean): LockedSession {
  const { id } = row
  return {
    row,
    record: cleanRecorder(createRecorder(tx, id), clean),
    handoff: cleanHandoff(createHandoffWriter(tx, id), clean),
    deliveries: cleanDeliveries(createDeliveryWriter(tx, id), clean),
    async append(events, now) {
      const rows = cleanEvents(events, row.next_sequence, now, uuid, clean)
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
    async change(given) {
      const changes = cleanWithAgent(given, 'live_agent', clean)
      const entries = Object.entries(changes)
      const sets = entries.map(
        ([name], index) => `${name} = $${index + 2}${JSON_COLUMNS.has(name) ? '::jsonb' : ''}`,
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
        [id, clean.id(clientId)],
      )
      return event
    },
    async wasHeard(clientId) {
      const known = await tx.query(
        `SELECT 1 FROM foyer.session AS s JOIN foyer.event AS e ON e.session_id = s.id AND e.client_id = $3
         WHERE s.user_number = $1 AND s.agent_number = $2 AND s.user_number <> '' LIMIT 1`,
        [row.user_number, row.agent_number, clean.id(clientId)],
      )
      return known.length > 0
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
          JSON.stringify(clean.deep(whole.payload)),
          messageId,
          first,
          new Date(last.created_at).toISOString(),
        ],
      )
    },
  }
}

export function cleanRecorder(recorder: Recorder, clean: Clean): Recorder {
  return {
    ...recorder,
    beginTurn: (turn) => recorder.beginTurn(clean.deep(turn)),
    respond: (text, at, by) => recorder.respond(clean.text(text), at, by),
    understand: (understanding, cause) => recorder.understand(clean.deep(understanding), cause),
    metric: (name, value) => recorder.metric(clean.text(name), clean.text(value)),
    state: (state) => recorder.state(clean.deep(state)),
    handoff: (reason, destination) => recorder.handoff(clean.text(reason), clean.text(destination)),
  }
}

export const cleanHandoff = (writer: HandoffWriter, clean: Clean): HandoffWriter => ({
  ...writer,
  save: (handoff) => writer.save(cleanWithAgent(handoff, 'desk_agent', clean)),
  change: (changes) => writer.change(cleanWithAgent(changes, 'desk_agent', clean)),
})

/** All but the id of the person at the desk, by which they are known again. */
export function cleanWithAgent<T extends object, K extends string>(
  given: T & { [key in K]?: DeskAgent | null },
  name: K,
  clean: Clean,
): T {
  const agent = given[name]
  const cleaned = clean.deep<T>(given)
  return agent ? { ...cleaned, [name]: { ...clean.deep(agent), id: clean.id(agent.id) } } : cleaned
}

/** What a client sends along is echoed; by these it knows its message again. */
const CLIENT_IDS: ReadonlySet<string> = new Set(['client_event_id', 'local_id'])

const cleanCustom = (custom: Record<string, string>, clean: Clean): Record<string, string> =>
  Object.fromEntries(
    Object.entries(custom).map(([key, value]) =>
      CLIENT_IDS.has(key) ? [key, clean.id(value)] : [clean.text(key), clean.text(value)],
    ),
  )

/** Events in their places, from `first` on. */
export const cleanEvents = (
  events: readonly NewEvent[],
  first: number,
  now: Date,
  uuid: () => string,
  clean: Clean,
): StoredEvent[] =>
  events.map((event, index) => ({
    sequence: first + index,
    id: uuid(),
    type: event.type,
    payload: clean.deep(event.payload),
    custom: event.custom ? cleanCustom(event.custom, clean) : null,
    client_id: event.clientId === undefined ? null : clean.id(event.clientId),
    message_id: event.messageId ?? null,
    first_sequence: event.firstSequence ?? null,
    created_at: now,
  }))

export const cleanDeliveries = (writer: DeliveryWriter, clean: Clean): DeliveryWriter => ({
  send: (id, message, due) => writer.send(id, clean.deep(message), due),
})
