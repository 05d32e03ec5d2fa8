// The rules of a session: what each event of a client or an agent does, when a session ends. Every change is
// one transaction on the session's locked row; what it stored is published once it is committed, never before.

import {
  type ClientEvent,
  type Custom,
  DEFAULT_SESSION_IDLE_SECONDS,
  idleWarningLead,
  idOf,
  MAX_MESSAGE_BYTES,
  type Platform,
} from '../../protocol/index.ts'
import type { Clock } from '../clock.ts'
import type {
  Channel,
  Connector,
  LockedSession,
  NewEvent,
  Project,
  Registry,
  SessionRow,
  Sessions,
  StoredEvent,
} from '../store-index.ts'
import type { Hub, WireEvent } from './hub.ts'

/** How long a session that is over still answers with its replay. */
const GRACE_MS = 600_000

export type ConversationSettings = {
  sessionIdleSeconds: number
  heartbeatSeconds: number
  /** Text conversations: rest until the user is warned, and from the warning on until the end. */
  textIdleSeconds: number
  textGraceSeconds: number
}

export const DEFAULT_SETTINGS: ConversationSettings = {
  sessionIdleSeconds: DEFAULT_SESSION_IDLE_SECONDS,
  heartbeatSeconds: 30,
  textIdleSeconds: 86_400,
  textGraceSeconds: 600,
}

export type Conversations = ReturnType<typeof createConversations>

export type ConversationOptions = {
  sessions: Sessions
  registry: Registry
  hub: Hub
  clock: Clock
  uuid: () => string
  settings: ConversationSettings
  /** Tells the user of a text conversation, within its transaction, that it will end. */
  warnByText(session: LockedSession): Promise<void>
  /** Called after a session left the desk's queue, or came into it. */
  queueChanged(): void
  log: (line: string) => void
  /** Called after a message or a join was stored: somebody may have to answer. */
  wake(sessionId: string): void
}

export const END_OF_ABANDONED = 'REASON_USER_ABANDONED'

export function wireEvent(event: StoredEvent): WireEvent {
  return {
    id: event.id,
    type: event.type,
    sequence: event.sequence,
    timestamp: new Date(event.created_at).toISOString(),
    payload: event.payload,
    ...(event.custom && { metadata: { custom: event.custom } }),
    ...(event.first_sequence !== null && { first_sequence: event.first_sequence }),
  }
}

export function createConversations(options: ConversationOptions) {
  const { sessions, hub, clock, uuid, settings } = options
  /** How long a session may rest until it is warned, and until it ends. A call ends with the call. */
  const chat = settings.sessionIdleSeconds * 1000
  const grace = settings.textGraceSeconds * 1000
  const rest: Readonly<Record<'chat' | 'text', { warn: number; end: number }>> = {
    chat: { warn: chat - idleWarningLead(settings.sessionIdleSeconds) * 1000, end: chat },
    text: {
      warn: settings.textIdleSeconds * 1000,
      end: settings.textIdleSeconds * 1000 + grace,
    },
  }
  const date = () => new Date(clock.now())

  /** An event that is not stored: typing, heartbeats, errors. */
  function transient(type: string, payload: Record<string, unknown>, custom?: Custom): WireEvent {
    return {
      id: uuid(),
      type,
      sequence: null,
      timestamp: date().toISOString(),
      payload,
      ...(custom && { metadata: { custom: { ...custom } } }),
    }
  }
  const errorOf = (message: string, custom?: Custom) =>
    transient('EVENT_TYPE_SYSTEM_MESSAGE', { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message }, custom)

  /** Sessions that ended while they waited at the desk, in a transaction that is not committed yet. */
  const leftQueue = new Set<string>()

  /** Runs `change` under the session's lock, then publishes what it stored. Undefined: no such session. */
  async function commit<T>(
    sessionId: string,
    change: (session: LockedSession, store: (events: NewEvent[]) => Promise<StoredEvent[]>) => Promise<T>,
  ): Promise<T | undefined> {
    const stored: StoredEvent[] = []
    const result = await sessions.locked(sessionId, (session) =>
      change(session, async (events) => {
        const added = await session.append(events, date())
        stored.push(...added)
        return added
      }),
    )
    if (stored.length > 0) hub.publish(sessionId, stored.map(wireEvent))
    if (leftQueue.delete(sessionId)) options.queueChanged()
    return result
  }

  const active = (): Partial<SessionRow> => ({ active_at: date(), warned: false, warned_at: null })

  async function finish(
    session: LockedSession,
    store: (events: NewEvent[]) => Promise<StoredEvent[]>,
    state: 'expired' | 'ended',
    reason: string,
    before: NewEvent[] = [],
  ): Promise<void> {
    if (atDesk(session.row)) {
      await session.handoff.change({ state: 'done' })
      leftQueue.add(session.row.id)
    }
    await session.record.end(date())
    await session.change({ state, over_at: date(), mode: 'agent', attributes: {} })
    await store([...before, { type: 'EVENT_TYPE_SESSION_END', payload: { reason } }])
  }

  /** Who has answered a text is warned first, and has the whole time from then on. */
  function isOver(row: Readonly<SessionRow>): boolean {
    if (row.channel === 'WEBCHAT') return restedFor(row, rest.chat.end)
    const warned = row.warned_at?.getTime() ?? Number.POSITIVE_INFINITY
    return restedFor(row, rest.text.end) && (!row.engaged || clock.now() - warned >= grace)
  }

  const restedFor = (row: Readonly<SessionRow>, ms: number) =>
    row.state === 'active' && row.mode === 'agent' && clock.now() - row.active_at.getTime() >= ms

  /** Stores what a user said. Nobody is woken yet. */
  async function hear(
    session: LockedSession,
    store: (events: NewEvent[]) => Promise<StoredEvent[]>,
    { text, custom, clientId, spoken, dtmf, silence }: Heard,
  ): Promise<StoredEvent | undefined> {
    await session.change({ ...active(), engaged: true })
    const payload = { text, message_id: uuid() }
    const [event] = await store([
      { type: 'EVENT_TYPE_USER_MESSAGE', payload, custom, clientId, messageId: payload.message_id },
    ])
    if (event)
      await session.record.beginTurn({
        cause: event.sequence,
        input: spoken ?? String(event.payload.text ?? ''),
        at: date(),
        ...(dtmf !== undefined && { dtmf }),
        ...(silence && { silence }),
      })
    return event
  }

  /** What belongs to a new conversation: whose it is, and which variant answers in it. */
  async function belonging(
    id: string,
    connector: Pick<Connector, 'account_id' | 'project_id' | 'environment'>,
  ) {
    const project = await options.registry.projectOf(connector.project_id)
    return {
      id,
      accountId: connector.account_id,
      projectId: connector.project_id,
      environment: connector.environment,
      variant: variantFor(id, project),
    }
  }

  /** Opens a conversation by phone, in text or voice. Without a connector: somebody wrote who was not written to. */
  async function open(
    connector: Pick<Connector, 'account_id' | 'project_id' | 'environment'> & { id: string | null },
    channel: Channel,
    { userNumber, agentNumber, rcsSender = '' }: Numbers,
    first: (session: LockedSession) => Promise<unknown>,
  ): Promise<string> {
    const id = uuid()
    const conversation = {
      ...(await belonging(id, connector)),
      channel,
      fromNumber: userNumber,
      toNumber: agentNumber,
    }
    const session = {
      connector_id: connector.id,
      token_id: '',
      platform: 'custom' as const,
      streaming: false,
      user_number: userNumber,
      agent_number: agentNumber,
      rcs_sender: rcsSender,
    }
    await sessions.create(conversation, session, date(), first)
    return id
  }

  /** Ends a session that has said all there was to say; one that is over stays as it is. */
  async function end(id: string): Promise<void> {
    await commit(id, async (session, store) => {
      if (session.row.state === 'active') await finish(session, store, 'ended', 'REASON_NATURAL_END')
    })
  }

  async function warn(id: string, family: 'chat' | 'text'): Promise<void> {
    const row = await commit(id, async (session) => {
      const due = restedFor(session.row, rest[family].warn) && !session.row.warned
      if (!due) return undefined
      // Who never answered a text is not written to again.
      if (family === 'text' && session.row.engaged) await options.warnByText(session)
      await session.change({ warned: true, warned_at: date() })
      return session.row
    })
    if (row && family === 'chat') hub.publish(id, [transient('EVENT_TYPE_SESSION_IDLE_WARNING', {})])
  }

  /** What fails for one session holds up no other. */
  const attempt = (id: string, task: () => Promise<unknown>) =>
    task().catch((error: Error) => options.log(`the session ${id} could not be swept: ${error.message}`))

  return {
    transient,
    errorOf,
    commit,
    /** The same lock, for changes whose publication is the caller's. */
    locked: sessions.locked,
    active,
    finish,
    end,
    hear,
    open,

    /** A new chat. */
    async start(
      connector: Connector,
      tokenId: string,
      platform: Platform,
      streaming: boolean,
    ): Promise<string> {
      const id = uuid()
      const capabilities = {
        streaming,
        max_message_size_bytes: MAX_MESSAGE_BYTES,
        max_reconnect_attempts: 0,
        heartbeat_interval_seconds: settings.heartbeatSeconds,
        session_idle_seconds: settings.sessionIdleSeconds,
        csat: false,
      }
      const first: NewEvent = { type: 'EVENT_TYPE_SESSION_START', payload: { capabilities } }
      const conversation = { ...(await belonging(id, connector)), channel: 'WEBCHAT' as Channel }
      const session = { connector_id: connector.id, token_id: tokenId, platform, streaming }
      await sessions.create(conversation, session, date(), (locked) => locked.append([first], date()))
      return id
    },

    /** The session as a socket may use it; undefined where it is unknown, or over for longer than its grace. */
    async find(sessionId: string): Promise<SessionRow | undefined> {
      const row = await sessions.find(sessionId)
      if (!row?.over_at) return row
      return clock.now() - row.over_at.getTime() < GRACE_MS ? row : undefined
    },

    /** A page of the events after a sequence, oldest first; `more` where others follow. */
    async replay(sessionId: string, after: number): Promise<{ events: WireEvent[]; more: boolean }> {
      const { events, more } = await sessions.replay(sessionId, after)
      return { events: events.map(wireEvent), more }
    },

    /** Whether the visitor is warned that the session ends soon. */
    warning: (row: SessionRow): WireEvent | undefined =>
      row.warned && row.state === 'active' ? transient('EVENT_TYPE_SESSION_IDLE_WARNING', {}) : undefined,

    /** Takes in what a client sent. Returns what only the sender is answered; the rest goes through the hub. */
    async receive(sessionId: string, event: ClientEvent): Promise<WireEvent[]> {
      const custom = event.metadata?.custom
      if (event.type === 'EVENT_TYPE_HEARTBEAT') return [transient(event.type, {}, custom)]
      let wake = false
      const answers = await commit(sessionId, async (session, store): Promise<WireEvent[]> => {
        const { row } = session
        if (row.state !== 'active') return [errorOf('Error: The session has ended', custom)]
        switch (event.type) {
          case 'EVENT_TYPE_REQUEST_POLY_AGENT_JOIN': {
            if (row.joined) return [transient(event.type, {}, custom)]
            await session.change({ ...active(), joined: true })
            await store([{ type: event.type, payload: {}, custom }])
            wake = true
            return []
          }
          case 'EVENT_TYPE_USER_MESSAGE': {
            const clientId = idOf(custom)
            const first = clientId === undefined ? undefined : await session.findByClientId(clientId)
            if (first) return [wireEvent(first)]
            await hear(session, store, { text: event.payload.text, custom, clientId })
            wake = true
            return []
          }
          case 'EVENT_TYPE_USER_TYPING':
            await session.change(active())
            return []
          case 'EVENT_TYPE_USER_END_SESSION':
            await finish(session, store, 'ended', 'REASON_USER_END', [
              { type: event.type, payload: {}, custom },
            ])
            return []
          case 'EVENT_TYPE_CSAT_RESPONSE':
            return [errorOf(`Event type not allowed: ${event.type}`, custom)]
        }
      })
      if (wake) options.wake(sessionId)
      return answers ?? [errorOf('Error: Session not found', custom)]
    },

    /** Ends a session that rested too long, or any that is active where `now` is set. True where it did. */
    async expire(sessionId: string, now = false): Promise<boolean> {
      const done = await commit(sessionId, async (session, store) => {
        const { row } = session
        if (row.state !== 'active' || !(now || isOver(row))) return false
        await finish(session, store, 'expired', END_OF_ABANDONED)
        return true
      })
      return done ?? false
    },

    /** Warns and ends the sessions in which nothing happens. */
    async sweep(): Promise<void> {
      for (const family of ['chat', 'text'] as const) {
        const before = (ms: number) => new Date(clock.now() - ms)
        const warnedBefore = family === 'text' ? before(grace) : undefined
        const over = await sessions.idleSince(before(rest[family].end), 'all', family, warnedBefore)
        for (const id of over) await attempt(id, () => this.expire(id))
        const resting = await sessions.idleSince(before(rest[family].warn), 'unwarned', family)
        for (const id of resting) await attempt(id, () => warn(id, family))
      }
    },
  }
}

type Numbers = { userNumber: string; agentNumber: string; rcsSender?: string }

export type Heard = {
  text: string
  custom?: Custom | undefined
  clientId?: string | undefined
  /** By voice: the words alone, where `text` may be keyed digits. */
  spoken?: string | undefined
  dtmf?: string | undefined
  silence?: boolean | undefined
}

/** True where people at the desk have the conversation, or will have it. */
export const atDesk = (row: Pick<SessionRow, 'mode'>): boolean => row.mode === 'queued' || row.mode === 'desk'

/** The same for a conversation whenever it is asked, and evenly spread over conversations. */
function variantFor(id: string, project: Project | undefined): { id: string; name: string } | undefined {
  const variants = project?.settings.variants ?? []
  const number = Number.parseInt(id.replaceAll('-', '').slice(-8), 16)
  return variants[(Number.isNaN(number) ? 0 : number) % Math.max(1, variants.length)]
}
