// What the store in memory holds. A row is never changed, only replaced: whoever holds the old one keeps it.
//
//   committed conversation ──▶ draft, in one transaction's hands ──▶ committed in its place, or dropped
//
// A conversation holds what only its transactions write. What others write too is a table of its own.

import type { CallRow } from '../calls.ts'
import type { ConversationRow } from '../filter.ts'
import type { HandoffRow } from '../handoffs.ts'
import type { Passage } from '../passages.ts'
import type { TurnRow } from '../records.ts'
import type { ApiKey, Connector, Project, Sender } from '../registry.ts'
import type { SessionRow, StoredEvent } from '../sessions.ts'
import type { Delivery } from '../texts.ts'
import type { Forms, Utterance } from './words.ts'

export type Turn = TurnRow & { cause: number }

export type Conversation = {
  record: ConversationRow
  /** Named as PostgreSQL names it: how its words are read. */
  dictionary: string
  session: SessionRow
  /** By sequence. */
  events: readonly StoredEvent[]
  turns: readonly Turn[]
  said: readonly Utterance[]
  handoff: HandoffRow | undefined
}

export type WaitingDelivery = Delivery & { due_at: Date; owner: string | null }

/** A conversation in a transaction's hands, and the messages that leave with it. */
export type Draft = Conversation & { sent: readonly WaitingDelivery[] }

export type Tables = ReturnType<typeof createTables>

export const createTables = () => ({
  settings: new Map<string, string>(),
  /** When each process was seen last. */
  processes: new Map<string, Date>(),
  projects: new Map<string, Project>(),
  senders: new Set<Sender>(),
  /** One without a hash was revoked. */
  connectors: new Map<string, { hash: string | undefined; row: Connector }>(),
  keys: new Map<string, { hash: string; row: ApiKey }>(),
  rates: new Map<string, { start: number; count: number }>(),
  sockets: new Map<string, { session_id: string; process_id: string }>(),
  conversations: new Map<string, Conversation>(),
  /** `length`: that of all that had been said when it was made. */
  vectors: new Map<string, { model: string; numbers: Float32Array; length: number }>(),
  /** In the order in which they were sent. */
  deliveries: new Map<string, WaitingDelivery>(),
  /** By both numbers: whether the user wants nothing more. */
  consents: new Map<string, { userNumber: string; optedOut: boolean }>(),
  calls: new Map<string, CallRow>(),
  passages: new Map<string, readonly { passage: Passage; heading: Forms; body: Forms }[]>(),
})

const CODES = { unique: '23505', missing: '23503' } as const

/** A rule between rows is broken. `code` is PostgreSQL's, by which those who catch it know it. */
export class RuleBroken extends Error {
  override name = 'RuleBroken'
  readonly code: string
  constructor(kind: keyof typeof CODES, what: string) {
    super(kind === 'unique' ? `There is one already: ${what}` : `There is none: ${what}`)
    this.code = CODES[kind]
  }
}

/** What a JSON column gives back. */
export const json = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

/** For sorting by several things in turn; null comes last. */
export function compare(...pairs: readonly [unknown, unknown][]): number {
  for (const [a, b] of pairs) {
    const [left, right] = [orderOf(a), orderOf(b)]
    if (left === right) continue
    if (left === null || right === null) return left === null ? 1 : -1
    return left < right ? -1 : 1
  }
  return 0
}

const orderOf = (value: unknown): string | number | null =>
  value instanceof Date
    ? value.getTime()
    : typeof value === 'string' || typeof value === 'number'
      ? value
      : null

/** Erases a conversation with all that hangs on it. False where there is none. Its lock is the caller's. */
export function erase(tables: Tables, id: string): boolean {
  for (const [key, { session_id }] of tables.deliveries) if (session_id === id) tables.deliveries.delete(key)
  for (const [key, { session_id }] of tables.sockets) if (session_id === id) tables.sockets.delete(key)
  for (const [key, { conversation_id }] of tables.calls) if (conversation_id === id) tables.calls.delete(key)
  tables.vectors.delete(id)
  return tables.conversations.delete(id)
}
