// Requests a fresh access token from the service. Turns a failure into an answer to the browser.

import { type AccessToken, correlationHeaderOf, DEFAULT_HEADER_PREFIX, systemClock } from '../../api/index.ts'
import { ClientError, requestAccessToken } from '../../client/index.ts'
import type { BffConnector } from '../options.ts'
import { errorResponse } from '../responses.ts'

const TIMEOUT_MS = 10_000
/** How long a visitor waits if the busy service gives no Retry-After, and at most. */
const DEFAULT_WAIT_SECONDS = 5
const LONGEST_WAIT_SECONDS = 3_600

export async function requestFreshToken(
  { connectorToken, connectorHost: host, chatUrl }: BffConnector & { chatUrl: string },
  fetch: (url: URL, init: RequestInit) => Promise<Response>,
  { now, log }: { now: () => number; log: (line: string) => void },
): Promise<AccessToken | Response> {
  try {
    return await requestAccessToken(
      { chatUrl, connectorToken, host },
      {
        fetch: (url, init = {}) => fetch(new URL(String(url)), init),
        clock: { ...systemClock, now },
        random: Math.random,
        timeoutMs: TIMEOUT_MS,
        // The widget itself retries.
        retries: 0,
        correlationHeader: correlationHeaderOf(DEFAULT_HEADER_PREFIX),
        secrets: [connectorToken],
      },
    )
  } catch (error) {
    if (error instanceof ClientError) return answerFailure(error, log)
    throw error
  }
}

/**
 * The service's answer may hold secrets: the browser gets a fixed text, and the log gets only the status. What the client says of an
 * answer that it cannot use, such as the name of the field that does not fit, repeats nothing of the answer.
 */
function answerFailure(
  { status, code, retryAfterSeconds, message }: ClientError,
  log: (line: string) => void,
): Response {
  if (code === 'TIMEOUT') {
    log('access-token: the service gave no usable answer in time')
    return errorResponse(504, 'The chat service did not answer in time')
  }
  if (status === undefined || status < 400) {
    log(`access-token: the service gave no usable answer. ${message}`)
    return errorResponse(502, 'The chat service gave no usable answer')
  }
  log(`access-token: the service answered ${status}`)
  if (status === 429)
    return errorResponse(429, 'The chat service is busy; wait for the seconds in Retry-After', {
      'Retry-After': String(Math.min(retryAfterSeconds || DEFAULT_WAIT_SECONDS, LONGEST_WAIT_SECONDS)),
    })
  return errorResponse(502, 'The chat service refused the request; the log of the BFF has the reason')
}
