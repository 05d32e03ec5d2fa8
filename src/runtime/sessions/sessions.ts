// Opens sessions, and runs each change in a transaction. Events are sent after the commit, never before.

import { MAX_MESSAGE_BYTES, type Platform } from '../../protocol/index.ts'
import { type Connector, projectOf } from '../accounts/index.ts'
import { type Channel, insertConversation, type NewConversation, variantFor } from '../conversations/index.ts'
import type { Transaction } from '../database/index.ts'
import { endSession } from './end.ts'
import type { WireEvent } from './hub.ts'
import type { LockedSession } from './locked-session.ts'
import { eventsAfter, findByClientId, messagesBefore, type SaidMessage } from './state/event-store.ts'
import { isActive, type Page, type Session, type StoredEvent } from './state/session.ts'
import { findSession, insertSession, lockSession, type NewSession } from './state/session-store.ts'
import { createTransact, type TransactOptions } from './transact.ts'
import { wireEvent } from './wire-event.ts'

/** How long a session that has ended still answers with its replay. */
const GRACE_MS = 600_000

/** The owner of a new conversation. */
export type Owner = Pick<Connector, 'account_id' | 'project_id' | 'environment'>

/** The stored messages of a session, and the event that is stored under the same client's id. */
export type BeforeMessage = { known: StoredEvent | undefined; messages: readonly SaidMessage[] }

/** A conversation by phone as it begins. */
export type PhoneOpening = {
  owner: Owner
  /** Undefined: a phone wrote first. */
  connectorId: string | undefined
  channel: Exclude<Channel, 'WEBCHAT'>
  userNumber: string
  agentNumber: string
  rcsSender?: string
}

export type ChatOpening = {
  tokenId: string
  platform: Platform
  streaming: boolean
  /** The language that the page asks for. Undefined: that of the project. */
  language: string | undefined
  /** Where the visitor opened the chat. Undefined: the client does not say. */
  page?: Page | undefined
}

export interface Sessions {
  /** Runs `change` under the session's lock. `purpose`: for traces. Resolves to undefined if there is no such session. */
  commit<T>(
    sessionId: string,
    purpose: string,
    change: (locked: LockedSession) => Promise<T>,
  ): Promise<T | undefined>
  /** `commit` for a client's message: reads what `change` needs in the pipeline of the lock. */
  commitMessage<T>(
    sessionId: string,
    clientId: string | undefined,
    change: (locked: LockedSession, before: BeforeMessage) => Promise<T>,
  ): Promise<T | undefined>
  /** Opens a chat. Returns its session's id. */
  openChat(connector: Connector, opening: ChatOpening): Promise<string>
  /** Opens a conversation by phone; `first` runs in the same transaction. Returns its session's id. */
  openByPhone(opening: PhoneOpening, first: (locked: LockedSession) => Promise<unknown>): Promise<string>
  /** Undefined if the session is unknown, or ended longer ago than its grace. */
  find(sessionId: string): Promise<Session | undefined>
  /** A page of the events after a sequence, oldest first; `more` if others follow. */
  replay(sessionId: string, after: number): Promise<{ events: WireEvent[]; more: boolean }>
  /** Ends a session with its natural end. Does nothing if it has ended already. */
  end(sessionId: string): Promise<void>
}

export type SessionsOptions = TransactOptions & {
  /** Sent to chat clients. */
  capabilities: { heartbeatSeconds: number; sessionIdleSeconds: number }
}

export function createSessions(options: SessionsOptions): Sessions {
  const { database, redact, clock, uuid, capabilities } = options
  const transact = createTransact(options)
  const inOrder = createOrder()

  const commit: Sessions['commit'] = (sessionId, purpose, change) =>
    inOrder(sessionId, () => transact(sessionId, purpose, (tx) => lockSession(tx, sessionId), change))

  const commitMessage: Sessions['commitMessage'] = (sessionId, clientId, change) => {
    const before: { known?: StoredEvent | undefined; messages: SaidMessage[] } = { messages: [] }
    async function lock(tx: Transaction): Promise<Session | undefined> {
      // Each statement sees what was committed before it. The last two run after the lock, so they see the latest events.
      const [session, known, messages] = await Promise.all([
        lockSession(tx, sessionId),
        clientId === undefined ? undefined : findByClientId(tx, sessionId, redact.id(clientId)),
        messagesBefore(tx, sessionId),
      ])
      Object.assign(before, { known, messages })
      return session
    }
    return inOrder(sessionId, () =>
      transact(sessionId, 'store a message', lock, (locked) =>
        change(locked, { known: before.known, messages: before.messages }),
      ),
    )
  }

  async function open(
    owner: Owner,
    conversation: Pick<NewConversation, 'channel' | 'fromNumber' | 'toNumber' | 'rcsSender' | 'language'>,
    session: NewSession,
    first: (locked: LockedSession) => Promise<unknown>,
  ): Promise<string> {
    const { id } = session
    const project = await projectOf(database, owner.project_id)
    const opened: NewConversation = {
      id,
      accountId: owner.account_id,
      projectId: owner.project_id,
      environment: owner.environment,
      variant: variantFor(id, project),
      ...conversation,
      language: conversation.language ?? project?.settings.language,
    }
    async function insert(tx: Transaction): Promise<Session | undefined> {
      await insertConversation(tx, opened, new Date(clock.now()))
      await insertSession(tx, session)
      return lockSession(tx, id)
    }
    await transact(id, 'open a session', insert, first)
    return id
  }

  return {
    commit,
    commitMessage,

    openChat(connector, { language, ...opening }) {
      const { streaming } = opening
      const payload = {
        capabilities: {
          streaming,
          max_message_size_bytes: MAX_MESSAGE_BYTES,
          max_reconnect_attempts: 0,
          heartbeat_interval_seconds: capabilities.heartbeatSeconds,
          session_idle_seconds: capabilities.sessionIdleSeconds,
          csat: true,
          stop: true,
          feedback: true,
          leave_queue: true,
          confirm: true,
          session_status: true,
        },
      }
      const session = { family: 'chat' as const, id: uuid(), connectorId: connector.id, ...opening }
      return open(connector, { channel: 'WEBCHAT', language }, session, async (locked) => {
        locked.append({ type: 'EVENT_TYPE_SESSION_START', payload })
      })
    },

    openByPhone({ owner, connectorId, channel, userNumber, agentNumber, rcsSender = '' }, first) {
      const id = uuid()
      const session: NewSession =
        channel === 'VOICE-SIP'
          ? { family: 'voice', id, connectorId: connectorId ?? '' }
          : { family: 'messaging', id, connectorId }
      const numbers = { fromNumber: userNumber, toNumber: agentNumber, rcsSender }
      return open(owner, { channel, ...numbers }, session, first)
    },

    async find(sessionId) {
      const session = await findSession(database, sessionId)
      const endedAt = session?.conversation.endedAt
      return endedAt === undefined || clock.now() - endedAt.getTime() < GRACE_MS ? session : undefined
    },

    async replay(sessionId, after) {
      const page = await eventsAfter(database, sessionId, after)
      return { events: page.events.map(wireEvent), more: page.more }
    },

    async end(sessionId) {
      await commit(sessionId, 'end a session', async (locked) => {
        if (isActive(locked.session)) await endSession(locked, 'REASON_NATURAL_END')
      })
    },
  }
}

/**
 * Runs the transactions of one session one after another. The lock alone is not enough: PostgreSQL releases
 * it before its answer arrives, so two answers can arrive in the wrong order, and the events would be sent in that order.
 */
function createOrder() {
  const lastTransaction = new Map<string, Promise<void>>()
  return async function inOrder<T>(sessionId: string, run: () => Promise<T>): Promise<T> {
    const running = (lastTransaction.get(sessionId) ?? Promise.resolve()).then(run)
    const settled = running
      .then(
        () => {},
        () => {},
      )
      .then(() => {
        if (lastTransaction.get(sessionId) === settled) lastTransaction.delete(sessionId)
      })
    lastTransaction.set(sessionId, settled)
    return running
  }
}
