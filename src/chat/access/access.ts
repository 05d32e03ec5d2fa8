// Gets the access token from the BFF and sessions from the chat host. The token stays in this closure (law L7): it is sent
// to the chat host only, in a header and in the socket's address.

import {
  chatEndpoint,
  type Platform,
  SESSION_STATES,
  type SessionState,
  socketUrl,
} from '../../protocol/index.ts'
import type { ChatOptions } from '../state/model.ts'
import { askPage } from './page.ts'
import { AccessError, createRequest, type Request } from './request.ts'
import { type Answer, type Asked, createTokenEndpoint, type Grant, type TokenOptions } from './token.ts'

/** In its last seconds a token is not used for new connections. */
const MARGIN = 30_000

export type AccessOptions = TokenOptions & {
  platform: Platform
  streaming: boolean
  /** The language that the visitor reads, a BCP 47 tag. */
  language: () => string | undefined
  /** The page on which a conversation begins, asked for each session that is made. */
  page?: ChatOptions['page'] | undefined
  /** The mark of its token that is stored beside a session (`markOf`). */
  storedMark?: ((sessionId: string) => string | undefined) | undefined
}

export type Access = {
  /**
   * Makes the session `resume` usable again, or a new one where there is none to resume or its token is gone.
   * Where storage is denied, the BFF's cookie may name a session that the caller does not know: `resumed` says so.
   * `isLost`: handshakes of the session are refused for long, so the chat host is asked for another one. If it makes one, that is
   * entered; any other answer proves nothing. Rejects with an AccessError.
   */
  enter(
    resume: string | undefined,
    isLost: boolean,
    signal: AbortSignal,
    others?: OtherPages,
  ): Promise<Entered | 'elsewhere' | 'late'>
  /** How the service says that a session stands whose token is here; undefined: no answer that proves anything. */
  statusOf(sessionId: string, signal: AbortSignal): Promise<SessionState | undefined>
  /** Notes that the service answers questions for this session's state. The BFF keeps it for the next page. */
  noteStatus(sessionId: string): void
  hasStatus(sessionId: string): boolean
  /** The address for a session that was entered. It holds the token: for the socket only. */
  socketUrl(sessionId: string, cursor: number): string
  /**
   * The address for a late send to a session of this page or, where it `asks` the BFF, of the previous page. Rejects if the BFF
   * does not answer; undefined: the token is gone. `current`: the session of this page now.
   */
  addressAgain(sessionId: string, asks: boolean, current: string | undefined): Promise<string | undefined>
  /** Whether the token of the session is here, and still good for a connection. */
  holds(sessionId: string): boolean
  /** Tells the token of a session from others, and reveals nothing of it; undefined: the token is not here. */
  markOf(sessionId: string): string | undefined
  /** Forgets the token: the visitor signed out, here or in another tab. */
  drop(): void
  /** Forgets the token and the sealed text, and has the BFF wipe its cookie. */
  forget(): Promise<void>
  /** Aborts requests that still run in the background. */
  close(): void
}

/** What other pages of the browser have done. */
interface OtherPages {
  /** Whether one of them is connected to a session whose token is gone here: then no other is made, and the answer is `elsewhere`. */
  isElsewhere(session: string): Promise<boolean>
  /** Whether one of them has made a session meanwhile: then what was made here is forgotten, and the answer is `late`. */
  isLate(): boolean
}
const ALONE: OtherPages = { isElsewhere: async () => false, isLate: () => false }

/** `fresh`: the chat host has just created the session. `named`: resolves once the BFF knows the session, or cannot be reached. */
type Entered = {
  sessionId: string
  resumed: boolean
  fresh: boolean
  named: Promise<void>
}

export function createAccess(options: AccessOptions): Access {
  const { clock, sealed } = options
  const request = createRequest(options.fetch, clock)
  const tokens = createTokenEndpoint(options, request)
  let grant: Grant | undefined
  let entered = false
  /** The session of which it is known that the service tells how it stands. */
  let told: string | undefined
  let again: AbortController | undefined
  const isFresh = () => grant !== undefined && grant.expiresAt - MARGIN > clock.now()

  async function fetchToken(resume: boolean, signal: AbortSignal): Promise<Answer> {
    const asked = await tokens.ask(resume, signal)
    grant = asked.grant
    if (asked.answer.hasStatus) told = asked.answer.session
    return asked.answer
  }

  /** Assigns the token of `answered` to a session. */
  function take(sessionId: string, answered: Answer): Promise<void> {
    granted().sessionId = sessionId
    return tokens.name(sessionId, answered)
  }

  const createSession = (signal: AbortSignal) => postSession(request, granted(), options, signal)

  /** Makes another session, or rejects. Undefined: the chat host refuses the token. */
  async function makeAnother(
    { grant: kept, answer }: Asked,
    signal: AbortSignal,
  ): Promise<Entered | undefined> {
    try {
      const sessionId = await postSession(request, kept, options, signal)
      // The page was left, or its visitor has signed out, before the answer came.
      if (signal.aborted) throw new AccessError('too late')
      grant = kept
      return { sessionId, resumed: false, fresh: true, named: take(sessionId, answer) }
    } catch (error) {
      if (error instanceof AccessError && error.status === 401) return undefined
      throw error
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
    async enter(given, isLost, signal, others = ALONE) {
      again?.abort()
      let resume = given
      if (resume !== undefined && isFresh() && grant?.sessionId === resume) {
        const same = { sessionId: resume, resumed: true, fresh: false, named: Promise.resolve() }
        if (!isLost) return same
        try {
          // With the token that the browser keeps, which a reload comes back to.
          const made = await makeAnother(await tokens.ask(true, signal), signal)
          if (made) return made
          // The chat host refuses the token, so the session is lost.
          resume = undefined
        } catch {
          return same
        }
      }
      // Where nothing can be stored, only the BFF's cookie knows the session of the page before. The BFF is asked for that session
      // until it has answered once: later a new session is meant.
      const blind = resume === undefined && !entered && sealed?.works() === false
      let answer = await fetchToken(resume !== undefined || blind, signal)
      entered = true
      if (blind && answer.resumed && answer.session === undefined) answer = await fetchToken(false, signal)
      const known = answer.resumed ? resumable(resume, answer.session) : undefined
      if (resume !== undefined && known === undefined && (await others.isElsewhere(resume)))
        return 'elsewhere'
      const sessionId = known ?? (await createSession(signal))
      if (known === undefined && others.isLate()) {
        grant = undefined
        return 'late'
      }
      return {
        sessionId,
        resumed: known !== undefined,
        fresh: known === undefined,
        named: take(sessionId, answer),
      }
    },
    async statusOf(sessionId, signal) {
      const { token, chatUrl } = granted()
      try {
        const url = chatEndpoint(chatUrl, `/api/v1/sessions/${encodeURIComponent(sessionId)}`)
        const headers = { authorization: `Bearer ${token}` }
        const { state } = Object(await request(url, { credentials: 'omit', headers }, signal))
        return SESSION_STATES.find((each) => each === state)
      } catch (error) {
        return error instanceof AccessError && error.status === 401 ? 'unknown' : undefined
      }
    },
    noteStatus(sessionId) {
      if (told !== sessionId) tokens.nameStatus(sessionId)
      told = sessionId
    },
    hasStatus: (sessionId) => told === sessionId,
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
          // The token belongs to another session by now.
          if (sessionId !== current) return undefined
        }
      }
      return this.socketUrl(sessionId, 0)
    },
    holds: (sessionId) => isFresh() && grant?.sessionId === sessionId,
    markOf: (sessionId) => (grant?.sessionId === sessionId ? markOf(grant.token) : undefined),
    drop() {
      tokens.stop()
      again?.abort()
      grant = undefined
    },
    async forget() {
      this.drop()
      await tokens.forget()
    },
    close: tokens.stop,
  }
}

async function postSession(
  request: Request,
  { token, chatUrl }: Grant,
  { language, streaming, platform, page: ask, clock }: AccessOptions,
  signal: AbortSignal,
): Promise<string> {
  const page = ask && (await askPage(ask, clock))
  const answer = await request(
    chatEndpoint(chatUrl, '/api/v1/sessions'),
    {
      method: 'POST',
      credentials: 'omit',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...acceptLanguage(language()),
      },
      body: JSON.stringify({ streaming_enabled: streaming, platform, language: language(), page }),
    },
    signal,
  )
  const { session_id } = (answer ?? {}) as Record<string, unknown>
  if (typeof session_id !== 'string' || !session_id) throw new AccessError('the service gave no session')
  return session_id
}

/** 32 bits of a token (FNV-1a): enough to tell two tokens of one visitor apart. */
function markOf(token: string): string {
  let mark = 0x811c9dc5
  for (let at = 0; at < token.length; at++) mark = Math.imul(mark ^ token.charCodeAt(at), 0x01000193)
  return (mark >>> 0).toString(36)
}

/** Only plain tags: any other value of this header needs a permission of the chat host. Without it the browser sends its own. */
const acceptLanguage = (tag: string | undefined): Record<string, string> =>
  tag !== undefined && /^[a-z\d-]{2,35}$/i.test(tag) ? { 'accept-language': tag } : {}
