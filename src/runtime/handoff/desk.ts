// Lets live agents take conversations from the queue, answer them, transfer them and give them back.

import type { Database } from '../database/index.ts'
import {
  endSession,
  type Hub,
  isActive,
  type LiveAgent,
  type LockedSession,
  liveAgentFields,
  messagePayload,
  messagesBefore,
  type NewEvent,
  type Sessions,
  storeMessage,
  type TransientEvents,
  textMessage,
  type WireEvent,
} from '../sessions/index.ts'
import type { HandoffQueue } from './queue.ts'
import { markTaken, type QueuedRow, queuedHandoffs, requeue } from './store.ts'

/** One conversation in the handoff queue. */
export type DeskEntry = {
  id: string
  channel: string
  queue: string
  state: 'waiting' | 'taken'
  /** ISO 8601. */
  queuedAt: string
  agent: LiveAgent | undefined
  /** The data that the agent stored at the handoff. */
  data: Record<string, unknown>
}

/** One message of a conversation. */
export type DeskLine = { from: 'visitor' | 'agent' | 'live'; text: string; at: string }

/** Each act of a live agent resolves to false if that person does not have the conversation any more. */
export interface Desk {
  /** The waiting and the taken conversations, longest wait first. */
  entries(): Promise<DeskEntry[]>
  /** The messages so far, oldest first. */
  lines(id: string): Promise<DeskLine[]>
  /** Takes a conversation out of the queue. */
  take(id: string, agent: LiveAgent): Promise<boolean>
  /** Shows that the live agent types, or has stopped. */
  type(id: string, agentId: string, typing: boolean): Promise<boolean>
  answer(id: string, agentId: string, text: string): Promise<boolean>
  /** Puts a conversation back into a queue, at its end. */
  transfer(id: string, agentId: string, queue: string): Promise<boolean>
  /** The live agent leaves: the agent answers again, or the conversation ends. */
  leave(id: string, agentId: string, end: boolean): Promise<boolean>
  /** Calls back when something changes in the queue; returns the undo. */
  watch(listener: () => void): () => void
  /** Calls back with each event of one conversation; returns the undo. */
  follow(id: string, listener: (events: readonly WireEvent[]) => void): () => void
}

export type DeskOptions = {
  database: Database
  sessions: Sessions
  transient: TransientEvents
  queue: HandoffQueue
  hub: Hub
}

export function createDesk({ database, sessions, transient, queue, hub }: DeskOptions): Desk {
  /** Runs `act` if this live agent has the conversation; otherwise false. */
  async function asHolder(
    id: string,
    agentId: string,
    act: (locked: LockedSession) => Promise<void>,
  ): Promise<boolean> {
    const done = await sessions.commit(id, async (locked) => {
      const { session } = locked
      if (!isActive(session) || session.mode !== 'desk' || session.liveAgent?.id !== agentId) return false
      await act(locked)
      return true
    })
    return done ?? false
  }

  return {
    entries: async () => (await queuedHandoffs(database)).map(entryOf),

    async lines(id) {
      const messages = await messagesBefore(database, id)
      return messages.map((event) => ({
        from: SPEAKERS[event.type] ?? 'agent',
        text: event.text,
        at: event.created_at.toISOString(),
      }))
    },

    async take(id, agent) {
      const wasTaken = await sessions.commit(id, async (locked) => {
        const { tx, session, log, now } = locked
        if (!isActive(session) || session.mode !== 'queued') return false
        locked.change({ mode: 'desk', liveAgent: agent })
        await markTaken(tx, id, now)
        log.agentLeft(now)
        locked.append({ type: 'EVENT_TYPE_LIVE_AGENT_JOINED', payload: { agent } })
        locked.afterCommit(queue.changed)
        return true
      })
      return wasTaken ?? false
    },

    async type(id, agentId, typing) {
      const session = await sessions.find(id)
      if (session?.mode !== 'desk' || session.liveAgent?.id !== agentId) return false
      const state = typing ? 'TYPING_STATE_STARTED' : 'TYPING_STATE_STOPPED'
      const payload = { state, ...liveAgentFields(session.liveAgent) }
      hub.publish(id, [transient.event('EVENT_TYPE_LIVE_AGENT_TYPING', payload)])
      return true
    },

    answer: (id, agentId, text) =>
      asHolder(id, agentId, async (locked) => {
        const message = textMessage(locked.uuid(), text)
        const event: NewEvent = {
          type: 'EVENT_TYPE_LIVE_AGENT_MESSAGE',
          payload: messagePayload(message, liveAgentFields(locked.session.liveAgent)),
          messageId: message.id,
        }
        await storeMessage(locked, message, event, { agent: false })
      }),

    transfer: (id, agentId, queueName) =>
      asHolder(id, agentId, async (locked) => {
        const left = { ...liveAgentFields(locked.session.liveAgent), reason: 'transfer' }
        locked.change({ mode: 'queued', liveAgent: undefined })
        await requeue(locked.tx, id, locked.redact.text(queueName), locked.now)
        locked.append({ type: 'EVENT_TYPE_LIVE_AGENT_LEFT', payload: left })
        const accepted = queueName ? { queue_name: queueName } : {}
        locked.append({ type: 'EVENT_TYPE_HANDOFF_ACCEPTED', payload: accepted })
        locked.afterCommit(queue.changed)
      }),

    leave: (id, agentId, end) =>
      asHolder(id, agentId, async (locked) => {
        const left: NewEvent = {
          type: 'EVENT_TYPE_LIVE_AGENT_LEFT',
          payload: liveAgentFields(locked.session.liveAgent),
        }
        if (end) return endSession(locked, 'REASON_NATURAL_END', [left])
        locked.change({ mode: 'agent', liveAgent: undefined })
        locked.append(left)
        locked.afterCommit(queue.changed)
      }),

    watch: queue.watch,
    follow: hub.subscribe,
  }
}

const SPEAKERS: Readonly<Record<string, DeskLine['from']>> = {
  EVENT_TYPE_USER_MESSAGE: 'visitor',
  EVENT_TYPE_LIVE_AGENT_MESSAGE: 'live',
}

const entryOf = (row: QueuedRow): DeskEntry => ({
  id: row.conversation_id,
  channel: row.channel,
  queue: row.queue_name,
  state: row.mode === 'desk' ? 'taken' : 'waiting',
  queuedAt: (row.queued_at ?? row.created_at).toISOString(),
  agent: row.live_agent ?? undefined,
  data: row.data,
})
