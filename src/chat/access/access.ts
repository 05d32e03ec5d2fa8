// Gets the access token from the BFF and sessions from the chat host. The token stays in this closure (law L7): it is sent
// to the chat host only, in a header and in the socket's address.

import { chatEndpoint, type Platform, readRetryAfter, socketUrl } from '../../protocol/index.ts'
import type { Clock } from '../state/model.ts'
import type { SealedText } from './sealed.ts'

const TIMEOUT = 10_000
const LARGEST_ANSWER = 65_536
/** In its last seconds a token is not used for new connections. */
const MARGIN = 30_000
/** An older spare session may soon expire. */
const SPARE_LIFE = 300_000

/** Why there is no token or no session. `refused`: an automatic retry makes no sense. */
export class AccessError extends Error {
  override name = 'AccessError'
  readonly refused: boolean
  /** Milliseconds, where the answer named a time. */
  readonly retryAfter: number | undefined
  /** The HTTP status; undefined if no readable answer came, which proves nothing about the host. */
  readonly status: number | undefined
  constructor(
    message: string,
    facts: { refused?: boolean; retryAfter?: number | undefined; status?: number } = {},
  ) {
    super(message)
    this.refused = facts.refused ?? false
    this.retryAfter = facts.retryAfter
    this.status = facts.status
  }
}

export type AccessOptions = {
  tokenUrl: string
  platform: Platform
  streaming: boolean
  /** The language that the visitor reads, a BCP 47 tag. */
  language: () => string | undefined
  fetch: typeof fetch
  clock: Clock
  /** Stores the BFF's sealed text. Only in a frame of the BFF's own origin. */
  sealed?: SealedText | undefined
  /** The mark of its token that is stored beside a session (`markOf`). */
  storedMark?: ((sessionId: string) => string | undefined) | undefined
}

export type Access = {
  /**
   * Makes the session `resume` usable again, or a new one where there is none to resume or its token is gone.
   * Where storage is denied, the BFF's cookie may name a session that the caller does not know: `resumed` says so.
   * `prove`: handshakes of the session are refused, so the chat host is asked for a new one, which proves that it
   * is up and is kept for the case that the old one is lost. Rejects with an AccessError.
   */
  enter(
    resume: string | undefined,
    prove: boolean,
    signal: AbortSignal,
    others?: OtherPages,
  ): Promise<Entered | 'elsewhere' | 'late'>
  /** The address for a session that was entered. It holds the token: for the socket only. */
  socketUrl(sessionId: string, cursor: number): string
  /**
   * The address for a session of this page or, where it `asks` the BFF, of the page before, to say a last word.
   * Rejects where the BFF does not answer; undefined: the token is gone. `current`: the session of this page now.
   */
  addressAgain(sessionId: string, asks: boolean, current: string | undefined): Promise<string | undefined>
  /** Whether the token of the session is here, and still good for a connection. */
  holds(sessionId: string): boolean
  /** Tells the token of a session from others, and reveals nothing of it; undefined: the token is not here. */
  markOf(sessionId: string): string | undefined
  /** Forgets the session that was made as a proof: another tab may get another token from here on. */
  dropSpare(): void
  /** Forgets the token: the visitor signed out, here or in another tab. */
  drop(): void
  /** Forgets the token and the sealed text, and has the BFF wipe its cookie. */
  forget(): Promise<void>
  /** Aborts requests that still run in the background. */
  close(): void
}

/** What other pages of the browser have done. */
export interface OtherPages {
  /** Whether one of them is connected to a session whose token is gone here: then no other is made, and the answer is `elsewhere`. */
  isElsewhere(session: string): Promise<boolean>
  /** Whether one of them has made a session meanwhile: then what was made here is forgotten, and the answer is `late`. */
  isLate(): boolean
}
const ALONE: OtherPages = { isElsewhere: async () => false, isLate: () => false }

/**
 * `proven`: the chat host made a session just now. `fresh`: this one was made just now. `named`: resolves once the BFF knows the session,
 * or cannot be told.
 */
export type Entered = {
  sessionId: string
  resumed: boolean
  fresh: boolean
  proven: boolean
  named: Promise<void>
}

type Grant = { token: string; chatUrl: string; expiresAt: number; sessionId: string | undefined }
/** Beside the token. `session`: the one that the token was used for, where the BFF was told it. */
type Answer = { resumed: boolean; session: string | undefined; sealed: unknown }

export function createAccess(options: AccessOptions): Access {
  const { clock, sealed } = options
  let grant: Grant | undefined
  let entered = false
  /** A session that was made to prove that the host is up, for the token it was made with. */
  let spare: { id: string; token: string; at: number } | undefined
  let check: AbortController | undefined
  let again: AbortController | undefined
  const isFresh = () => grant !== undefined && grant.expiresAt - MARGIN > clock.now()

  /** A signal that is aborted with `signal`, and when it takes too long. */
  function within(signal: AbortSignal): { signal: AbortSignal; stop(): void } {
    const timeout = new AbortController()
    const abort = () => timeout.abort()
    signal.addEventListener('abort', abort)
    const stop = clock.after(TIMEOUT, abort)
    return {
      signal: timeout.signal,
      stop() {
        stop()
        signal.removeEventListener('abort', abort)
      },
    }
  }

  async function request(url: string | URL, init: RequestInit, signal: AbortSignal): Promise<unknown> {
    const timeout = within(signal)
    try {
      const response = await options.fetch(url, {
        redirect: 'error',
        cache: 'no-store',
        ...init,
        signal: timeout.signal,
      })
      const text = await response.text()
      if (!response.ok) throw refusal(response, clock.wall())
      if (text.length > LARGEST_ANSWER) throw new AccessError('the answer is too large')
      return JSON.parse(text)
    } catch (error) {
      if (error instanceof AccessError) throw error
      // Offline, DNS, TLS, CORS, a time-out or a proxy's page: the visitor's options are the same.
      throw new AccessError('no usable answer')
    } finally {
      timeout.stop()
    }
  }

  const post = (body: object, signal: AbortSignal): Promise<unknown> =>
    request(
      options.tokenUrl,
      {
        method: 'POST',
        credentials: 'include',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      },
      signal,
    )

  async function fetchToken(resume: boolean, signal: AbortSignal): Promise<Answer> {
    const body = {
      ...(resume && { resume: true }),
      ...(sealed && { sealed: resume ? sealed.ask() : true }),
    }
    const answer = ((await post(body, signal)) ?? {}) as Record<string, unknown>
    const { access_token, expires_in, resumed, chat_url, session_id } = answer
    if (
      typeof access_token !== 'string' ||
      !access_token ||
      typeof expires_in !== 'number' ||
      !(expires_in > 0)
    )
      throw new AccessError('the token endpoint gave no token')
    if (typeof chat_url !== 'string') throw new AccessError('the token endpoint gave no chat_url')
    try {
      socketUrl(chat_url, '', '')
    } catch {
      // Nothing to retry until somebody changes the configuration.
      throw new AccessError('the BFF named a chat_url that cannot be used', { refused: true })
    }
    grant = {
      token: access_token,
      chatUrl: chat_url,
      expiresAt: clock.now() + expires_in * 1000,
      sessionId: undefined,
    }
    const session = sealed && typeof session_id === 'string' && session_id ? session_id : undefined
    return { resumed: resumed === true, session, sealed: answer.sealed }
  }

  /**
   * Takes a session for the token that `answered` brought. Names it to the BFF, unless the BFF has just named it: the BFF seals its ID
   * with the token, and the answer shows whether the cookie came back: then it has no sealed text. Until that is known the
   * text is kept, so that a reload loses nothing.
   */
  async function take(sessionId: string, answered: Answer): Promise<void> {
    granted().sessionId = sessionId
    if (!sealed) return
    check?.abort()
    sealed.keep(answered.sealed)
    if (answered.session === sessionId) return
    const abort = new AbortController()
    check = abort
    // In `resume` the text counts more than the cookie, which may be of another tab by now.
    const body = { resume: true, sealed: answered.sealed ?? true, session_id: sessionId }
    try {
      const { resumed, sealed: text } = ((await post(body, abort.signal)) ?? {}) as Record<string, unknown>
      if (!abort.signal.aborted && resumed === true) sealed.keep(text)
    } catch {
      // The result is unknown: keep the text.
    }
  }

  async function createSession(signal: AbortSignal): Promise<string> {
    const { token, chatUrl } = granted()
    const answer = await request(
      chatEndpoint(chatUrl, '/api/v1/sessions'),
      {
        method: 'POST',
        credentials: 'omit',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          ...acceptLanguage(options.language()),
        },
        body: JSON.stringify({ streaming_enabled: options.streaming, platform: options.platform }),
      },
      signal,
    )
    const { session_id } = (answer ?? {}) as Record<string, unknown>
    if (typeof session_id !== 'string' || !session_id) throw new AccessError('the service gave no session')
    return session_id
  }

  /** The spare session, for the token that is here. */
  const spareId = () =>
    spare && spare.token === grant?.token && clock.now() - spare.at < SPARE_LIFE ? spare.id : undefined

  /** True if the chat host creates a session, which proves that it is up. Throws if it answers with an error. */
  async function prove(signal: AbortSignal): Promise<boolean> {
    try {
      const { token } = granted()
      const id = await createSession(signal)
      // The answer may come to a page that was left meanwhile.
      if (!signal.aborted) spare = { id, token, at: clock.now() }
      return true
    } catch (error) {
      const status = error instanceof AccessError ? error.status : undefined
      if (status === 401) grant = undefined
      if (status !== undefined && status !== 401) throw error
      // An unreadable answer proves nothing: still try the socket.
      return false
    }
  }

  /** The session of the token that is here: the stored one, unless that was made with another token and the BFF names its own. */
  function resumable(stored: string | undefined, named: string | undefined): string | undefined {
    const mark = stored === undefined ? undefined : options.storedMark?.(stored)
    if (mark !== undefined) return mark === markOf(granted().token) ? stored : named
    return named ?? stored
  }

  function granted(): Grant {
    if (!grant) throw new AccessError('no token')
    return grant
  }

  return {
    async enter(resume, asksProof, signal, others = ALONE) {
      again?.abort()
      if (resume !== undefined && isFresh() && grant?.sessionId === resume) {
        const proven = asksProof && (await prove(signal))
        if (grant) return { sessionId: resume, resumed: true, fresh: false, proven, named: Promise.resolve() }
        // The chat host refuses the token, so the session is lost.
        const fresh = await fetchToken(false, signal)
        const sessionId = await createSession(signal)
        return { sessionId, resumed: false, fresh: true, proven: false, named: take(sessionId, fresh) }
      }
      const ready = resume === undefined && isFresh() ? spareId() : undefined
      let renewed: Answer | undefined
      if (ready !== undefined) {
        const { token } = granted()
        const kept = await fetchToken(true, signal)
        // Given out once, and not before it is known that it may be.
        spare = undefined
        if (kept.resumed && granted().token === token) {
          return { sessionId: ready, resumed: false, fresh: true, proven: false, named: take(ready, kept) }
        }
        // Another tab has replaced the token that the browser keeps: a reload would come back to its session.
        if (!kept.resumed) renewed = kept
      }
      // Where nothing can be stored, only the BFF's cookie knows the session of the page before. Asked once: later
      // a new session is meant.
      const blind = resume === undefined && !entered && sealed?.works() === false
      entered = true
      let answer = renewed ?? (await fetchToken(resume !== undefined || blind, signal))
      if (blind && answer.resumed && answer.session === undefined) answer = await fetchToken(false, signal)
      const known = answer.resumed ? resumable(resume, answer.session) : undefined
      if (resume !== undefined && known === undefined && (await others.isElsewhere(resume)))
        return 'elsewhere'
      const sessionId = known ?? (await createSession(signal))
      if (known === undefined && others.isLate()) {
        grant = undefined
        return 'late'
      }
      const named = take(sessionId, answer)
      return { sessionId, resumed: known !== undefined, fresh: known === undefined, proven: false, named }
    },
    socketUrl(sessionId, cursor) {
      return socketUrl(granted().chatUrl, sessionId, granted().token, cursor)
    },
    async addressAgain(sessionId, asks, current) {
      const before = grant
      if (!isFresh() || before?.sessionId !== sessionId) {
        again = new AbortController()
        if (!asks || !(await fetchToken(true, again.signal)).resumed) return undefined
        if (before?.sessionId !== undefined && before.token === grant?.token) {
          grant = before
          // It is another session's by now, unless that made way for the one that was kept as a proof.
          if (sessionId !== current) return undefined
        }
      }
      return this.socketUrl(sessionId, 0)
    },
    holds: (sessionId) => isFresh() && grant?.sessionId === sessionId,
    markOf: (sessionId) => (grant?.sessionId === sessionId ? markOf(grant.token) : undefined),
    dropSpare() {
      spare = undefined
    },
    drop() {
      check?.abort()
      again?.abort()
      grant = undefined
      spare = undefined
    },
    async forget() {
      this.drop()
      sealed?.keep(undefined)
      const { signal, stop } = within(new AbortController().signal)
      // `keepalive`: the page may be left in this moment, as after signing out.
      await options
        .fetch(options.tokenUrl, { method: 'DELETE', credentials: 'include', keepalive: true, signal })
        .catch(() => {})
      stop()
    },
    close: () => check?.abort(),
  }
}

/** 32 bits of a token (FNV-1a): enough to tell two tokens of one visitor apart. */
function markOf(token: string): string {
  let mark = 0x811c9dc5
  for (let at = 0; at < token.length; at++) mark = Math.imul(mark ^ token.charCodeAt(at), 0x01000193)
  return (mark >>> 0).toString(36)
}

/** Decides by the status whether a retry makes sense. Does not read the body, which may come from a proxy. */
function refusal(response: Response, wall: number): AccessError {
  const { status } = response
  if (status === 429 || status >= 500) {
    const seconds = readRetryAfter(response.headers, wall)
    return new AccessError(`answered ${status}`, { retryAfter: seconds && seconds * 1000, status })
  }
  return new AccessError(`answered ${status}`, { refused: status !== 408 && status !== 425, status })
}

/** Only plain tags: any other value of this header needs a permission of the chat host. Without it the browser sends its own. */
const acceptLanguage = (tag: string | undefined): Record<string, string> =>
  tag !== undefined && /^[a-z\d-]{2,35}$/i.test(tag) ? { 'accept-language': tag } : {}
