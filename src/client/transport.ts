// Sends the client's requests, reads the answers, and retries if that is safe.
//
//   attempt ──► a valid answer ──► value
//      ▲  └───► failure ──► does a retry make sense? ──no──► thrown
//      └─────── wait ◄──────────────────────────────yes

import * as v from 'valibot'
import { type Clock, CORRELATION_ID, readCapped, type TraceSpan, traced, traceHeaders } from '../api/index.ts'
import { readRetryAfter } from '../protocol/index.ts'
import { type ClientError, type FailedRequest, failureOf, type KnownFacts } from './client-error.ts'
import { pause, within } from './time-limit.ts'

export type Exchange<T> = FailedRequest & {
  method: 'GET' | 'POST'
  url: URL
  /** The form of the path, for traces: the path itself may hold IDs. */
  route: string
  headers: Readonly<Record<string, string>>
  /** The body of the request, sent as JSON. */
  body?: object
  /**
   * The status of success, and the schema of its body; without a schema the body is not read. `add`: what the headers of the answer say
   * beside its body.
   */
  success: {
    status: number
    schema?: v.GenericSchema<unknown, T>
    largest: number
    add?: (headers: Headers) => Partial<T>
  }
  /** A secret of this request only. */
  secret?: string
}

export type TransportOptions = {
  fetch: typeof fetch
  clock: Clock
  /** A random number from 0 to 1, for the jitter. */
  random: () => number
  /** Milliseconds for one attempt, including the reading of its answer. */
  timeoutMs: number
  /** Retries after the first attempt. */
  retries: number
  correlationHeader: string
  /** Secrets that no error may show, even if the service repeats them. */
  secrets: readonly string[]
}

export type Transport = { send<T>(exchange: Exchange<T>, signal: AbortSignal | undefined): Promise<T> }

const FIRST_BACKOFF_MS = 500
const LONGEST_BACKOFF_MS = 8_000
const LONGEST_RETRY_AFTER_SECONDS = 60
const LARGEST_ERROR = 1024 * 1024
const LONGEST_CORRELATION = 128

type Outcome<T> = { value: T } | { failure: ClientError }

/**
 * All fields are optional, since a gateway may answer in place of the service. Holds the field names of all
 * families, which do not clash.
 */
const optionalText = v.fallback(v.optional(v.string()), undefined)
const ErrorBody = v.object({
  error: optionalText,
  error_message: optionalText,
  detail: optionalText,
  error_code: optionalText,
  code: optionalText,
  error_id: optionalText,
})

export function createTransport(options: TransportOptions): Transport {
  const { clock, random, timeoutMs, retries } = options

  async function send<T>(exchange: Exchange<T>, signal: AbortSignal | undefined): Promise<T> {
    for (let tries = 0; ; tries++) {
      const outcome = await within(clock, timeoutMs, signal, (stop) =>
        traced(
          `${exchange.method} ${exchange.family}`,
          {
            'http.request.method': exchange.method,
            'server.address': exchange.url.hostname,
            'url.template': exchange.route,
          },
          (span) => attempt(exchange, stop, span),
          'out',
        ),
      )
      if (outcome && 'value' in outcome) return outcome.value
      const failure =
        outcome?.failure ??
        failed(exchange, `The service did not answer in ${timeoutMs} ms`, { code: 'TIMEOUT' })
      const wait = tries < retries ? waitBefore(failure, tries) : undefined
      if (wait === undefined) throw failure
      await pause(clock, wait, signal)
    }
  }

  async function attempt<T>(exchange: Exchange<T>, stop: AbortSignal, span: TraceSpan): Promise<Outcome<T>> {
    const { method, url, headers, body, success } = exchange
    try {
      const response = await options.fetch(url, {
        method,
        headers: {
          accept: 'application/json',
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
          ...traceHeaders(),
        },
        ...(body && { body: JSON.stringify(body) }),
        // A redirect would send the credential to an address that nobody configured.
        redirect: 'manual',
        signal: stop,
      })
      const correlation = response.headers.get(options.correlationHeader)?.slice(0, LONGEST_CORRELATION)
      span.setAttributes({
        'http.response.status_code': response.status,
        ...(correlation && { [CORRELATION_ID]: correlation }),
      })
      if (response.status !== success.status) return { failure: await refusal(exchange, response) }
      if (!success.schema) {
        response.body?.cancel().catch(() => {})
        return { value: undefined as T }
      }
      const text = await readCapped(response, success.largest)
      if (text === undefined)
        return unexpectedBody(exchange, response, `is larger than ${success.largest} bytes`)
      const json = parseJson(text)
      if (json === undefined) return unexpectedBody(exchange, response, 'is not JSON')
      const parsed = v.safeParse(success.schema, json)
      if (parsed.success)
        return { value: success.add ? { ...parsed.output, ...success.add(response.headers) } : parsed.output }
      // Name only the place, never the value there, which may be a token.
      const path = v.getDotPath(parsed.issues[0])
      return unexpectedBody(exchange, response, path ? `does not fit at ${path}` : 'does not fit')
    } catch (error) {
      const code = reasonCode(error)
      const words = `The service gave no complete answer${code ? ` (${code})` : ''}`
      return { failure: failed(exchange, words, { code: 'UNREACHABLE' }) }
    }
  }

  /** Builds the error for any status other than success. */
  async function refusal(exchange: Exchange<unknown>, response: Response): Promise<ClientError> {
    const { status } = response
    if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
      response.body?.cancel().catch(() => {})
      return unexpected(exchange, response, 'is a redirect, which is never followed')
    }
    const text = await readCapped(response, LARGEST_ERROR).catch(() => undefined)
    const parsed = v.safeParse(ErrorBody, parseJson(text ?? ''))
    const body = parsed.success ? parsed.output : undefined
    const words = body && (body.error_message || body.error || body.detail)
    if (status < 400 || (text !== '' && !words))
      return unexpected(
        exchange,
        response,
        status < 400 ? 'was unexpected' : 'is not an error body of the API',
      )
    return failed(
      exchange,
      words ? `The service answered ${status}: ${words}` : `The service answered ${status}`,
      {
        status,
        code: body?.error_code ?? body?.code,
        correlationId: response.headers.get(options.correlationHeader) ?? body?.error_id,
        retryAfterSeconds: retryAfterSeconds(response),
      },
    )
  }

  const unexpected = (exchange: Exchange<unknown>, response: Response, how: string) =>
    failed(exchange, `The service answered ${response.status}, and the answer ${how}`, {
      status: response.status,
      code: 'UNEXPECTED_RESPONSE',
      correlationId: response.headers.get(options.correlationHeader) ?? undefined,
      retryAfterSeconds: retryAfterSeconds(response),
    })

  const unexpectedBody = (exchange: Exchange<unknown>, response: Response, how: string) => ({
    failure: unexpected(exchange, response, how),
  })

  const failed = (exchange: Exchange<unknown>, words: string, facts: KnownFacts) =>
    failureOf(exchange, words, facts, [...options.secrets, exchange.secret ?? ''])

  /** Milliseconds until the next attempt; undefined if there should be none. */
  function waitBefore(failure: ClientError, tries: number): number | undefined {
    const askedSeconds = failure.retryAfterSeconds ?? 0
    if (!failure.retryable || askedSeconds > LONGEST_RETRY_AFTER_SECONDS) return undefined
    const backoff = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** tries)
    return Math.max(askedSeconds * 1000, backoff * (0.5 + random() / 2))
  }

  const retryAfterSeconds = (response: Response): number | undefined =>
    readRetryAfter(response.headers, clock.now())

  return { send }
}

/** Codes such as `ECONNREFUSED`, which explain the failure and hold no secrets. */
function reasonCode(error: unknown): string | undefined {
  const { cause, code } = (error ?? {}) as { cause?: { code?: unknown }; code?: unknown }
  const errorCode = cause?.code ?? code
  return typeof errorCode === 'string' && /^[A-Z][A-Z\d_]{2,40}$/.test(errorCode) ? errorCode : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
