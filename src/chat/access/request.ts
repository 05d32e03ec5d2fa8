// Sends one request, with a limit of time and of size, and judges a refusal.

import { readRetryAfter } from '../../protocol/index.ts'
import type { Clock } from '../state/model.ts'

const TIMEOUT = 10_000
const LARGEST_ANSWER = 65_536

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
    details: { refused?: boolean; retryAfter?: number | undefined; status?: number } = {},
  ) {
    super(message)
    this.refused = details.refused ?? false
    this.retryAfter = details.retryAfter
    this.status = details.status
  }
}

/** Sends a request, and resolves to the JSON of its answer. Rejects with an AccessError. */
export type Request = (url: string | URL, init: RequestInit, signal: AbortSignal) => Promise<unknown>

/** A signal that is aborted with `signal`, which may be so already, and when it takes too long. */
export function within(clock: Clock, signal: AbortSignal): { signal: AbortSignal; stop(): void } {
  const timeout = new AbortController()
  const abort = () => timeout.abort()
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  const stop = clock.after(TIMEOUT, abort)
  return {
    signal: timeout.signal,
    stop() {
      stop()
      signal.removeEventListener('abort', abort)
    },
  }
}

export const createRequest =
  (fetch: typeof globalThis.fetch, clock: Clock): Request =>
  async (url, init, signal) => {
    const timeout = within(clock, signal)
    try {
      const response = await fetch(url, {
        redirect: 'error',
        cache: 'no-store',
        ...init,
        signal: timeout.signal,
      })
      const text = await readText(response)
      if (!response.ok) throw refusal(response, clock.wall())
      if (text === undefined) throw new AccessError('the answer is too large')
      return JSON.parse(text)
    } catch (error) {
      if (error instanceof AccessError) throw error
      // Offline, DNS, TLS, CORS, a time-out or a proxy's page: the visitor's options are the same.
      throw new AccessError('no usable answer')
    } finally {
      timeout.stop()
    }
  }

/** Reads the body of an answer; undefined where it is too large, of which no more is read. */
async function readText({ body }: Response): Promise<string | undefined> {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const part = await reader?.read()
    if (!part || part.done) return text + decoder.decode()
    text += decoder.decode(part.value, { stream: true })
    if (text.length <= LARGEST_ANSWER) continue
    void reader?.cancel()
    return undefined
  }
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
