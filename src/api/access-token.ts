// Describes part 4 of the API: exchanges a connector token for a short-lived access token.

import * as v from 'valibot'
import { chatEndpoint } from '../protocol/index.ts'
import { ChatError } from './error.ts'
import type { Route } from './route.ts'

export const AccessToken = v.object({
  /** A JWT. */
  access_token: v.pipe(v.string(), v.nonEmpty()),
  /** Seconds until expiry. */
  expires_in: v.pipe(v.number(), v.integer(), v.minValue(0)),
  token_type: v.literal('Bearer'),
})
export type AccessToken = v.InferOutput<typeof AccessToken>

export const accessTokenRoute: Route = {
  method: 'post',
  path: '/api/v1/access-token',
  summary: 'Exchange a connector token for an access token',
  headers: {
    'X-Token': 'The connector token',
    'X-Host': 'The domain or app namespace that was registered with it; must match exactly',
  },
  body: { schema: v.object({}), required: false },
  responses: {
    200: { when: 'The access token', schema: AccessToken },
    400: { when: 'The body is not a JSON object', schema: ChatError },
    401: { when: 'A header is missing, the token is unknown, or the host does not match', schema: ChatError },
    405: { when: 'Only POST is allowed here', schema: ChatError },
    413: { when: 'The body is too large', schema: ChatError },
    415: { when: 'The content type is not application/json', schema: ChatError },
    429: { when: 'Too many requests; Retry-After says how many seconds to wait', schema: ChatError },
    500: { when: 'Failed to create access token', schema: ChatError },
  },
}

export type AccessTokenRequest = {
  /** Base address of the chat API. */
  chatUrl: string
  connectorToken: string
  host: string
  fetch: (url: URL, init: RequestInit) => Promise<Response>
  signal?: AbortSignal
}

/** The outcome of the request. `unreachable`: no answer, or no usable one. Holds no secret except the token itself. */
export type AccessTokenOutcome =
  | { kind: 'granted'; token: AccessToken }
  | { kind: 'refused'; status: number; retryAfter: string | undefined }
  | { kind: 'unreachable' }

const LARGEST_ANSWER = 65_536

/** Requests an access token. Never throws, follows no redirect, and reads only the body of a success. */
export async function requestAccessToken(request: AccessTokenRequest): Promise<AccessTokenOutcome> {
  try {
    const response = await request.fetch(chatEndpoint(request.chatUrl, '/api/v1/access-token'), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-token': request.connectorToken,
        'x-host': request.host,
      },
      body: '{}',
      redirect: 'error',
      ...(request.signal && { signal: request.signal }),
    })
    if (response.status !== 200) {
      await response.body?.cancel()
      const retryAfter = response.headers.get('retry-after') ?? undefined
      return { kind: 'refused', status: response.status, retryAfter }
    }
    const isJson = /^application\/json\b/i.test(response.headers.get('content-type') ?? '')
    const text = isJson ? await readCapped(response, LARGEST_ANSWER) : undefined
    const parsed = text === undefined ? undefined : v.safeParse(AccessToken, JSON.parse(text))
    return parsed?.success ? { kind: 'granted', token: parsed.output } : { kind: 'unreachable' }
  } catch {
    return { kind: 'unreachable' }
  }
}

/** The body as text; undefined where it is longer than `most` bytes. */
export async function readCapped(from: Request | Response, most: number): Promise<string | undefined> {
  const reader = from.body?.getReader()
  if (!reader) return ''
  const parts: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > most) {
      await reader.cancel()
      return undefined
    }
    parts.push(value)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return new TextDecoder().decode(whole)
}
