// What lies between a page and the service: latency, cuts, half-open sockets, proxies that answer for the service,
// and the BFF. Every fault is timed, so that a schedule goes on by itself.

import {
  CHUNK,
  type Connection,
  type End,
  type Frame,
  MOST_SOCKETS,
  type Service,
  type Session,
  UNKNOWN,
  USER,
} from './service.ts'
import type { Owner, Time } from './time.ts'

export const TOKEN_URL = 'https://site.example.com/foyer/access-token'
const CHAT_URL = 'https://chat.example.com'
const LATENCY = 8
/** How long a browser takes to give up a dead socket by itself. */
const GIVEN_UP = 60_000
/** Within this a page has told the others what it has heard, and they have asked for it. */
const TOLD = 5_000

/** What answers instead of the endpoint. */
export type HttpFault =
  | 'reset'
  | 'hang'
  | 'html'
  | 'not-json'
  | 'no-token'
  | 'redirect'
  | 400
  | 401
  | 403
  | 404
  | 429
  | 500
  | 502
  | 503
/** The chat host: unreachable, answered for by a proxy, not answering, refusing handshakes. */
export type HostFault = 'down' | 'proxy' | 'hang' | 'refuse'
/** What answers to the question how a session stands: what proves nothing, or a lie. */
export type StatusFault = HttpFault | 'another-word' | 'says-unknown' | 'says-active'
/** What the hub does to the next events that happen. */
export type Mangle = 'lose' | 'repeat' | 'swap' | 'late'

/** A browser: its pages share the BFF's cookie. */
export type Page = Owner & {
  readonly name: string
  readonly sockets: Set<PageSocket>
  /** When it asked for anything, and when it sent a frame. */
  readonly attempts: number[]
  readonly frames: number[]
}
export interface PageSocket {
  readonly page: Page
  readonly url: string
  readyState: number
  /** The connection is gone: both ends are told. */
  cut(code: number, inFlight: 'taken' | 'lost'): void
  /** The path is dead and neither end is told. `late`: what the page sends arrives after so many ms. */
  halve(direction: 'up' | 'down' | 'both', late?: number): void
  receive(text: string): void
  readonly session: Session | undefined
  readonly dead: boolean
}

/** The double answers at once, the runtime when it is done. */
type Soon<T> = T | Promise<T>
function whenever<T, R>(value: Soon<T>, then: (value: T) => R): Soon<R> {
  return value instanceof Promise ? value.then(then) : then(value)
}

/** What the BFF seals: a token, and the session that a frame named with it. */
type Kept = { readonly token: string; readonly session: string | undefined }

type Fault<T> = { kind: T; until: number }

export function createNetwork(time: Time, service: Service, random: () => number) {
  let bff: Fault<HttpFault> | undefined
  let creating: (Fault<HttpFault> & { made: boolean }) | undefined
  let host: Fault<HostFault> | undefined
  let telling: Fault<StatusFault> | undefined
  let offline = false
  let retryAfter = '5'
  /** What the BFF's cookie holds, and each sealed text that it gave out, which a frame keeps where no cookie comes back. */
  let cookie: Kept | undefined
  const texts = new Map<string, Kept>()
  const setCookies = new WeakMap<Response, Kept>()
  let storedText = (): string | undefined => undefined
  /** Tokens that the browser keeps no more by a fault: nobody can be asked to come back to their sessions. */
  const doomed = new Set<string>()
  /** What the hub lost of each page's sessions, where nothing came since that would show the hole: from which sequence on. */
  const missed = new Map<Page, Map<Session, number>>()
  /** How far each page has heard of its sessions. */
  const heard = new Map<Page, Map<Session, number>>()
  /** Beside its own, a page that has heard of something fills the holes of the others: it tells them. */
  function hear(page: Page, session: Session, sequence: number): void {
    missed.get(page)?.delete(session)
    valuesOf(heard, page).set(session, sequence)
    if ([...missed.values()].some((holes) => holes.has(session))) tell(page, session)
  }
  function miss(page: Page, session: Session, sequence: number): void {
    const holes = valuesOf(missed, page)
    if (holes.has(session)) return
    holes.set(session, sequence)
    for (const [other, far] of heard) if (other !== page && far.has(session)) tell(other, session)
  }
  function tell(page: Page, session: Session): void {
    time.after(TOLD, () => {
      const far = valuesOf(heard, page).get(session) ?? 0
      for (const holes of page.alive && !page.frozen ? missed.values() : [])
        if ((holes.get(session) ?? Number.POSITIVE_INFINITY) <= far) holes.delete(session)
    })
  }
  /** Whether pages can ask how the session stands: the service tells, as one of them has read in its start. */
  const canBeAsked = (session: Session) =>
    service.profile.hasStatus === true && [...heard.values()].some((far) => far.has(session))
  const valuesOf = (values: Map<Page, Map<Session, number>>, page: Page) => {
    const found = values.get(page) ?? new Map<Session, number>()
    values.set(page, found)
    return found
  }
  /** Until when a session takes no socket beside those that it has, and which page it last turned away, and when. */
  let crowdedUntil = -1
  let isLive = (_page: Page, _session: Session) => false
  const turnedAway = new Map<Page, { session: Session; at: number }>()
  /** Until when the browser's tabs cannot agree, so that they replace each other's tokens. */
  let apartUntil = -1
  /** The token that each page was given last. */
  const tokens = new Map<Page, string | undefined>()
  const mangles: Mangle[] = []
  /** Until when the hub holds back what happens. */
  let stalled = 0
  const sockets = new Set<PageSocket>()
  const requests: { page: Page; at: number; what: 'token' | 'session' | 'other' }[] = []

  const now = <T>(fault: Fault<T> | undefined) => (fault && fault.until > time.now() ? fault.kind : undefined)

  const keptText = () => texts.get(storedText() ?? '')
  /** Whether the browser keeps the token for the next page. */
  const keeps = (token: string) => cookie?.token === token || keptText()?.token === token
  /** Nobody can ask for a session once its token is in no page and the browser keeps it no more. */
  function disown(): void {
    const held = new Set([cookie?.token, keptText()?.token, ...tokens.values()])
    for (const session of service.sessions.values())
      if (session.state === 'active' && !held.has(session.token)) session.disowned = true
  }

  // --- HTTP ---

  const json = (body: unknown, status = 200, headers = {}) =>
    new Response(JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json', ...headers },
    })

  function faulty(fault: HttpFault): Response | 'reset' | 'hang' {
    switch (fault) {
      case 'reset':
      case 'redirect':
        return 'reset'
      case 'hang':
        return 'hang'
      case 'html':
        return new Response('<html>Please log in</html>', { headers: { 'content-type': 'text/html' } })
      case 'not-json':
        return new Response('{"access_token": "t', { headers: { 'content-type': 'application/json' } })
      case 'no-token':
        return json({ expires_in: '86400', access_token: ['x'], session_id: 7 })
      case 429:
        return json({ error: 'slow down' }, 429, { 'retry-after': retryAfter })
      default:
        return json({ error: 'no' }, fault)
    }
  }

  /** When anybody was last refused in so many words: trying again by oneself makes no sense. */
  let refusedAt = Number.NEGATIVE_INFINITY
  function refused(fault: HttpFault): Response | 'reset' | 'hang' {
    if (typeof fault === 'number' && fault < 429) refusedAt = time.now()
    return faulty(fault)
  }

  /** In the form of an encrypted text. */
  function sealed(kept: Kept): string {
    const text = `sealed..text.${texts.size}.x`
    texts.set(text, kept)
    return text
  }

  /**
   * `held`: the cookie that came with the request. A new one reaches the browser with the answer. A text goes before the cookie;
   * a frame of the BFF's own origin names its session, which is sealed with the token and told to the page after it.
   */
  function tokenEndpoint(method: string, body: unknown, held: Kept | undefined): Soon<Response> {
    if (method === 'DELETE') {
      cookie = undefined
      disown()
      return new Response(null, { status: 204 })
    }
    const { resume, sealed: text, session_id } = (body ?? {}) as Record<string, unknown>
    const fits = (kept: Kept | undefined) => (kept && service.valid(kept.token) ? kept : undefined)
    const byCookie = fits(held)
    const found = fits(texts.get(String(text))) ?? byCookie
    const resumed = resume === true ? found : undefined
    return whenever(resumed?.token ?? service.issue(), (token) => {
      const session = typeof session_id === 'string' && resumed ? session_id : resumed?.session
      const kept = { token, session }
      const answer = json({
        access_token: token,
        expires_in: Math.floor(service.lifeOf(token) / 1_000),
        token_type: 'Bearer',
        resumed: resumed !== undefined,
        chat_url: CHAT_URL,
        session_id: session,
        ...(text !== undefined && byCookie === undefined && { sealed: sealed(kept) }),
      })
      setCookies.set(answer, kept)
      return answer
    })
  }

  function answer(
    url: string,
    method: string,
    body: unknown,
    token: string,
    held: Kept | undefined,
  ): Soon<Response> | 'reset' | 'hang' {
    if (offline) return 'reset'
    if (url === TOKEN_URL) {
      const fault = now(bff)
      return fault !== undefined ? refused(fault) : tokenEndpoint(method, body, held)
    }
    switch (now(host)) {
      case 'down':
        return 'reset'
      case 'hang':
        return 'hang'
      case 'proxy':
        return new Response('<h1>502 Bad Gateway</h1>', { status: 502 })
    }
    if (method === 'GET') return status(decodeURIComponent(url.slice(url.lastIndexOf('/') + 1)), token)
    const fault = now(creating)
    if (fault !== undefined) {
      // The answer alone may be lost: the session is there.
      if (creating?.made && method === 'POST' && service.valid(token)) service.create(token)
      // A token that is refused is replaced, and its sessions with it.
      if (fault === 401) doomed.add(token)
      return refused(fault)
    }
    if (method !== 'POST') return json({ error: 'method not allowed' }, 405)
    if (!service.valid(token)) return json({ error: 'Invalid access token' }, 401)
    return whenever(service.create(token), ({ id }) => json({ session_id: id }))
  }

  function status(sessionId: string, token: string): Soon<Response> | 'reset' | 'hang' {
    const fault = now(telling)
    if (fault === 'says-unknown') {
      const session = service.sessions.get(sessionId)
      if (session) service.disown(session)
      return json({ state: 'unknown' })
    }
    if (fault === 'says-active') return json({ state: 'active' })
    if (fault === 'another-word') return json({ state: 'gone' })
    if (fault !== undefined) return faulty(fault)
    if (!service.profile.hasStatus) return json({ error: 'not found' }, 404)
    if (!service.valid(token)) return json({ error: 'Invalid access token' }, 401)
    return whenever(service.stateOf(sessionId, token), (state) => json({ state }))
  }

  const fetchOf = (page: Page): typeof fetch => {
    return (input, init) => {
      const url = String(input)
      const method = init?.method ?? 'GET'
      const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
      const authorization = new Headers(init?.headers).get('authorization') ?? ''
      const what = url === TOKEN_URL ? 'token' : method === 'POST' ? 'session' : 'other'
      requests.push({ page, at: time.now(), what })
      page.attempts.push(time.now())
      const held = cookie
      return new Promise<Response>((resolve, reject) => {
        const { signal } = init ?? {}
        const abort = () => reject(new DOMException('aborted', 'AbortError'))
        if (signal?.aborted) return abort()
        signal?.addEventListener('abort', abort)
        time.after(LATENCY, () => {
          const answered = answer(url, method, body, authorization.replace('Bearer ', ''), held)
          if (answered === 'hang') return
          whenever(answered, (given) =>
            time.deliver(page, LATENCY, () => {
              signal?.removeEventListener('abort', abort)
              const kept = given === 'reset' || signal?.aborted ? undefined : setCookies.get(given)
              if (kept) {
                if (apartUntil >= time.now() && cookie && cookie.token !== kept.token)
                  doomed.add(cookie.token)
                if (service.profile.frame !== 'text') cookie = kept
                tokens.set(page, kept.token)
                disown()
              }
              if (given === 'reset') reject(new TypeError('fetch failed'))
              else if (init?.mode === 'no-cors') resolve(new Response(null, { status: 200 }))
              else resolve(given)
            }),
          )
        })
      })
    }
  }

  // --- sockets ---

  function socketClassOf(page: Page) {
    return class implements PageSocket {
      static CONNECTING = 0
      static OPEN = 1
      static CLOSING = 2
      static CLOSED = 3
      readonly page = page
      readonly url: string
      readyState = 0
      binaryType = 'blob'
      session: Session | undefined
      #end: End | undefined
      #up: 'open' | 'dead' | { late: number } = 'open'
      #down: 'open' | 'dead' = 'open'
      /** Sent and not yet there. */
      readonly #flying: { text: string; stop: () => void }[] = []
      #heldBack: { text: string; after: number } | undefined
      readonly #listeners = new Map<string, Set<(event: unknown) => void>>()

      constructor(url: string) {
        this.url = url
        page.attempts.push(time.now())
        page.sockets.add(this)
        sockets.add(this)
        const query = new URL(url).searchParams
        time.after(LATENCY, () => {
          if (this.readyState !== 0) return
          const fault = offline ? 'down' : now(host)
          if (fault === 'hang') return
          const id = query.get('session_id') ?? ''
          const token = query.get('access_token') ?? ''
          const asked = Number(/^(?:seq:)?(\d+)$/.exec(query.get('cursor') ?? '')?.[1] ?? 0)
          if (fault) {
            // A host that is up and refuses a session knows none, unless it can be asked.
            const session = service.sessions.get(id)
            if (fault === 'refuse' && session && !canBeAsked(session)) service.mistreat(session)
            return this.#finish(1006)
          }
          if (this.#isTurnedAway(service.sessions.get(id), token)) return this.#finish(1006)
          whenever(
            service.dial(id, token, asked, (session) => this.#connection(session)),
            (reached) => {
              if (!reached) return this.#finish(1006)
              // The page is gone by now.
              if (this.readyState > 1) return reached.end.leave()
              this.session = reached.session
              this.#end = reached.end
              // The replay holds all that was stored.
              hear(page, reached.session, reached.session.events.at(-1)?.sequence ?? 0)
            },
          )
        })
      }

      /** 429: the session has sockets enough, or takes no other one for a while. A page sees no more of it than 1006. */
      #isTurnedAway(session: Session | undefined, token: string): boolean {
        if (!session || session.forgotten || session.token !== token || !service.valid(token)) return false
        const isBeside = [...sockets].some(
          (other) =>
            other.page !== page &&
            other.session === session &&
            other.readyState === 1 &&
            !other.dead &&
            !other.page.frozen &&
            isLive(other.page, session),
        )
        const isFull = session.connections.size >= MOST_SOCKETS
        if (!isFull && !(isBeside && crowdedUntil > time.now())) return false
        // No page is there that could say that the session goes on, nor can the service be asked.
        if (isBeside) turnedAway.set(page, { session, at: time.now() })
        else if (!canBeAsked(session)) service.mistreat(session)
        return true
      }

      /** The service's end of it. It is open before its first frame. */
      #connection(session: Session): Connection {
        time.deliver(page, LATENCY, () => {
          if (this.readyState !== 0) return
          this.readyState = 1
          this.#fire('open', {})
        })
        return {
          session,
          send: (frame, live) => {
            if (this.#down === 'open') this.#carry(frame, live)
          },
          close: (code) => this.#down === 'open' && this.#finish(code),
        }
      }

      get dead() {
        return this.#up !== 'open' || this.#down !== 'open'
      }

      addEventListener(type: string, listener: (event: unknown) => void) {
        this.#listeners.set(type, (this.#listeners.get(type) ?? new Set()).add(listener))
      }
      removeEventListener(type: string, listener: (event: unknown) => void) {
        this.#listeners.get(type)?.delete(listener)
      }
      #fire(type: string, event: object) {
        for (const listener of [...(this.#listeners.get(type) ?? [])])
          listener({ type, target: this, ...event })
      }

      /** A frame of the service, through a hub that may lose, repeat, swap or delay what happens. */
      #carry(frame: Frame, live: boolean) {
        const text = JSON.stringify(frame)
        if (live && stalled > time.now())
          return void time.after(stalled - time.now(), () => this.receive(text))
        // Chunks that name no message are told apart by their order alone.
        const fixed = frame.type === CHUNK && frame.payload.message_id === undefined
        const mangle = live && !fixed ? mangles.shift() : undefined
        if (mangle === 'lose') return this.#miss(frame)
        if (live && this.session && typeof frame.sequence === 'number')
          hear(page, this.session, frame.sequence)
        if (mangle === 'late') return void time.after(3_500, () => this.receive(text))
        if (mangle === 'swap' && !this.#heldBack) {
          this.#heldBack = { text, after: 1 + Math.floor(random() * 3) }
          time.after(1_500, () => this.#release())
          return
        }
        this.receive(text)
        if (mangle === 'repeat') this.receive(text)
        if (this.#heldBack && --this.#heldBack.after <= 0) this.#release()
      }
      #miss({ sequence }: Frame) {
        if (this.session && typeof sequence === 'number') miss(page, this.session, sequence)
      }
      #release() {
        const held = this.#heldBack
        this.#heldBack = undefined
        if (held) this.receive(held.text)
      }
      receive(text: string) {
        if (this.#down !== 'open') return
        time.deliver(page, LATENCY, () => {
          if (this.readyState === 1) this.#fire('message', { data: text })
        })
      }

      send(text: string) {
        if (this.readyState !== 1) return
        page.frames.push(time.now())
        if (this.#up === 'dead') return
        const late = this.#up === 'open' ? LATENCY : this.#up.late
        if (late > LATENCY) {
          const { metadata } = JSON.parse(text) as Frame
          service.late.add(metadata?.custom.client_event_id ?? metadata?.custom.local_id ?? '')
        }
        // What arrives after the replay of another socket is harmless only where the service knows it again.
        const flight = {
          text,
          stop: time.after(late, () => {
            const index = this.#flying.indexOf(flight)
            if (index >= 0) this.#flying.splice(index, 1)
            this.#end?.take(text)
          }),
        }
        this.#flying.push(flight)
      }

      close(code = 1000) {
        if (this.readyState >= 2) return
        this.readyState = 2
        const reachable = this.#up === 'open'
        time.after(reachable ? LATENCY : GIVEN_UP / 2, () => {
          this.#end?.leave()
          sockets.delete(this)
        })
        time.deliver(page, this.dead ? GIVEN_UP : LATENCY * 2, () => this.#closed(code))
      }
      /** The service's end, or the network: the page hears of it. */
      #finish(code: number) {
        this.#end?.leave()
        sockets.delete(this)
        time.deliver(page, LATENCY, () => this.#closed(code))
      }
      #closed(code: number) {
        if (this.readyState === 3) return
        this.readyState = 3
        page.sockets.delete(this)
        this.#fire('close', { code, reason: '', wasClean: code === 1000 })
      }

      cut(code: number, inFlight: 'taken' | 'lost') {
        // A socket that was about to open reaches nobody.
        if (this.readyState === 0) this.readyState = 2
        for (const flight of this.#flying.splice(0)) {
          flight.stop()
          if (inFlight === 'taken') this.#end?.take(flight.text)
        }
        this.#down = 'open'
        this.#finish(code)
        this.#down = 'dead'
        this.#up = 'dead'
      }
      halve(direction: 'up' | 'down' | 'both', late?: number) {
        if (direction !== 'up') this.#down = 'dead'
        if (direction === 'down') return
        this.#up = late !== undefined && service.profile.dedupe ? { late } : 'dead'
        if (this.#up !== 'dead') return
        for (const flight of this.#flying.splice(0)) flight.stop()
      }
    }
  }

  return {
    frame: service.profile.frame,
    sockets,
    requests,
    mangles,
    fetchOf,
    socketClassOf,
    failBff(kind: HttpFault, ms: number, after = '5') {
      bff = { kind, until: time.now() + ms }
      retryAfter = after
    },
    failCreate(kind: HttpFault, ms: number, made: boolean) {
      creating = { kind, until: time.now() + ms, made }
    },
    failHost(kind: HostFault, ms: number) {
      host = { kind, until: time.now() + ms }
    },
    failStatus(kind: StatusFault, ms: number) {
      telling = { kind, until: time.now() + ms }
    },
    canBeAsked,
    keeps,
    refusedAt: () => refusedAt,
    disown,
    /** What no page has heard of a session and nothing has shown to be missing, by the first sequence of it. */
    untold() {
      const first = new Map<Session, number>()
      for (const [page, holes] of missed)
        for (const [session, sequence] of page.alive ? holes : [])
          first.set(session, Math.min(sequence, first.get(session) ?? Number.POSITIVE_INFINITY))
      return first
    },
    turnedAway,
    /** Whether a page is live in a session, so that it could tell the others that it goes on. */
    livesIn(read: typeof isLive) {
      isLive = read
    },
    /** For so long a session takes no socket beside those of pages that are live in it. */
    turnAway(ms: number) {
      crowdedUntil = time.now() + ms
    },
    /** Where a frame keeps the sealed text. */
    textIn(read: () => string | undefined) {
      storedText = read
    },
    /** Tokens that were replaced, lost or refused by a fault, and whether that of a session is one of them. */
    isDoomed: (session: Session) => doomed.has(session.token),
    doom(token: string) {
      doomed.add(token)
    },
    /** For so long the tabs replace each other's tokens without knowing it. */
    disagree(ms: number) {
      apartUntil = Math.max(apartUntil, time.now() + ms)
    },
    /** The cookie is gone, and the BFF opens no text of before: no page comes back to a session of now. */
    loseCookie() {
      for (const token of [cookie?.token, keptText()?.token, ...tokens.values()])
        if (token !== undefined) doomed.add(token)
      cookie = undefined
      texts.clear()
      disown()
    },
    /** A page is gone, and what it knew. */
    forget(page: Page) {
      tokens.delete(page)
      disown()
    },
    stall(ms: number) {
      // What is held back comes in order: a second stall does not end the first.
      stalled = Math.max(stalled, time.now() + ms)
    },
    /** The machine's network: gone, nothing tells the sockets. */
    setOffline(is: boolean) {
      offline = is
      if (is) for (const socket of sockets) socket.halve('both')
    },
    heal() {
      bff = creating = host = telling = undefined
      crowdedUntil = -1
      offline = false
      mangles.length = 0
    },
    open: () => [...sockets].filter((socket) => socket.session !== undefined),
    /** Frames that no service should send. */
    wild(socket: PageSocket, which: number) {
      // The next sequence is never given twice: an event of a newer service takes it.
      if (which % 4 === 0 && socket.session?.state === 'active')
        return void service.publish(socket.session, UNKNOWN, { at: which })
      const leap = [0, 7, 1_000_000, -3][which % 4] ?? 0
      const sequence = (socket.session?.events.at(-1)?.sequence ?? 0) + leap
      const frames: string[] = [
        'not json',
        'null',
        '[]',
        '{"type":5}',
        JSON.stringify({ type: UNKNOWN, payload: {}, id: `wild-${which}`, sequence }),
        JSON.stringify({ type: USER, payload: { text: { a: 1 } }, id: `wild-${which}`, sequence }),
        JSON.stringify({ type: 'EVENT_TYPE_POLY_AGENT_THINKING', id: `wild-${which}`, sequence: '12' }),
        JSON.stringify({ type: 'EVENT_TYPE_EVENT_BATCH', payload: { events: 'none' } }),
        JSON.stringify({
          type: 'EVENT_TYPE_EVENT_BATCH',
          payload: { events: [null, 3, { type: 'X', sequence }] },
        }),
      ]
      socket.receive(frames[which % frames.length] ?? 'null')
    },
  }
}

export type Network = ReturnType<typeof createNetwork>
