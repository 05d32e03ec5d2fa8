// Asks the BFF for access tokens, and tells it the sessions that they are used for.

import { socketUrl } from '../../protocol/index.ts'
import type { Clock } from '../state/model.ts'
import { AccessError, type Request, within } from './request.ts'
import type { SealedText } from './sealed.ts'

export type Grant = { token: string; chatUrl: string; expiresAt: number; sessionId: string | undefined }
/** The answer's fields beside the token. `session`: the session that the token was used for, if the BFF knows it; `hasStatus`: the BFF knows that the service answers questions for that session's state. */
export type Answer = { resumed: boolean; session: string | undefined; hasStatus: boolean; sealed: unknown }

/** What the BFF answered to a token request. */
export type Asked = { grant: Grant; answer: Answer }

export type TokenOptions = {
  /** Where the BFF gives out tokens. */
  tokenUrl: string
  fetch: typeof fetch
  clock: Clock
  /** Stores the BFF's sealed text. Only in a frame of the BFF's own origin. */
  sealed?: SealedText | undefined
}

interface TokenEndpoint {
  /** Gets a token: with `resume` the one that the browser keeps, else a fresh one. */
  ask(resume: boolean, signal: AbortSignal): Promise<Asked>
  /**
   * Names the session of a token, unless the BFF has just named it: the BFF seals its ID with the token, and the answer shows whether
   * the cookie came back: then it has no sealed text. Until that is known the text is kept, so that a reload loses nothing.
   */
  name(sessionId: string, answered: Answer): Promise<void>
  /** Tells the BFF, which names this session where nothing can be stored, that the service tells how it stands. */
  nameStatus(sessionId: string): void
  /** Stops naming a session. */
  stop(): void
  /** Deletes the sealed text and the BFF's cookie. */
  forget(): Promise<void>
}

export function createTokenEndpoint(
  { tokenUrl, fetch, clock, sealed }: TokenOptions,
  request: Request,
): TokenEndpoint {
  let naming: AbortController | undefined
  const post = (body: object, signal: AbortSignal): Promise<unknown> =>
    request(
      tokenUrl,
      {
        method: 'POST',
        credentials: 'include',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      },
      signal,
    )

  return {
    async ask(resume, signal) {
      const body = {
        ...(resume && { resume: true }),
        ...(sealed && { sealed: resume ? sealed.ask() : true }),
      }
      const answer = ((await post(body, signal)) ?? {}) as Record<string, unknown>
      const { access_token, expires_in, resumed, chat_url, session_id, session_status } = answer
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
      const grant: Grant = {
        token: access_token,
        chatUrl: chat_url,
        expiresAt: clock.now() + expires_in * 1000,
        sessionId: undefined,
      }
      const session = sealed && typeof session_id === 'string' && session_id ? session_id : undefined
      const hasStatus = session_status === true
      return { grant, answer: { resumed: resumed === true, session, hasStatus, sealed: answer.sealed } }
    },
    async name(sessionId, answered) {
      if (!sealed) return
      naming?.abort()
      sealed.keep(answered.sealed)
      if (answered.session === sessionId) return
      const abort = new AbortController()
      naming = abort
      // In `resume` the text counts more than the cookie, which may be of another tab by now.
      const body = { resume: true, sealed: answered.sealed ?? true, session_id: sessionId }
      try {
        const { resumed, sealed: text } = ((await post(body, abort.signal)) ?? {}) as Record<string, unknown>
        if (!abort.signal.aborted && resumed === true) sealed.keep(text)
      } catch {
        // The result is unknown: keep the text.
      }
    },
    nameStatus(sessionId) {
      if (!sealed || sealed.works()) return
      const body = { resume: true, session_id: sessionId, session_status: true }
      // Without an answer a reload does not know it, and asks nobody.
      post(body, new AbortController().signal).catch(() => {})
    },
    stop: () => naming?.abort(),
    async forget() {
      sealed?.keep(undefined)
      const { signal, stop } = within(clock, new AbortController().signal)
      // `keepalive`: the page may be left in this moment, as after signing out.
      await fetch(tokenUrl, { method: 'DELETE', credentials: 'include', keepalive: true, signal }).catch(
        () => {},
      )
      stop()
    },
  }
}
