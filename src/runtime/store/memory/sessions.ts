// Transactions: one at a time for a session, each on a draft that takes the committed one's place in one step.

import type { ServerEventType } from '../../../protocol/index.ts'
import type { Clean } from '../../mask.ts'
import {
  cleanDeliveries,
  cleanEvents,
  cleanHandoff,
  cleanRecorder,
  cleanWithAgent,
  type LockedSession,
  type SessionRow,
  type Sessions,
  type StoredEvent,
} from '../sessions.ts'
import { createMemoryHandoffWriter } from './handoffs.ts'
import type { Locks } from './locks.ts'
import { createMemoryRecorder, newConversation } from './records.ts'
import { type Conversation, compare, type Draft, json, RuleBroken, type Tables } from './tables.ts'
import { createMemoryDeliveryWriter, isText, openTexts } from './texts.ts'

const MOST_AT_ONCE = 200
const MOST_HISTORY = 100
const SAID: ReadonlySet<ServerEventType> = new Set([
  'EVENT_TYPE_USER_MESSAGE',
  'EVENT_TYPE_POLY_AGENT_MESSAGE',
  'EVENT_TYPE_LIVE_AGENT_MESSAGE',
])
const ASKS: ReadonlySet<ServerEventType> = new Set([
  'EVENT_TYPE_REQUEST_POLY_AGENT_JOIN',
  'EVENT_TYPE_USER_MESSAGE',
])
const CHUNK: ServerEventType = 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK'

export function createMemorySessions(
  tables: Tables,
  locks: Locks,
  uuid: () => string,
  clean: Clean,
): Sessions {
  const { conversations, connectors, processes } = tables

  async function transact<T>(from: Conversation, run: (session: LockedSession) => Promise<T>): Promise<T> {
    const draft: Draft = { ...from, session: structuredClone(from.session), sent: [] }
    const result = await run(lock(draft))
    keepToRules(draft)
    const { sent, ...conversation } = draft
    conversations.set(draft.record.id, { ...conversation, session: structuredClone(draft.session) })
    for (const one of sent) tables.deliveries.set(one.id, one)
    return result
  }

  function locked<T>(id: string, run: (session: LockedSession) => Promise<T>): Promise<T | undefined> {
    return locks.alone(id, async () => {
      const conversation = conversations.get(id)
      return conversation && transact(conversation, run)
    })
  }

  /** Another open text conversation between the two numbers of this one. */
  function rivalOf(session: SessionRow): SessionRow | undefined {
    if (session.state !== 'active' || !isText(session)) return undefined
    const { id, user_number, agent_number } = session
    return openTexts(tables, user_number, agent_number).find((other) => other.id !== id)
  }
  function keepToRules({ session, sent }: Draft): void {
    if (rivalOf(session))
      throw new RuleBroken(
        'unique',
        `an open conversation of ${session.user_number} and ${session.agent_number}`,
      )
    for (const { id } of sent)
      if (tables.deliveries.has(id)) throw new RuleBroken('unique', `the delivery ${id}`)
  }

  function lock(draft: Draft): LockedSession {
    const row = draft.session
    const insert = (added: readonly StoredEvent[]) => {
      const events = [...draft.events]
      for (const event of added) {
        const { sequence, client_id } = event
        if (events.some((one) => one.sequence === sequence || (client_id && one.client_id === client_id)))
          throw new RuleBroken('unique', `the event ${client_id ?? sequence}`)
        events.push(event)
      }
      draft.events = events.sort((a, b) => a.sequence - b.sequence)
    }
    /** Returns them. */
    const remove = (which: (event: StoredEvent) => boolean): StoredEvent[] => {
      const removed = draft.events.filter(which)
      draft.events = draft.events.filter((event) => !which(event))
      return removed
    }

    return {
      row,
      record: cleanRecorder(createMemoryRecorder(draft), clean),
      handoff: cleanHandoff(createMemoryHandoffWriter(draft), clean),
      deliveries: cleanDeliveries(createMemoryDeliveryWriter(tables, draft), clean),
      async append(events, now) {
        const rows = cleanEvents(events, row.next_sequence, new Date(now), uuid, clean).map((event) => ({
          ...event,
          payload: json(event.payload),
          custom: json(event.custom),
        }))
        insert(rows)
        row.next_sequence += rows.length
        return structuredClone(rows)
      },
      async change(given) {
        const changes = Object.entries(cleanWithAgent(given, 'live_agent', clean)).map(([name, value]) => [
          name,
          stored(value),
        ])
        const changed: SessionRow = { ...row, ...Object.fromEntries(changes) }
        keepToRules({ ...draft, session: changed })
        Object.assign(row, changed)
      },
      findByClientId: async (clientId) =>
        structuredClone(draft.events.find(({ client_id }) => client_id === clean.id(clientId))),
      wasHeard: async (clientId) => {
        const { user_number, agent_number } = row
        const others = some(
          ({ session, events }) =>
            user_number !== '' &&
            session.user_number === user_number &&
            session.agent_number === agent_number &&
            events.some(({ client_id }) => client_id === clean.id(clientId)),
        )
        return others.length > 0 || draft.events.some(({ client_id }) => client_id === clean.id(clientId))
      },
      firstOf: async (types, after) =>
        structuredClone(draft.events.find(({ sequence, type }) => sequence > after && types.includes(type))),
      chunksOf: async (messageId) =>
        structuredClone(
          draft.events.filter(
            ({ type, message_id }) => type === CHUNK && (messageId === undefined || message_id === messageId),
          ),
        ),
      async removeMessage(messageId) {
        const [removed] = remove(({ message_id }) => message_id === messageId)
        return removed && (removed.first_sequence ?? removed.sequence)
      },
      async replaceChunks(messageId, last, whole) {
        const chunks = remove(({ type, message_id }) => type === CHUNK && message_id === messageId)
        insert([
          {
            sequence: last.sequence,
            id: whole.id,
            type: 'EVENT_TYPE_POLY_AGENT_MESSAGE',
            payload: json(clean.deep(whole.payload)),
            custom: null,
            client_id: null,
            message_id: messageId,
            first_sequence: Math.min(last.sequence, ...chunks.map(({ sequence }) => sequence)),
            created_at: new Date(last.created_at),
          },
        ])
      },
    }
  }

  const some = (fits: (conversation: Conversation) => boolean): SessionRow[] =>
    [...conversations.values()].filter(fits).map(({ session }) => session)
  const idsOf = (rows: readonly SessionRow[]) => rows.slice(0, MOST_AT_ONCE).map(({ id }) => id)

  return {
    locked,

    async create(conversation, session, now, first) {
      const begun = newConversation(conversation, session, now)
      const { id, connector_id, user_number, agent_number } = begun.session
      await locks.alone(isText(begun.session) ? `${user_number} ${agent_number}` : id, async () => {
        // One that is just being ended is waited for.
        const rival = rivalOf(begun.session)
        if (rival) await locks.alone(rival.id, async () => {})
        if (conversations.has(id)) throw new RuleBroken('unique', `the conversation ${id}`)
        if (connector_id !== null && !connectors.has(connector_id))
          throw new RuleBroken('missing', `the connector ${connector_id}`)
        keepToRules({ ...begun, sent: [] })
        await transact(begun, first)
      })
    },

    find: async (id) => structuredClone(conversations.get(id)?.session),

    replay: async (id, cursor) =>
      structuredClone(conversations.get(id)?.events.filter(({ sequence }) => sequence > cursor) ?? []),

    async history(id, sequence) {
      const said = conversations
        .get(id)
        ?.events.filter((one) => one.sequence < sequence && SAID.has(one.type))
      return structuredClone(said?.slice(-MOST_HISTORY) ?? [])
    },

    async idleSince(before, which, family, warnedBefore) {
      const idle = some(
        ({ session }) =>
          session.state === 'active' &&
          session.mode === 'agent' &&
          session.active_at <= before &&
          (family === 'chat' ? session.channel === 'WEBCHAT' : isText(session)) &&
          (which === 'all' || !session.warned) &&
          (!warnedBefore ||
            !session.engaged ||
            (session.warned_at !== null && session.warned_at <= warnedBefore)),
      )
      return idsOf(idle.sort((a, b) => compare([a.active_at, b.active_at])))
    },

    orphans: async () =>
      idsOf(some(({ session }) => session.turn_owner !== null && !processes.has(session.turn_owner))),

    unanswered: async () =>
      idsOf(
        some(
          ({ session, events }) =>
            session.state === 'active' &&
            session.turn_owner === null &&
            events.some(({ sequence, type }) => sequence > session.answered && ASKS.has(type)),
        ),
      ),
  }
}

const stored = (value: unknown): unknown => {
  if (value === undefined) return null
  return typeof value === 'object' && value !== null && !(value instanceof Date) ? json(value) : value
}
