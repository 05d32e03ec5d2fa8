// A small real machine: BFF, chat host and sockets in one, with the service's rules and a few faults to turn on.
// Time is Vitest's: nothing happens here unless the test turns the clock.

import { vi } from 'vitest'
import type { ChatOptions, WireNote } from '../../src/chat/index.ts'
import { createChat, memoryStore } from '../../src/chat/index.ts'

type Frame = {
  type: string
  payload?: Record<string, unknown>
  metadata?: { custom?: Record<string, string> }
  id?: string
  sequence?: number | null
  first_sequence?: number
}
type Sessions = {
  id: string
  token: string
  events: Frame[]
  state: 'active' | 'expired' | 'ended'
  gone?: boolean
}

const LATENCY = 5

export function createService() {
  const sessions = new Map<string, Sessions>()
  const tokens: string[] = []
  const sockets: FakeSocket[] = []
  const requests: { method: string; url: string; body: unknown }[] = []
  let counter = 0
  /** What a test turns on. */
  const faults = {
    bff: undefined as undefined | (() => Response | Promise<Response>),
    /** Answers in place of a new session. */
    host: undefined as undefined | (() => Response | Promise<Response>),
    refuseSockets: false,
    /** What tells how a session stands: the service itself, another machine, or nobody, as the session's start says then. */
    status: 'truthful' as 'truthful' | 'none' | (() => Response | Promise<Response>),
    hostDown: false,
    /** The host answers 401 to the tokens that it knows of when this is set: a fresh one is good. */
    refuseTokens: false,
    /** Frames from the client are swallowed before (`lost`) or after (`stored`) the service took them. */
    swallow: undefined as undefined | 'lost' | 'stored',
    silentHeartbeats: false,
    /** The history of a new socket never arrives. */
    noBatch: false,
    /** A proxy in front of the service that answers 502 to everything. */
    proxy: false,
    /** The service knows nothing of ids: it stores each copy. */
    noIds: false,
    /** Echoes come without metadata. */
    bareEchoes: false,
    /** The echo of a message comes so much later (ms). */
    lateEchoes: 0,
    /** What the service says takes so much longer to arrive (ms). */
    slowLine: 0,
    sessionIdle: 600 as number | undefined,
    noCookie: false,
    streaming: false,
    autoReply: true,
    capabilities: {} as Record<string, unknown>,
    /** Answers instead of the double's own words; `text` undefined: the agent has joined. */
    agent: undefined as undefined | ((session: Sessions, text: string | undefined) => void),
    agentName: 'Ada',
  }

  /** Ratings that came after the end. */
  const rated = new Map<string, Record<string, unknown>>()
  /** Messages with this text are taken by nobody. */
  let ignored: unknown

  class FakeSocket {
    static CONNECTING = 0
    static OPEN = 1
    static CLOSING = 2
    static CLOSED = 3
    readyState = 0
    binaryType = 'blob'
    flushes = false
    /** Half-open: nothing goes through either way, and nobody says so. */
    dead = false
    session: Sessions | undefined
    readonly cursor: number
    readonly #listeners = new Map<string, Set<(event: unknown) => void>>()
    readonly url: string
    constructor(url: string) {
      this.url = url
      sockets.push(this)
      const query = new URL(url).searchParams
      this.cursor = Number(/^(?:seq:)?(\d+)$/.exec(query.get('cursor') ?? '')?.[1] ?? 0)
      setTimeout(() => {
        const session = sessions.get(query.get('session_id') ?? '')
        const known = session && session.token === query.get('access_token')
        if (this.readyState === 3) return
        if (!known || session.gone || faults.refuseSockets || faults.hostDown || faults.proxy)
          return this.end(1006)
        this.session = session
        this.readyState = 1
        this.fire('open', {})
        if (faults.noBatch) return
        const highest = session.events.at(-1)?.sequence ?? 0
        const from = this.cursor > highest ? 0 : this.cursor
        const after = session.events.filter((event) => (event.sequence ?? 0) > from)
        this.receive({ type: 'EVENT_TYPE_EVENT_BATCH', payload: { events: after } } as Frame)
        // Who has read the end comes to rate the chat.
        if (session.state !== 'active' && from < highest) this.end(1000)
      }, LATENCY)
    }
    addEventListener(type: string, listener: (event: unknown) => void) {
      this.#listeners.set(type, (this.#listeners.get(type) ?? new Set()).add(listener))
    }
    removeEventListener(type: string, listener: (event: unknown) => void) {
      this.#listeners.get(type)?.delete(listener)
    }
    fire(type: string, event: object) {
      for (const listener of this.#listeners.get(type) ?? []) listener({ type, target: this, ...event })
    }
    send(text: string) {
      setTimeout(() => {
        if ((this.readyState === 1 || this.flushes) && !this.dead && faults.swallow !== 'lost')
          take(this, JSON.parse(text) as Frame)
      }, LATENCY)
    }
    receive(frame: Frame | string) {
      const data = typeof frame === 'string' ? frame : JSON.stringify(frame)
      const arrive = () => {
        if (this.readyState === 1 && !this.dead && faults.swallow === undefined)
          this.fire('message', { data })
      }
      if (faults.slowLine > 0) setTimeout(arrive, faults.slowLine)
      else arrive()
    }
    close(code = 1000) {
      // What was sent before is still on its way, as on a real socket.
      this.flushes = this.readyState === 1
      this.end(code)
    }
    end(code: number) {
      if (this.readyState === 3) return
      this.readyState = 3
      this.fire('close', { code })
    }
  }

  const open = () => sockets.filter((socket) => socket.readyState === 1)

  function publish(session: Sessions, frame: Frame, stored = true, told = true): Frame {
    const sequence = stored ? (session.events.at(-1)?.sequence ?? 0) + 1 : null
    const event = {
      payload: {},
      ...frame,
      id: `event-${++counter}`,
      sequence,
      timestamp: new Date().toISOString(),
    }
    if (stored) session.events.push(event)
    if (told) for (const socket of open()) if (socket.session === session) socket.receive(event)
    return event
  }

  function say(session: Sessions, text: string, extra: Record<string, unknown> = {}) {
    const message_id = `message-${++counter}`
    if (!faults.streaming)
      return publish(session, {
        type: 'EVENT_TYPE_POLY_AGENT_MESSAGE',
        payload: {
          message_id,
          text,
          attachments: [],
          response_suggestions: [],
          chat_call_actions: [],
          ...extra,
        },
      })
    const words = text.split(/(?<= )/)
    words.forEach((word, index) => {
      publish(session, {
        type: 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK',
        payload: {
          message_id,
          text: word,
          chunk_index: index + 1,
          is_complete: index === words.length - 1,
          ...extra,
        },
      })
    })
  }

  function take(socket: FakeSocket, frame: Frame) {
    const { session } = socket
    if (session && frame.type === 'EVENT_TYPE_CSAT_RESPONSE' && session.state !== 'active') {
      // Twice under one id is once.
      rated.set(frame.metadata?.custom?.client_event_id ?? '', frame.payload ?? {})
      socket.receive({
        ...frame,
        sequence: null,
        id: `event-${++counter}`,
        timestamp: new Date().toISOString(),
      } as Frame)
      return socket.end(1000)
    }
    // Nothing follows the end.
    if (session?.state !== 'active') return
    const custom = frame.metadata?.custom
    const metadata = custom && { metadata: { custom } }
    switch (frame.type) {
      case 'EVENT_TYPE_HEARTBEAT':
        if (!faults.silentHeartbeats)
          socket.receive({ type: frame.type, payload: {}, sequence: null, ...metadata })
        return
      case 'EVENT_TYPE_REQUEST_POLY_AGENT_JOIN':
        publish(session, { type: frame.type, ...metadata })
        if (session.events.some(({ type }) => type === 'EVENT_TYPE_POLY_AGENT_JOINED')) return
        publish(session, {
          type: 'EVENT_TYPE_POLY_AGENT_JOINED',
          payload: { agent_name: faults.agentName, agent_avatar_url: 'https://example.com/ada.png' },
        })
        if (faults.agent) return faults.agent(session, undefined)
        say(session, 'Hello!')
        return
      case 'EVENT_TYPE_USER_MESSAGE': {
        if (ignored !== undefined && frame.payload?.text === ignored) return
        const seen = session.events.find(
          (event) =>
            custom?.client_event_id && event.metadata?.custom?.client_event_id === custom.client_event_id,
        )
        if (seen && !faults.noIds) return socket.receive(seen)
        const echo = {
          type: frame.type,
          payload: { ...frame.payload, message_id: `m-${++counter}` },
          ...(!faults.bareEchoes && metadata),
        }
        if (faults.lateEchoes > 0) {
          const event = publish(session, echo, true, false)
          setTimeout(() => socket.receive(event), faults.lateEchoes)
          return
        }
        publish(session, echo)
        if (faults.agent) return faults.agent(session, String(frame.payload?.text))
        if (faults.autoReply) {
          publish(session, { type: 'EVENT_TYPE_POLY_AGENT_THINKING' }, false)
          say(session, `You said ${frame.payload?.text}`)
        }
        return
      }
      case 'EVENT_TYPE_USER_END_SESSION':
        publish(session, { type: frame.type })
        over(session, 'REASON_USER_END')
        return
    }
  }

  function over(session: Sessions, reason: string) {
    session.state = reason === 'REASON_USER_ABANDONED' ? 'expired' : 'ended'
    publish(session, { type: 'EVENT_TYPE_SESSION_END', payload: { reason } })
    for (const socket of open()) if (socket.session === session && !socket.dead) socket.end(1000)
  }

  const json = (body: unknown, status = 200, headers = {}) =>
    new Response(JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json', ...headers },
    })

  /** Rejects as a request does that is given up. */
  const aborted = (signal: AbortSignal | undefined) =>
    new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
    })

  const fakeFetch: typeof fetch = async (input, init) => {
    const url = String(input)
    const method = init?.method ?? 'GET'
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
    requests.push({ method, url, body })
    await new Promise((resolve) => setTimeout(resolve, LATENCY))
    init?.signal?.throwIfAborted()
    if (url.endsWith('/foyer/access-token')) {
      if (method === 'DELETE') return new Response(null, { status: 204 })
      if (faults.bff) return faults.bff()
      const resume = (body as { resume?: boolean }).resume === true && tokens.length > 0 && !faults.noCookie
      if (!resume) tokens.push(`secret-token-${++counter}`)
      return json({
        access_token: tokens.at(-1),
        expires_in: 86_400,
        token_type: 'Bearer',
        resumed: resume,
        chat_url: 'https://chat.example.com',
      })
    }
    if (faults.hostDown) throw new TypeError('fetch failed')
    if (faults.proxy) return new Response('<h1>Bad gateway</h1>', { status: 502 })
    const [, token = ''] = /^Bearer (.+)$/.exec(new Headers(init?.headers).get('authorization') ?? '') ?? []
    const isRefused = faults.refuseTokens && [...sessions.values()].some((each) => each.token === token)
    if (method === 'GET') {
      if (typeof faults.status === 'function')
        return Promise.race([faults.status(), aborted(init?.signal ?? undefined)])
      if (faults.status === 'none') return json({ error: 'not found' }, 404)
      return isRefused ? json({ error: 'Invalid access token' }, 401) : json({ state: stateOf(url, token) })
    }
    if (faults.host) return faults.host()
    if (method !== 'POST') return json({ error: 'method not allowed' }, 405)
    const id = `session-${++counter}`
    if (isRefused) return json({ error: 'the token is not valid' }, 401)
    const session: Sessions = { id, token, events: [], state: 'active' }
    sessions.set(id, session)
    publish(session, {
      type: 'EVENT_TYPE_SESSION_START',
      payload: {
        capabilities: {
          streaming: faults.streaming,
          max_message_size_bytes: 131_072,
          max_reconnect_attempts: 0,
          heartbeat_interval_seconds: 30,
          session_idle_seconds: faults.sessionIdle,
          ...(faults.status !== 'none' && { session_status: true }),
          ...faults.capabilities,
        },
      },
    })
    return json({ session_id: id })
  }

  /** As a handshake would find it: a session that is over is not known for ever. */
  function stateOf(url: string, token: string) {
    const session = sessions.get(decodeURIComponent(url.slice(url.lastIndexOf('/') + 1)))
    return session && session.token === token && !session.gone ? session.state : 'unknown'
  }

  const sessionStore = memoryStore()
  const outboxStore = memoryStore()
  const wire: WireNote[] = []
  const page = (options: Partial<ChatOptions> = {}) =>
    createChat({
      tokenUrl: 'https://site.example.com/foyer/access-token',
      fetch: fakeFetch,
      WebSocket: FakeSocket,
      sessionStore,
      outboxStore,
      random: () => 0.5,
      onWire: (note) => wire.push(note),
      ...options,
    })

  return {
    faults,
    sessions,
    sockets,
    requests,
    tokens,
    rated,
    wire,
    sessionStore,
    outboxStore,
    open,
    publish,
    say,
    over,
    json,
    fetch: fakeFetch,
    /** A new page of the same browser: storage is kept, memory is not. */
    page,
    Socket: FakeSocket,
    last: () => {
      const session = [...sessions.values()].at(-1)
      if (!session) throw new Error('no session was made yet')
      return session
    },
    drop: (code = 1006) => {
      for (const socket of open()) socket.end(code)
    },
    ignore: (text: unknown) => {
      ignored = text
    },
    /** The network goes away under every socket, and nobody is told. */
    vanish: () => {
      for (const socket of open()) socket.dead = true
    },
    /** The texts of the visitor that the service stored, in order. */
    stored: (session: Sessions) =>
      session.events
        .filter((event) => event.type === 'EVENT_TYPE_USER_MESSAGE')
        .map((event) => event.payload?.text),
  }
}

/**
 * A clock of a machine that can sleep: no timer runs meanwhile, the wall clock goes on, and the monotonic clock
 * goes on or stands still, as the system has it.
 */
export function createSleepingClock() {
  let [now, wall] = [0, 0]
  return {
    now: () => performance.now() + now,
    wall: () => Date.now() + wall,
    after(ms: number, fn: () => void) {
      const timer = setTimeout(fn, ms)
      return () => clearTimeout(timer)
    },
    sleep(ms: number, kind: 'counts' | 'stands still') {
      wall += ms
      if (kind === 'counts') now += ms
    },
  }
}

/** Turns the clock; everything due happens. */
export const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
