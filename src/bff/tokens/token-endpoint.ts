// Answers token requests: resumes the sealed token of a visitor, or exchanges the connector token for a fresh one.

import { BFF_PATHS, countingKey, hasForm, isJson, parseObject, traced } from '../../api/index.ts'
import type { BffConnector, Visitor } from '../options.ts'
import { errorResponse, guarded } from '../responses.ts'

import { cookieName, cookieText, readCookie } from './cookie.ts'
import { requestFreshToken } from './fresh-token.ts'
import type { Limiter } from './limits.ts'
import { readBody } from './request-body.ts'
import { isSameOrigin, readAsked, resume, textFor } from './resume.ts'
import type { Seal, Sealed } from './seal.ts'
import { createSparingLog } from './sparing-log.ts'

const LARGEST_BODY = 4096
const LONGEST_COOKIE_SECONDS = 86_400
/** The BFF does not hand out a token again in its last seconds. */
const MARGIN_SECONDS = 60

export interface TokenEndpoint {
  /** Whether scripts of this origin may get tokens. */
  mayAsk(origin: string, own: string): boolean
  /** `own`: the BFF's own origin. */
  answer(request: Request, own: string, visitor: Visitor): Promise<Response>
}

export type TokenEndpointOptions = {
  seal: Seal
  limiter: Limiter
  now: () => number
  log: (line: string) => void
}

/** A request whose origin may ask. */
type Asking = { request: Request; own: string; visitor: Visitor; origin: string }

/** The form of the address, for traces. A BFF may stand at an address of the site's own. */
function routeOf({ url }: Request): string {
  const { pathname } = new URL(url)
  return BFF_PATHS.find((form) => hasForm(form, pathname)) ?? 'other'
}

/** `connector`: the connector's public name. */
export function createTokenEndpoint(
  connector: string,
  settings: BffConnector,
  { seal, limiter, now, log }: TokenEndpointOptions,
): TokenEndpoint {
  const { address: mostOfAddress = 60, connector: mostOfConnector = 6_000 } = settings.limits ?? {}
  const unframed = new Set(settings.unframedOrigins ?? [])
  const reach = settings.fetch ?? ((url, init) => globalThis.fetch(url, init))
  const logSparingly = createSparingLog(log, now)
  const mayAsk = (origin: string, own: string) => origin === own || unframed.has(origin)

  async function answer(request: Request, own: string, visitor: Visitor): Promise<Response> {
    const origin = request.headers.get('origin')
    if (origin === null || !mayAsk(origin, own))
      return errorResponse(403, 'This origin may not ask for a token')
    return guarded(await answerOrigin({ request, own, visitor, origin }), origin === own ? undefined : origin)
  }

  /** Seconds to wait; undefined if no limit is exceeded. */
  const overLimit = async (address: string): Promise<number | undefined> =>
    (await limiter.check(`address ${connector} ${countingKey(address)}`, mostOfAddress)) ??
    limiter.check(`connector ${connector}`, mostOfConnector)

  async function answerOrigin(asking: Asking): Promise<Response> {
    const { request, own, visitor, origin } = asking
    if (request.method === 'OPTIONS' && origin !== own)
      return new Response(null, {
        status: 204,
        headers: {
          'Access-Control-Allow-Methods': 'POST, DELETE',
          'Access-Control-Allow-Headers': 'content-type',
          'Access-Control-Max-Age': '600',
        },
      })
    const cookie = await cookieName(connector, origin)
    if (request.method === 'DELETE')
      return new Response(null, { status: 204, headers: { 'Set-Cookie': cookieText(cookie, '', 0) } })
    if (request.method !== 'POST')
      return errorResponse(405, 'Only POST and DELETE are allowed here', { Allow: 'POST, DELETE' })
    if (!isJson(request.headers.get('content-type')))
      return errorResponse(415, 'The content type must be application/json')
    const wait = await overLimit(visitor.address)
    if (wait !== undefined)
      return errorResponse(429, 'Too many requests; wait for the seconds in Retry-After', {
        'Retry-After': String(wait),
      })
    const text = await readBody(request, visitor.body, LARGEST_BODY)
    if (text === undefined) return errorResponse(413, `The body is larger than ${LARGEST_BODY} bytes`)
    const body = parseObject(text)
    return body ? grantToken(asking, cookie, body) : errorResponse(400, 'The body must be a JSON object')
  }

  /** Answers with the token that the browser keeps sealed, or with a fresh one. */
  async function grantToken(
    { request, own, visitor: { address }, origin }: Asking,
    cookie: string,
    body: Readonly<Record<string, unknown>>,
  ): Promise<Response> {
    const chatUrl = settings.chatUrl ?? own
    const seconds = Math.floor(now() / 1000)
    const asked = readAsked(body, isSameOrigin(request, own))
    const cookieValue = readCookie(request.headers.get('cookie'), cookie)
    const fits = (kept: Sealed) =>
      kept.connector === connector && kept.origin === origin && kept.expires - MARGIN_SECONDS > seconds
    const { resumed, cookieSeen } = await resume(asked, cookieValue, seal, fits)
    if (asked.resume && resumed) {
      const { kept, text } = resumed
      const secondsLeft = kept.expires - seconds
      const response = grant(kept.token, secondsLeft, true, chatUrl, {
        session_id: kept.sessionId,
        session_status: kept.hasStatus,
        sealed: textFor(asked, cookieSeen, text),
      })
      // The cookie holds the same token as the answer.
      if (text !== cookieValue) remember(response, cookie, text, secondsLeft)
      return response
    }

    if (settings.enabled === false) return errorResponse(403, 'This chat is switched off')
    const fresh = await requestFreshToken(
      { ...settings, chatUrl },
      (url, init) => reach(url, init, { address }),
      { now, log: logSparingly },
    )
    if (fresh instanceof Response) return fresh
    const { access_token: token, expires_in } = fresh
    const sealed = await seal.seal({ token, connector, origin, expires: seconds + expires_in })
    const response = grant(token, expires_in, false, chatUrl, { sealed: textFor(asked, cookieSeen, sealed) })
    remember(response, cookie, sealed, expires_in)
    return response
  }

  return {
    mayAsk,
    answer: (request, own, visitor) =>
      traced(
        'token request',
        {
          'foyer.connector': connector,
          'http.request.method': request.method,
          'http.route': routeOf(request),
        },
        async (span) => {
          const response = await answer(request, own, visitor)
          span.setAttributes({ 'http.response.status_code': response.status })
          return response
        },
        'in',
      ),
  }
}

/** `more`: fields for frames of our own origin. Undefined fields are omitted. */
function grant(
  token: string,
  expiresIn: number,
  resumed: boolean,
  chatUrl: string,
  more: { session_id?: string | undefined; session_status?: true | undefined; sealed?: string | undefined },
): Response {
  return Response.json({
    access_token: token,
    expires_in: expiresIn,
    token_type: 'Bearer',
    resumed,
    chat_url: chatUrl,
    ...more,
  })
}

const remember = (response: Response, cookie: string, sealed: string, seconds: number): void =>
  response.headers.append('Set-Cookie', cookieText(cookie, sealed, Math.min(seconds, LONGEST_COOKIE_SECONDS)))
