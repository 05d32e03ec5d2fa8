// The chat host and the BFF as one small real machine that keeps sections 3 and 4 of the protocol, with what real
// services get wrong to turn on. It knows no socket and no page: `network.ts` carries frames and requests to it.

import { MAX_MESSAGE_BYTES } from '../../src/protocol/index.ts'
import type { Time } from './time.ts'

export type Frame = {
  type: string
  payload: Record<string, unknown>
  id?: string
  sequence?: number | null
  timestamp?: string
  metadata?: { custom: Record<string, string> }
  first_sequence?: number
}
type Stored = Frame & { id: string; sequence: number }

export type Session = {
  readonly id: string
  readonly token: string
  readonly madeAt: number
  readonly events: Stored[]
  readonly connections: Set<Connection>
  state: 'active' | 'expired' | 'ended'
  /** Ended or expired at; such a session takes sockets for 10 minutes more. */
  overAt: number
  /** The service has lost it. */
  forgotten: boolean
  /** The service has said that it does not know it, or nobody holds its token any more. */
  disowned?: boolean
  /** When the service, or what stands before it, last treated the session as if there were none. */
  mistreatedAt?: number
  /** No socket stayed open for long enough when a page asked how it ended, which a page does three times. */
  unasked?: boolean
  joined: boolean
  handoff: boolean
  /** The question that waits for a decision, by its message. */
  question?: string | undefined
  activeAt: number
  /** When an event of it last happened: what was typed since then no replay tells. */
  eventAt: number
  /** When a client last said anything, heartbeats too. */
  heardAt: number
  warned: boolean
}

/** One end of a socket, as the service sees it. */
export type Connection = {
  readonly session: Session
  /** `live`: an event as it happens, which a broken hub may lose or reorder; a batch and an answer never. */
  send(frame: Frame, live: boolean): void
  close(code: number): void
}

/** The client's end of a socket. */
export type End = {
  /** A frame of the client has arrived. */
  take(text: string): void
  leave(): void
}

/** What kind of service it is. Fixed for a run. */
export type Profile = {
  /** A second copy of a message's id echoes the first, and a second decision too: such a service takes decisions. */
  readonly dedupe: boolean
  /** Whether echoes carry the sender's metadata. */
  readonly metadata: boolean
  /** Undefined: the service does not say, and a session lives as long as heartbeats come. */
  readonly idleSeconds: number | undefined
  readonly heartbeatSeconds: number
  /** Whether the service tells over HTTP how a session stands. */
  readonly hasStatus?: boolean | undefined
  readonly streaming: boolean
  /** A replay gives a finished answer as one message, or as its chunks. */
  readonly wholeReplay: boolean
  /** Most events in one batch, and how long the service takes until it sends the first, and between two. */
  readonly batch: number
  readonly batchDelay: number
  /** Heartbeats are answered before the replay is written. */
  readonly hasty: boolean
  readonly firstIndex: 0 | 1
  /** Chunks carry their message's id. */
  readonly named: boolean
  /** A frame of the BFF's own origin, which gets its cookie back, or keeps a sealed text in its place. Undefined: the page itself. */
  readonly frame?: 'cookie' | 'text' | undefined
  /** The agent's chunks may be published in another order than they were made. */
  readonly shuffled: boolean
}

/** What becomes of the next message of the visitor. */
export type Mishap =
  | { kind: 'ignored' }
  | { kind: 'unechoed' }
  | { kind: 'late-echo'; ms: number }
  | { kind: 'late-store'; ms: number }
  | { kind: 'high-load' }
  | { kind: 'high-load-after' }
  | { kind: 'forward-failed' }
  | { kind: 'rejected' }

export type Hostility =
  | 'deaf'
  | 'session-not-found'
  | 'conversation-not-found'
  | 'unknown-session'
  | 'flap'
  | 'high-load'

const OVER_FOR = 600_000
const TOKEN_LIFE = 86_400_000
/** A handshake beyond so many sockets of a session is answered with 429. */
export const MOST_SOCKETS = 10
/** Another client has taken the place of this one. */

/** A type that a newer service may send. */
export const UNKNOWN = 'EVENT_TYPE_FROM_NEXT_YEAR'

export function createService(time: Time, profile: Profile, random: () => number) {
  const sessions = new Map<string, Session>()
  const tokens = new Map<string, number>()
  const mishaps: Mishap[] = []
  /** How often each message came, by session and id. */
  const received = new Map<string, number>()
  /** The ids that senders gave their messages, by the event, whatever the echoes tell; and of those, the ones stored long after they came. */
  const senders = new Map<string, string>()
  const late = new Set<string>()
  /** Messages that were stored and called refused in the same breath. */
  const denied = new Set<string>()
  let counter = 0
  let hostility: { kind: Hostility; until: number } | undefined

  const hostile = (kind: Hostility) => hostility?.kind === kind && hostility.until > time.now()
  const custom = (frame: Frame) => (profile.metadata ? frame.metadata : undefined)
  const active = (session: Session) => {
    session.activeAt = time.now()
    session.warned = false
  }
  /** True once a session is over for so long that nobody may connect to it any more. */
  const gone = (session: Session) =>
    session.forgotten || (session.state !== 'active' && time.now() - session.overAt > OVER_FOR)

  function publish(session: Session, type: string, payload: object = {}, more: Partial<Frame> = {}): Stored {
    const event = {
      type,
      payload: payload as Record<string, unknown>,
      ...more,
      id: `event-${++counter}`,
      sequence: (session.events.at(-1)?.sequence ?? 0) + 1,
      timestamp: new Date(time.date()).toISOString(),
    }
    session.events.push(event)
    // Nobody did anything that a client of today could know of.
    if (type !== UNKNOWN) {
      active(session)
      session.eventAt = session.activeAt
    }
    for (const connection of session.connections) connection.send(event, true)
    return event
  }

  function transient(session: Session, type: string, payload: Record<string, unknown> = {}): void {
    const timestamp = new Date(time.date()).toISOString()
    const frame = { type, payload, id: `event-${++counter}`, sequence: null, timestamp }
    for (const connection of session.connections) connection.send(frame, true)
  }

  const system = (connection: Connection, message: string, about?: Frame) =>
    connection.send(
      {
        type: 'EVENT_TYPE_SYSTEM_MESSAGE',
        payload: { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message },
        id: `event-${++counter}`,
        sequence: null,
        timestamp: new Date(time.date()).toISOString(),
        ...(about && profile.metadata && about.metadata && { metadata: about.metadata }),
      },
      false,
    )

  /** From here on a page has reason to go on without the session, for a while. */
  function mistreat(session: Session): void {
    session.mistreatedAt = time.now()
  }
  function disown(session: Session): void {
    session.disowned = true
    mistreat(session)
  }

  // --- sessions ---

  function issue(): string {
    const token = `token-${++counter}`
    tokens.set(token, time.now() + TOKEN_LIFE)
    return token
  }
  const valid = (token: string) => (tokens.get(token) ?? 0) > time.now()

  function create(token: string): Session {
    const session: Session = {
      id: `session-${++counter}`,
      token,
      madeAt: time.now(),
      events: [],
      connections: new Set(),
      state: 'active',
      overAt: 0,
      forgotten: false,
      joined: false,
      handoff: false,
      activeAt: time.now(),
      eventAt: time.now(),
      heardAt: time.now(),
      warned: false,
    }
    sessions.set(session.id, session)
    publish(session, 'EVENT_TYPE_SESSION_START', {
      capabilities: {
        streaming: profile.streaming,
        max_message_size_bytes: MAX_MESSAGE_BYTES,
        max_reconnect_attempts: 0,
        heartbeat_interval_seconds: profile.heartbeatSeconds,
        ...(profile.idleSeconds !== undefined && { session_idle_seconds: profile.idleSeconds }),
        ...(profile.hasStatus && { session_status: true }),
        ...(profile.dedupe && { confirm: true }),
      },
    })
    watch(session)
    return session
  }

  /** Inactivity, by the rule of the profile: looked at when it may be due. */
  function watch(session: Session): void {
    if (session.state !== 'active' || session.forgotten) return
    const idle = (profile.idleSeconds ?? 600) * 1_000
    const since = profile.idleSeconds === undefined ? session.heardAt : session.activeAt
    const kept = session.handoff && session.connections.size > 0
    const end = (session.handoff ? Math.max(since, session.heardAt) : since) + idle
    if (time.now() >= end && !kept) return over(session, 'REASON_USER_ABANDONED')
    const warnAt = end - Math.min(60_000, idle / 10)
    if (profile.idleSeconds !== undefined && time.now() >= warnAt && !session.warned && !session.handoff) {
      session.warned = true
      transient(session, 'EVENT_TYPE_SESSION_IDLE_WARNING')
    }
    const next = session.warned || time.now() >= warnAt ? end : warnAt
    time.after(Math.max(1, kept ? 60_000 : next - time.now()), () => watch(session))
  }

  function over(session: Session, reason: string): void {
    if (session.state !== 'active') return
    cancel(session)
    session.state = reason === 'REASON_USER_ABANDONED' ? 'expired' : 'ended'
    session.overAt = time.now()
    session.unasked = hostile('flap')
    publish(session, 'EVENT_TYPE_SESSION_END', { reason })
    for (const connection of [...session.connections]) connection.close(1000)
  }

  // --- sockets ---

  /** The status of a handshake: 101, or why it is refused. */
  function handshake(sessionId: string, token: string): number {
    const session = sessions.get(sessionId)
    if (!sessionId || !token) return 400
    if (!valid(token)) return 401
    if (!session || gone(session)) return 404
    if (session.token !== token) return 401
    return session.connections.size >= MOST_SOCKETS ? 429 : 101
  }

  /** How a session stands, as a handshake would find it. */
  function stateOf(sessionId: string, token: string): Session['state'] | 'unknown' {
    const session = sessions.get(sessionId)
    return session && session.token === token && !gone(session) ? session.state : 'unknown'
  }

  /** What a replay after `cursor` holds. */
  function history(session: Session, cursor: number): Frame[] {
    const highest = session.events.at(-1)?.sequence ?? 0
    const after = cursor > highest ? 0 : cursor
    const newer = session.events.filter((event) => event.sequence > after)
    if (!profile.wholeReplay) return newer
    const whole: Frame[] = []
    for (const event of newer) {
      const id = event.payload.message_id
      if (event.type !== CHUNK || typeof id !== 'string') {
        whole.push(event)
        continue
      }
      const chunks = session.events.filter((each) => each.type === CHUNK && each.payload.message_id === id)
      const last = chunks.at(-1)
      if (!chunks.some((each) => each.payload.is_complete === true)) whole.push(event)
      else if (event === last) whole.push(wholeOf(chunks, event))
    }
    return whole
  }

  /** Takes a socket in: the replay, then what happens. Frames of the client wait behind the replay. */
  function accept(connection: Connection, cursor: number) {
    const { session } = connection
    const waiting: string[] = []
    let replayed = false
    let left = false
    const held: [Frame, boolean][] = []
    const inner: Connection = {
      session,
      send: (frame, live) => {
        if (left) return
        if (replayed || (profile.hasty && frame.type === HEARTBEAT)) connection.send(frame, live)
        else held.push([frame, live])
      },
      close: (code) => {
        leave()
        connection.close(code)
      },
    }
    const leave = () => {
      left = true
      session.connections.delete(inner)
    }
    session.connections.add(inner)
    session.heardAt = time.now()
    if (hostile('flap')) mistreat(session)
    if (hostile('unknown-session')) {
      disown(session)
      time.after(1, () => inner.close(4001))
    }
    if (hostile('flap')) time.after(200, () => inner.close(1006))

    time.after(profile.batchDelay, () => {
      if (left) return
      const events = history(session, cursor)
      const highest = session.events.at(-1)?.sequence ?? 0
      const batches: Frame[][] = []
      for (let at = 0; at < events.length; at += profile.batch)
        batches.push(events.slice(at, at + profile.batch))
      if (batches.length === 0) batches.push([])
      const next = () => {
        if (left) return
        const batch = batches.shift()
        if (batch) {
          // Whoever reads a batch sorts it.
          const events = profile.shuffled ? batch.toReversed() : batch
          connection.send({ type: 'EVENT_TYPE_EVENT_BATCH', payload: { events } }, false)
          time.after(batches.length > 0 ? Math.min(profile.batchDelay, 200) : 0, next)
          return
        }
        replayed = true
        // What happened while the replay was written comes behind it; what the replay held does not come again.
        for (const [frame, live] of held)
          if (typeof frame.sequence !== 'number' || frame.sequence > highest) connection.send(frame, live)
        for (const text of waiting.splice(0)) if (!left) handle(inner, text)
        if (session.state !== 'active') inner.close(1000)
      }
      next()
    })
    return {
      /** A frame of the client has arrived. */
      take(text: string) {
        if (left) return
        if (replayed || (profile.hasty && text.includes(HEARTBEAT))) handle(inner, text)
        else waiting.push(text)
      },
      leave,
    }
  }

  /** Undefined: the handshake is refused. */
  function dial(
    sessionId: string,
    token: string,
    cursor: number,
    connectionOf: (session: Session) => Connection,
  ) {
    const session = sessions.get(sessionId)
    if (handshake(sessionId, token) !== 101 || !session) return undefined
    return { session, end: accept(connectionOf(session), cursor) }
  }

  function handle(connection: Connection, text: string): void {
    const { session } = connection
    const frame = JSON.parse(text) as Frame
    session.heardAt = time.now()
    if (hostile('session-not-found') && frame.type !== HEARTBEAT) {
      disown(session)
      return system(connection, 'Error: Session not found', frame)
    }
    const metadata = custom(frame)
    const echoed = metadata && { metadata }
    switch (frame.type) {
      case HEARTBEAT:
        return connection.send({ type: HEARTBEAT, payload: {}, sequence: null, ...echoed }, false)
      case 'EVENT_TYPE_REQUEST_POLY_AGENT_JOIN':
        if (session.state !== 'active') return
        if (hostile('conversation-not-found')) {
          mistreat(session)
          return system(connection, 'Error: Conversation not found', frame)
        }
        publish(session, frame.type, {}, echoed)
        if (session.joined) return
        session.joined = true
        publish(session, 'EVENT_TYPE_POLY_AGENT_JOINED', { agent_name: 'Ada' })
        return answer(session)
      case USER:
        return message(connection, frame)
      case 'EVENT_TYPE_USER_TYPING':
        return active(session)
      case DECISION:
        return decision(connection, frame)
      case 'EVENT_TYPE_USER_END_SESSION':
        if (session.state !== 'active') return
        cancel(session)
        publish(session, frame.type, {}, echoed)
        return over(session, 'REASON_USER_END')
      default:
        return system(connection, `Event type not allowed: ${frame.type}`, frame)
    }
  }

  const idIn = (frame: Frame) => frame.metadata?.custom.client_event_id ?? frame.metadata?.custom.local_id
  /** Ids of messages by the event that stored them: dedupe looks at what was sent, not at what is echoed. */
  const taken = new Map<Session, Map<string, Stored>>()

  function message(connection: Connection, frame: Frame): void {
    const { session } = connection
    if (session.state !== 'active') return
    const id = idIn(frame)
    const copy = `${session.id} ${id}`
    received.set(copy, (received.get(copy) ?? 0) + 1)
    if (hostile('deaf')) return
    const known = id === undefined ? undefined : taken.get(session)?.get(id)
    if (known && profile.dedupe) return connection.send(known, false)
    if (hostile('high-load')) return system(connection, 'The service is under high load', frame)
    const mishap = mishaps.shift()
    if (mishap?.kind === 'ignored') return
    if (mishap?.kind === 'high-load') return system(connection, 'The service is under high load', frame)
    if (mishap?.kind === 'rejected') return system(connection, 'Invalid message: it was refused', frame)
    if (mishap?.kind === 'late-store' && profile.dedupe) {
      if (id) late.add(id)
      time.after(mishap.ms, () => {
        if (session.state === 'active' && !(id && taken.get(session)?.has(id)))
          store(session, frame, undefined)
      })
      return
    }
    store(session, frame, mishap)
    if (id && (mishap?.kind === 'high-load-after' || mishap?.kind === 'forward-failed')) denied.add(id)
    if (mishap?.kind === 'high-load-after') system(connection, 'We are under high load, sorry', frame)
    if (mishap?.kind === 'forward-failed')
      system(connection, 'Failed to forward message to live agent', frame)
  }

  function store(session: Session, frame: Frame, mishap: Mishap | undefined): void {
    const id = idIn(frame)
    const metadata = custom(frame)
    const silenced = mishap?.kind === 'unechoed' || mishap?.kind === 'late-echo'
    const connections = [...session.connections]
    cancel(session)
    if (silenced) session.connections.clear()
    const event = publish(
      session,
      USER,
      { ...frame.payload, message_id: `message-${++counter}` },
      metadata && { metadata },
    )
    if (silenced) for (const each of connections) session.connections.add(each)
    if (mishap?.kind === 'late-echo')
      time.after(mishap.ms, () => {
        for (const each of connections) if (session.connections.has(each)) each.send(event, false)
      })
    const ids = taken.get(session) ?? new Map<string, Stored>()
    taken.set(session, ids)
    if (id !== undefined) {
      ids.set(id, event)
      senders.set(event.id, id)
    }
    if (mishap?.kind === 'high-load-after' || mishap?.kind === 'forward-failed') return
    if (session.joined) answer(session)
  }

  /** The first decision about the open question counts, and what it chose is what the visitor says. */
  function decision(connection: Connection, frame: Frame): void {
    const { session } = connection
    const { confirm_id, decision } = frame.payload
    if (hostile('high-load')) return system(connection, 'The service is under high load', frame)
    const first = session.events.find(
      ({ type, payload }) => type === DECISION && payload.confirm_id === confirm_id,
    )
    if (first) return connection.send(first, false)
    if (session.question === undefined || session.question !== confirm_id)
      return system(connection, 'Invalid decision: the session has no such question', frame)
    session.question = undefined
    const metadata = custom(frame)
    publish(session, DECISION, { confirm_id, decision }, metadata && { metadata })
    const text = `${decision} ${confirm_id}`
    publish(session, USER, { text, message_id: `message-${++counter}` }, metadata && { metadata })
    answer(session)
  }

  /** Whoever has not decided by now has cancelled. */
  function cancel(session: Session): void {
    const { question } = session
    if (question === undefined) return
    session.question = undefined
    publish(session, DECISION, { confirm_id: question, decision: 'cancel' })
  }

  // --- the agent ---

  /** The agent asks the visitor to decide. */
  function ask(session: Session): void {
    if (session.state !== 'active' || session.forgotten || !profile.dedupe) return
    cancel(session)
    const message_id = `message-${++counter}`
    const text = `A${counter}: Sure?`
    const choices = { confirm: `confirm ${message_id}`, cancel: `cancel ${message_id}` }
    publish(session, WHOLE, {
      message_id,
      text,
      confirm: { id: message_id, title: text, summary: '', ...choices },
    })
    if (session.handoff) publish(session, DECISION, { confirm_id: message_id, decision: 'cancel' })
    else session.question = message_id
  }

  const streaming = new Set<Session>()

  /** The agent thinks, then answers, in a stream where the session has one. */
  function answer(session: Session): void {
    transient(session, 'EVENT_TYPE_POLY_AGENT_THINKING')
    time.after(20 + random() * 400, () => say(session))
  }

  /** `cut`: the stream stops for ever. `live`: a live agent says it. */
  function say(session: Session, how: { cut?: boolean; live?: boolean; whole?: boolean } = {}): void {
    if (session.state !== 'active' || session.forgotten) return
    // Chunks without an id belong to whatever stream is open: such a service begins one answer after another.
    if (!profile.named && streaming.has(session)) return void time.after(200, () => say(session, how))
    const message_id = `message-${++counter}`
    const parts = Array.from({ length: 1 + Math.floor(random() * 6) }, (_, index) => `w${index} `)
    const texts = [`A${counter}: `, ...parts]
    if (how.live || how.whole || !profile.streaming)
      return void publish(session, how.live ? 'EVENT_TYPE_LIVE_AGENT_MESSAGE' : WHOLE, {
        message_id,
        text: texts.join(''),
      })
    const chunks = texts.map((text, index) => ({
      ...(profile.named && { message_id }),
      text,
      chunk_index: profile.firstIndex + index,
      is_complete: index === texts.length - 1,
    }))
    if (how.cut && profile.named) chunks.splice(Math.max(1, Math.floor(random() * chunks.length)))
    if (profile.shuffled && profile.named && chunks.length > 2) {
      const at = 1 + Math.floor(random() * (chunks.length - 2))
      const [moved] = chunks.splice(at, 1)
      if (moved) chunks.splice(at + 1, 0, moved)
    }
    const pause = random() < 0.3 ? 0 : random() * 150
    streaming.add(session)
    const next = () => {
      const chunk = chunks.shift()
      if (chunk && session.state === 'active' && !session.forgotten) publish(session, CHUNK, chunk)
      if (chunks.length > 0) time.after(pause, next)
      else streaming.delete(session)
    }
    next()
  }

  return {
    profile,
    sessions,
    mishaps,
    received,
    senders,
    late,
    denied,
    mistreat,
    disown,
    stateOf,
    issue,
    valid,
    /** Milliseconds that a token still lives. */
    lifeOf: (token: string) => (tokens.get(token) ?? 0) - time.now(),
    create,
    dial,
    publish,
    cancel,
    ask,
    say,
    over,
    gone,
    transient,
    turnHostile(kind: Hostility, ms: number) {
      hostility = { kind, until: time.now() + ms }
      for (const session of sessions.values())
        if (session.state !== 'active' && session.overAt > time.now() - 10_000)
          session.unasked = hostile('flap')
    },
    calm() {
      hostility = undefined
      mishaps.length = 0
    },
    /** The process restarts: every socket is closed, nothing that was stored is lost. */
    restart(code: number) {
      for (const session of sessions.values())
        for (const connection of [...session.connections]) connection.close(code)
    },
    /** The service loses a session: 404 at the next handshake. */
    forget(session: Session) {
      session.forgotten = true
      session.disowned = true
      for (const connection of [...session.connections]) connection.close(4001)
    },
  }
}

export const HEARTBEAT = 'EVENT_TYPE_HEARTBEAT'
export const USER = 'EVENT_TYPE_USER_MESSAGE'
export const DECISION = 'EVENT_TYPE_USER_DECISION'
export const CHUNK = 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK'
export const WHOLE = 'EVENT_TYPE_POLY_AGENT_MESSAGE'

/** A finished stream as one message, in the place of its last chunk. */
function wholeOf(chunks: readonly Stored[], last: Stored): Frame {
  return {
    ...last,
    type: WHOLE,
    id: `${last.id}-whole`,
    payload: { message_id: last.payload.message_id, text: textOf(chunks) },
    first_sequence: chunks[0]?.sequence ?? last.sequence,
  }
}

/** The text of a stream: its chunks by their index, each once. */
export function textOf(chunks: readonly Frame[]): string {
  const byIndex = new Map<number, string>()
  for (const { payload } of chunks) byIndex.set(Number(payload.chunk_index), String(payload.text))
  return [...byIndex]
    .sort(([a], [b]) => a - b)
    .map(([, text]) => text)
    .join('')
}

export type Service = ReturnType<typeof createService>
