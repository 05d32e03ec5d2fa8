// Lets live agents take conversations from the queue, answer them, transfer them and give them back.

import type { LogFailure, Meter } from '../../api/index.ts'
import type { Database } from '../database/index.ts'
import {
  endSession,
  type Hub,
  inHandoffQueue,
  isActive,
  type LiveAgent,
  type LockedSession,
  liveAgentFields,
  messagePayload,
  type NewEvent,
  type Session,
  type Sessions,
  storeOutgoingMessage,
  type TransientEvents,
  textMessage,
  type WireEvent,
} from '../sessions/index.ts'
import { type DeskEntry, type DeskLine, entryOf, lineOf } from './desk-view.ts'
import { follow } from './follow.ts'
import { insertNote, linesOf } from './line-store.ts'
import { setWaits } from './live-agent-store.ts'
import type { DeskAgent, LiveAgents } from './live-agents.ts'
import { deskTopic, type HandoffQueue } from './queue.ts'
import { type CannedReply, cannedReplies, deleteReply, saveReply } from './reply-store.ts'
import { markTaken, queuedHandoffs, requeue } from './store.ts'
import type { QueuePresence } from './visitor-presence.ts'

/**
 * The desk of one project. Each action of a live agent resolves to false if that person no longer has the conversation; a conversation of
 * another project counts as unknown.
 */
export interface Desk {
  /** The waiting and the taken conversations, longest wait first. */
  entries(): Promise<DeskEntry[]>
  /** The messages, events and notes so far, oldest first. */
  lines(id: string): Promise<DeskLine[]>
  /**
   * Says that a live agent is at the desk, in whatever tab. Call it at least every 20 s: after 60 s without, the live agent is gone, and what he
   * or she had goes back to the front of its queue. `away`: takes nothing new; default: as before. A desk that never calls it judges nobody.
   */
  beat(agent: LiveAgent, away?: boolean): Promise<void>
  /** The live agents who were ever at this desk, by name. */
  agents(): Promise<DeskAgent[]>
  /** Takes a conversation out of the queue. Rejects with a DeskError if the live agent is away, or has as many as one may have. */
  take(id: string, agent: LiveAgent): Promise<boolean>
  /** Shows that the live agent types, or has stopped. */
  type(id: string, agentId: string, typing: boolean): Promise<boolean>
  answer(id: string, agentId: string, text: string): Promise<boolean>
  /** Writes a note for the other live agents. False: the conversation is not at the desk. */
  note(id: string, agent: LiveAgent, text: string): Promise<boolean>
  /** Puts a conversation back into a queue, at its end. The note is for the next live agent. */
  transfer(id: string, agentId: string, queue: string, note?: string): Promise<boolean>
  /**
   * The live agent leaves: the agent answers again, or the conversation ends and the user is asked to rate it. The agent finds the
   * note in its memory, as `handback`.
   */
  leave(id: string, agentId: string, end: boolean, note?: string): Promise<boolean>
  /** The canned replies of the project's live agents, by name. */
  replies(): Promise<CannedReply[]>
  /** Saves a reply under its name; it replaces an earlier one. False: there are five hundred others. */
  saveReply(reply: CannedReply): Promise<boolean>
  deleteReply(name: string): Promise<void>
  /** Calls back when something changes in the queue; returns the undo. */
  watch(listener: () => void): () => void
  /**
   * Calls back with each event of one conversation, including those that only live agents see (`note`, and `EVENT_TYPE_USER_TYPING` with
   * `typing`). Without events: some of the latter may have been missed. Returns the undo.
   */
  follow(id: string, listener: (events: readonly WireEvent[]) => void): () => void
}

export type DeskOptions = {
  database: Database
  processId: string
  sessions: Sessions
  transient: TransientEvents
  queue: HandoffQueue
  presence: QueuePresence
  liveAgents: LiveAgents
  hub: Hub
  meter: Meter
  logFailure: LogFailure
}

/** Returns the desk of a project. */
export const createDesks =
  (options: DeskOptions) =>
  (projectId: string): Desk =>
    createDesk(options, projectId)

function createDesk(
  {
    database,
    processId,
    sessions,
    transient,
    queue,
    presence,
    liveAgents,
    hub,
    logFailure,
    meter,
  }: DeskOptions,
  projectId: string,
): Desk {
  const addNote = createNotes({ hub, transient })
  const isOwn = ({ conversation }: Readonly<Session>): boolean => conversation.projectId === projectId

  /** Commits an action on one of the project's active conversations. Resolves to false if there is none, or if the action resolves to false. */
  async function commit(id: string, action: (locked: LockedSession) => Promise<boolean>): Promise<boolean> {
    const done = await sessions.commit(id, 'act at the desk', async (locked) => {
      if (!isOwn(locked.session) || !isActive(locked.session)) return false
      return action(locked)
    })
    return done ?? false
  }

  /** Runs `action` if this live agent has the conversation; otherwise false. */
  const asHolder = (id: string, agentId: string, action: (locked: LockedSession) => Promise<void>) =>
    commit(id, async (locked) => {
      const { session } = locked
      if (session.mode !== 'desk' || session.liveAgent?.id !== agentId) return false
      await action(locked)
      return true
    })

  return {
    entries: async () =>
      (await queuedHandoffs(database, processId, projectId)).map((row) => entryOf(row, presence.of(row))),

    lines: async (id) => (await linesOf(database, projectId, id)).flatMap((row) => lineOf(row) ?? []),

    beat: (agent, away) => liveAgents.beat(projectId, agent, away),
    agents: () => liveAgents.list(projectId),

    take: (id, agent) =>
      commit(id, async (locked) => {
        const { tx, session, now } = locked
        if (session.mode === 'queued') await liveAgents.mayTake(locked, agent.id)
        if (!locked.move('taken', agent)) return false
        locked.change({ answered: session.lastInput })
        const wait = await markTaken(tx, id, now)
        if (wait !== undefined) locked.afterCommit(() => meter.time('foyer_queue_wait_seconds', wait))
        locked.log.agentLeft(now)
        locked.append({ type: 'EVENT_TYPE_LIVE_AGENT_JOINED', payload: { agent } })
        queue.changed(locked)
        return true
      }),

    async type(id, agentId, typing) {
      const session = await sessions.find(id)
      if (!session || !isOwn(session)) return false
      if (session.mode !== 'desk' || session.liveAgent?.id !== agentId) return false
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
        await storeOutgoingMessage(locked, message, event, { agent: false })
        await setWaits(locked.tx, id, null)
      }),

    note: (id, agent, text) =>
      commit(id, async (locked) => {
        if (!inHandoffQueue(locked.session)) return false
        await addNote(locked, agent, text)
        return true
      }),

    transfer: (id, agentId, queueName, note) =>
      asHolder(id, agentId, async (locked) => {
        const agent = locked.session.liveAgent
        const leftPayload = { ...liveAgentFields(agent), reason: 'transfer' }
        if (agent && note) await addNote(locked, agent, note)
        locked.move('transferred')
        await requeue(locked.tx, id, locked.redact.text(queueName), locked.now)
        locked.append({ type: 'EVENT_TYPE_LIVE_AGENT_LEFT', payload: leftPayload })
        queue.waitsAgain(locked, queueName)
      }),

    leave: (id, agentId, end, note) =>
      asHolder(id, agentId, async (locked) => {
        const agent = locked.session.liveAgent
        const leftEvent: NewEvent = { type: 'EVENT_TYPE_LIVE_AGENT_LEFT', payload: liveAgentFields(agent) }
        if (agent && note) await addNote(locked, agent, note)
        if (end)
          return endSession(
            locked,
            'REASON_NATURAL_END',
            canRate(locked) ? [leftEvent, ASK_RATING] : [leftEvent],
          )
        // Replaces the handback note of an earlier live agent.
        await locked.log.state({ handback: note ? { agent: agent?.name ?? '', note } : null })
        locked.move('given-back')
        locked.append(leftEvent)
        queue.changed(locked)
      }),

    replies: () => cannedReplies(database, projectId),
    saveReply: (reply) => saveReply(database, projectId, reply),
    deleteReply: (name) => deleteReply(database, projectId, name),

    watch: (listener) => queue.watch(projectId, listener),
    follow: (id, listener) =>
      follow({ hub, sessions, id, topics: [id, deskTopic(id)], isOwn, listener, logFailure }),
  }
}

/** Returns what stores a note, and tells those who follow the conversation. */
const createNotes =
  ({ hub, transient }: Pick<DeskOptions, 'hub' | 'transient'>) =>
  async (locked: LockedSession, agent: LiveAgent, text: string): Promise<void> => {
    const { tx, session, redact, now } = locked
    const words = redact.text(text)
    const by = { id: redact.id(agent.id), name: redact.text(agent.name) }
    await insertNote(tx, { id: locked.uuid(), conversationId: session.id, agent: by, words, at: now })
    locked.afterCommit(() => hub.publish(deskTopic(session.id), [transient.event('note', {})]))
  }

const ASK_RATING: NewEvent = { type: 'EVENT_TYPE_SHOW_CSAT_REQUEST', payload: {} }
/** Whether the user can rate the conversation: only in a chat. */
const canRate = ({ session }: LockedSession): boolean => session.family === 'chat'
