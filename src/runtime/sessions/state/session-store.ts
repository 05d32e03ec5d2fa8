// Stores sessions. Every writer locks the session's row and its conversation's row first.

import type { Platform } from '../../../protocol/index.ts'
import { type Condition, type Queries, type Transaction, textArray } from '../../database/index.ts'
import { EVENT, EVENT_RECORD } from './event-store.ts'
import type { Page, Session, StoredEvent } from './session.ts'
import { type SessionRow, sessionOf } from './session-row.ts'

/** A new session, without its conversation. */
export type NewSession =
  | {
      family: 'chat'
      id: string
      connectorId: string
      tokenId: string
      platform: Platform
      streaming: boolean
      page?: Page | undefined
    }
  | { family: 'messaging'; id: string; connectorId: string | undefined }
  | { family: 'voice'; id: string; connectorId: string }

export async function insertSession(tx: Queries, session: NewSession): Promise<void> {
  const chat = session.family === 'chat' ? session : undefined
  await tx.query(
    `INSERT INTO foyer.session (id, family, connector_id, token_id, platform, streaming, page)
     VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb)`,
    [
      session.id,
      session.family,
      session.connectorId ?? null,
      chat?.tokenId ?? null,
      chat?.platform ?? null,
      chat?.streaming ?? false,
      chat?.page ? JSON.stringify(chat.page) : null,
    ],
  )
}

// Names each column: with `s.*`, a migration that adds a column would break the prepared statement of a running process.
const SESSION = `SELECT s.id, s.family, s.connector_id, s.mode, s.live_agent, s.joined, s.idle_since, s.warned_at,
    s.next_sequence, s.last_input, s.answered, s.turn_owner, s.turn_cause, s.turn_shown, s.turn_claims, s.turn_writes, s.confirm, s.token_id, s.platform,
    s.streaming, s.engaged, s.disclosed, s.attributes, s.page, c.account_id, c.project_id, c.environment, c.channel, c.variant_id,
    c.variant_name, c.from_number, c.to_number,
    c.rcs_sender, c.language, c.ended_at, c.state AS memory
  FROM foyer.session AS s JOIN foyer.conversation AS c ON c.id = s.id WHERE s.id = $1`

export async function findSession(db: Queries, id: string): Promise<Session | undefined> {
  const [row] = await db.query<SessionRow>(SESSION, [id])
  return row && sessionOf(row)
}

/** The last sequences that events of these sessions have taken. */
export const lastSequences = (
  db: Queries,
  ids: readonly string[],
): Promise<{ id: string; sequence: number }[]> =>
  db.query('SELECT id, next_sequence - 1 AS sequence FROM foyer.session WHERE id = ANY ($1::text[])', [
    textArray(ids),
  ])

/** Locks a session until the transaction ends. */
export async function lockSession(tx: Queries, id: string): Promise<Session | undefined> {
  const [row] = await tx.query<SessionRow>(`${SESSION} FOR UPDATE`, [id], { prepared: true })
  return row && sessionOf(row)
}

/** Locks the sessions of these conversations, before their conversations are locked. */
export async function lockSessions(tx: Queries, ids: readonly string[]): Promise<void> {
  await tx.query('SELECT id FROM foyer.session WHERE id = ANY ($1::text[]) ORDER BY id FOR UPDATE', [
    textArray(ids),
  ])
}

/** Writes a session's changes and its new events in one statement, in the pipeline of the commit. */
export function saveSession(tx: Transaction, session: Session, events: readonly StoredEvent[]): void {
  const params: unknown[] = [
    session.id,
    session.mode,
    session.liveAgent ? JSON.stringify(session.liveAgent) : null,
    session.joined,
    session.idleSince?.toISOString() ?? null,
    session.warnedAt?.toISOString() ?? null,
    session.nextSequence,
    session.lastInput,
    session.answered,
    session.turn?.owner ?? null,
    session.turn?.inputSequence ?? null,
    session.turn?.shown ?? false,
    session.family === 'messaging' && session.engaged,
    JSON.stringify(session.family === 'chat' ? {} : session.attributes),
    session.claims,
    session.turn?.writes ?? 0,
    session.disclosed,
    session.confirm ? JSON.stringify(session.confirm) : null,
  ]
  if (events.length > 0) params.push(JSON.stringify(events))
  const stored = `WITH stored AS (INSERT INTO foyer.event (session_id, ${EVENT}, text_bytes)
    SELECT $1, ${EVENT}, coalesce(octet_length(payload ->> 'text'), 0)
    FROM jsonb_to_recordset($${params.length}::jsonb) AS e (${EVENT_RECORD}))`
  tx.send(
    `${events.length > 0 ? stored : ''}
     UPDATE foyer.session SET mode = $2, live_agent = $3::jsonb, joined = $4, idle_since = $5, warned_at = $6,
       next_sequence = $7, last_input = $8, answered = $9, turn_owner = $10, turn_cause = $11, turn_shown = $12,
       engaged = $13, attributes = $14::jsonb, turn_claims = $15, turn_writes = $16, disclosed = $17, confirm = $18::jsonb WHERE id = $1`,
    params,
    { prepared: true },
  )
}

export type IdleQuery = {
  family: 'chat' | 'messaging'
  /** Only sessions without activity since then. */
  before: Date
  /** Only sessions that were not warned. */
  unwarned?: boolean
  /** Only sessions that were warned by then, or whose user never wrote. */
  warnedBefore?: Date | undefined
}

/** Idle sessions, idle for longest first. */
export async function idleSessions(
  db: Queries,
  { family, before, unwarned = false, warnedBefore }: IdleQuery,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT id FROM foyer.session WHERE family = $1 AND idle_since <= $2 ${unwarned ? 'AND warned_at IS NULL' : ''}
     ${warnedBefore ? 'AND (NOT engaged OR warned_at <= $3)' : ''} ORDER BY idle_since LIMIT 200`,
    [family, before.toISOString(), ...(warnedBefore ? [warnedBefore.toISOString()] : [])],
  )
  return rows.map((row) => row.id)
}

/** Whether any session has been idle since before `chat`, or `messaging`, or is not with the agent, so that its user may have left. */
export const dueIdle = ({ chat, messaging }: { chat: Date; messaging: Date }): Condition => ({
  sql: `EXISTS (SELECT 1 FROM foyer.session WHERE family = 'chat' AND idle_since <= $1)
    OR EXISTS (SELECT 1 FROM foyer.session WHERE family = 'messaging' AND idle_since <= $2)
    OR EXISTS (SELECT 1 FROM foyer.session WHERE family = 'chat' AND mode <> 'agent')`,
  params: [chat.toISOString(), messaging.toISOString()],
})

/**
 * Records which chats that are not with the agent have lost their last socket, and which have one again. Returns those that have none
 * since `before`.
 */
export async function chatsGone(db: Queries, now: Date, before: Date): Promise<string[]> {
  const connected = 'EXISTS (SELECT 1 FROM foyer.socket AS k WHERE k.session_id = s.id)'
  await db.query(
    `UPDATE foyer.session AS s SET gone_since = CASE WHEN ${connected} THEN NULL ELSE $1::timestamptz END
     WHERE s.family = 'chat' AND s.mode <> 'agent' AND (s.gone_since IS NOT NULL) = ${connected}`,
    [now.toISOString()],
  )
  const rows = await db.query<{ id: string }>(
    `SELECT id FROM foyer.session WHERE family = 'chat' AND mode <> 'agent' AND gone_since <= $1
     ORDER BY gone_since LIMIT 200`,
    [before.toISOString()],
  )
  return rows.map((row) => row.id)
}

/** Longer than a session is told again after its end. */
const TOLD_AGAIN = "interval '11 minutes'"

/** Those of a connector, `$1`, that have a token. */
const LIVING = `foyer.conversation AS c JOIN foyer.session AS s ON s.id = c.id
  WHERE s.connector_id = $1 AND s.token_id <> '' AND (c.ended_at IS NULL OR c.ended_at > now() - ${TOLD_AGAIN})`

/**
 * Invalidates the access tokens of a connector's sessions, as far as they go on or may still be told again. Locks them in the order of `lockSessions` first, since transactions that lock
 * the same sessions in different orders can deadlock. The update runs as a statement of its own, so that it sees the sessions
 * whose locks it waited for.
 */
export async function forgetAccessTokens(tx: Queries, connectorId: string): Promise<void> {
  await tx.query(`SELECT s.id FROM ${LIVING} ORDER BY s.id FOR UPDATE OF s`, [connectorId])
  await tx.query(`UPDATE foyer.session SET token_id = '' WHERE id IN (SELECT s.id FROM ${LIVING})`, [
    connectorId,
  ])
}
