// Creates the BFF: it exchanges the connector token for an access token, hands that token to its own frame (or to
// origins that its options trust), and keeps it for the visitor in a sealed cookie. The BFF stores nothing itself, and
// runs on every host with fetch and WebCrypto.

import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { countingKey, isJson, readCapped, readRetryAfter, requestAccessToken } from '../api/index.ts'
import { isLoopback } from '../protocol/index.ts'
import { type Assets, answerAsset, assetName } from './assets.ts'
import { framePage } from './frame.ts'
import { isHost } from './host.ts'
import { ownAssets } from './node.ts'
import { isSameOrigin, readAsked, resume, textFor } from './resume.ts'
import { cookieName, createSeal, type Sealed } from './seal.ts'

export type BffConnector = {
  /** Secret. Sent to the service only. */
  connectorToken: string
  /** The host registered with the token; sent as X-Host. */
  connectorHost: string
  /** Base address of the chat API, for the BFF and the browser. Default: the BFF's own origin. */
  chatUrl?: string | undefined
}

export type BffOptions = BffConnector & {
  /** Further connectors, by the public name in their address. */
  connectors?: Readonly<Record<string, BffConnector>>
  /** Origins that may embed the frame. */
  origins?: readonly string[]
  /** Origins whose scripts may read access tokens (widgets without a frame). */
  unframedOrigins?: readonly string[]
  /** Origins whose images the panel loads without asking. Default: the chat hosts and this BFF. */
  imageOrigins?: readonly string[] | undefined
  /** The first seals; all open. */
  cookieSecrets: readonly string[]
  /** What the page around the frame learns about messages. `wire` is for development tools on the same machine. */
  expose?: 'none' | 'messages' | 'wire'
  /** Separator between the chunks of an answer if neither has whitespace there. Default: `none`. */
  chunkJoin?: 'none' | 'space'
  /** `required`: visitors are asked before anything is stored or contacted, whatever the page says. Default: `page`. */
  consent?: 'required' | 'page'
  /** Demo mode: any loopback page may embed the frame, and the BFF answers only requests to a loopback name. */
  demo?: boolean
  /** Whether the BFF answers requests to this host name. Default: all names, in demo mode loopback names. */
  answers?: (hostname: string) => boolean
  /** The widget's files. Default: the files in the package, on hosts with a file system. */
  assets?: Assets
  /** Sends requests to the service. Default: the global fetch. `visitor`: the visitor whom the request is for. */
  fetch?: (url: URL, init: RequestInit, visitor: { address: string }) => Promise<Response>
  /** Milliseconds since 1970. */
  now?: () => number
  /**
   * The origin under which browsers know this BFF. Default: the origin of the request (wrong behind a proxy that
   * terminates TLS).
   */
  publicOrigin?: string | undefined
  /** Token requests a minute: by one address (a /64 of IPv6), and by one connector. Default: 60 and 6000. */
  limits?: { address: number; connector: number }
  log?: (line: string) => void
}

export type Bff = {
  /** Answers one request. `address`: the address of the client, which the host of this handler knows. */
  fetch(request: Request, context: { address: string }): Promise<Response>
}

const LARGEST_BODY = 4096
const UPSTREAM_TIMEOUT_MS = 10_000
/** How long a visitor waits if the busy service gives no Retry-After, and at most. */
const DEFAULT_WAIT_SECONDS = 5
const LONGEST_WAIT_SECONDS = 3_600
const LONGEST_COOKIE_SECONDS = 86_400
/** The BFF does not hand out a token again in its last seconds. */
const MARGIN_SECONDS = 60
const VERSION = 1
/** In demo mode any page of this machine may embed the frame. */
const LOOPBACK_PAGES = ['http', 'https'].flatMap((scheme) => [
  `${scheme}://localhost:*`,
  `${scheme}://127.0.0.1:*`,
])

export function createBff(options: BffOptions): Bff {
  const seal = createSeal(options.cookieSecrets)
  const now = options.now ?? Date.now
  const log = options.log ?? (() => {})
  const limits = options.limits ?? { address: 60, connector: 6_000 }
  const byAddress = new RateLimiterMemory({ points: limits.address, duration: 60 })
  const byConnector = new RateLimiterMemory({ points: limits.connector, duration: 60 })
  const unframed = new Set(options.unframedOrigins ?? [])
  const reach = options.fetch ?? ((url, init) => globalThis.fetch(url, init))
  const answers = options.answers ?? (options.demo ? isLoopback : () => true)
  const assets = options.assets ?? ownAssets()
  const connectors = new Map<string, BffConnector>([
    ['', options],
    ...Object.entries(options.connectors ?? {}),
  ])

  async function fetchIt(request: Request, context: { address: string }): Promise<Response> {
    const url = new URL(request.url)
    const own = options.publicOrigin ?? url.origin
    // A foreign name that resolves to this server (DNS rebinding) must not pass for our own origin.
    if (!answers(url.hostname)) return refuse(403, 'This server does not answer requests to this host name')
    // From here on the host is safe in addresses and in the frame's policy.
    if (!isHost(new URL(own).host)) return refuse(400, 'The host of the request is not valid')
    const name = assetName(url.pathname)
    if (name !== undefined) return asset(request, name)
    const [, connector] = /^\/foyer\/(?:([\w-]+)\/)?access-token$/.exec(url.pathname) ?? [
      undefined,
      undefined,
    ]
    if (/^\/foyer\/(?:[\w-]+\/)?access-token$/.test(url.pathname)) {
      const known = connectors.get(connector ?? '')
      if (!known) return refuse(404, 'There is no connector with this name')
      return accessToken(request, own, connector ?? '', known, context.address)
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405, 'Only GET is allowed here')
    switch (url.pathname) {
      case '/foyer/frame':
        return framePage({
          ancestors: options.demo ? [...LOOPBACK_PAGES, ...origins()] : origins(),
          connect: chatOrigins(own),
          images: imageOrigins(own),
          consent: options.consent === 'required',
        })
      case '/foyer/config':
        return config(request.headers.get('origin'), own)
      case '/foyer/health':
        return Response.json({ status: 'ok' }, { headers: { 'Cache-Control': 'no-store' } })
      default:
        return refuse(404, 'There is nothing at this address')
    }
  }

  /** The configuration that a widget reads before it asks for a token. It is public, and holds nothing secret. */
  function config(origin: string | null, own: string): Response {
    return Response.json(
      {
        version: VERSION,
        expose: options.expose ?? 'none',
        // A request without an Origin comes from the BFF's own page.
        unframed: origin === null || mayAsk(origin, own),
        imageOrigins: imageOrigins(own),
        chunkJoin: options.chunkJoin ?? 'none',
        consent: options.consent ?? 'page',
      },
      {
        headers: {
          'Access-Control-Allow-Origin': '*',
          'Cache-Control': 'no-cache',
          Vary: 'Origin',
          'X-Content-Type-Options': 'nosniff',
        },
      },
    )
  }

  /** Whether scripts of this origin may get tokens. */
  const mayAsk = (origin: string, own: string) => origin === own || unframed.has(origin)
  const origins = () => options.origins ?? []
  const chatOrigins = (own: string) => {
    const all = [...connectors.values()].map(({ chatUrl }) => new URL(chatUrl ?? own).origin)
    return [...new Set([...all, own])]
  }
  const imageOrigins = (own: string) => options.imageOrigins ?? chatOrigins(own)

  async function accessToken(
    request: Request,
    own: string,
    connector: string,
    settings: BffConnector,
    address: string,
  ): Promise<Response> {
    const origin = request.headers.get('origin')
    const isOwn = origin === own
    if (origin === null || !mayAsk(origin, own)) return refuse(403, 'This origin may not ask for a token')
    const guard = (response: Response): Response => guarded(response, isOwn ? undefined : origin)

    if (request.method === 'OPTIONS' && !isOwn)
      return guard(
        new Response(null, {
          status: 204,
          headers: {
            'Access-Control-Allow-Methods': 'POST, DELETE',
            'Access-Control-Allow-Headers': 'content-type',
            'Access-Control-Max-Age': '600',
          },
        }),
      )
    const cookie = await cookieName(connector, origin)
    if (request.method === 'DELETE')
      return guard(new Response(null, { status: 204, headers: { 'Set-Cookie': cookieText(cookie, '', 0) } }))
    if (request.method !== 'POST')
      return guard(refuse(405, 'Only POST and DELETE are allowed here', { Allow: 'POST, DELETE' }))
    if (!isJson(request.headers.get('content-type')))
      return guard(refuse(415, 'The content type must be application/json'))
    const wait = await overLimit([
      [byAddress, countingKey(address)],
      [byConnector, `connector ${connector}`],
    ])
    if (wait !== undefined)
      return guard(
        refuse(429, 'Too many requests; wait for the seconds in Retry-After', {
          'Retry-After': String(wait),
        }),
      )
    const text = await readCapped(request, LARGEST_BODY)
    if (text === undefined) return guard(refuse(413, `The body is larger than ${LARGEST_BODY} bytes`))
    const body = parseObject(text)
    if (!body) return guard(refuse(400, 'The body must be a JSON object'))

    const chatUrl = settings.chatUrl ?? own
    const seconds = Math.floor(now() / 1000)
    const asked = readAsked(body, isSameOrigin(request, own))
    const cookieValue = readCookie(request.headers.get('cookie'), cookie)
    const fits = (kept: Sealed) =>
      kept.connector === connector && kept.origin === origin && kept.expires - MARGIN_SECONDS > seconds
    const { resumed, cookieSeen } = await resume(asked, cookieValue, seal, fits)
    if (asked.resume && resumed) {
      const { kept, text } = resumed
      const left = kept.expires - seconds
      const response = grant(kept.token, left, true, chatUrl, {
        session_id: kept.sessionId,
        sealed: textFor(asked, cookieSeen, text),
      })
      // The cookie holds the same token as the answer.
      if (text !== cookieValue) remember(response, cookie, text, left)
      return guard(response)
    }

    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(), UPSTREAM_TIMEOUT_MS)
    const outcome = await requestAccessToken({
      chatUrl,
      connectorToken: settings.connectorToken,
      host: settings.connectorHost,
      fetch: (url, init) => reach(url, init, { address }),
      signal: timeout.signal,
    })
    clearTimeout(timer)
    // The answer of the service may hold secrets: the browser gets a text of ours, and the log gets the status.
    if (outcome.kind === 'unreachable') {
      log(`access-token: the service gave no usable answer${timeout.signal.aborted ? ' in time' : ''}`)
      return guard(
        timeout.signal.aborted
          ? refuse(504, 'The chat service did not answer in time')
          : refuse(502, 'The chat service gave no usable answer'),
      )
    }
    if (outcome.kind === 'refused') {
      log(`access-token: the service answered ${outcome.status}`)
      if (outcome.status === 429) {
        const wait = readRetryAfter(outcome.retryAfter ?? null, now()) || DEFAULT_WAIT_SECONDS
        return guard(
          refuse(429, 'The chat service is busy; wait for the seconds in Retry-After', {
            'Retry-After': String(Math.min(wait, LONGEST_WAIT_SECONDS)),
          }),
        )
      }
      return guard(refuse(502, 'The chat service refused the request; the log of the BFF has the reason'))
    }
    const { access_token, expires_in } = outcome.token
    const expires = seconds + expires_in
    const sealed = await seal.seal({ token: access_token, connector, origin, expires })
    const response = grant(access_token, expires_in, false, chatUrl, {
      sealed: textFor(asked, cookieSeen, sealed),
    })
    remember(response, cookie, sealed, expires_in)
    return guard(response)
  }

  async function asset(request: Request, name: string): Promise<Response> {
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405, 'Only GET is allowed here')
    if (!assets) return refuse(404, 'The files of the widget are missing: give createBff the option assets')
    const found = await assets(name)
    if (!found) return refuse(404, 'There is no file of this name')
    return answerAsset(found, request.headers.get('if-none-match'))
  }

  return {
    async fetch(request, context) {
      try {
        return await fetchIt(request, context)
      } catch (error) {
        log(
          `${request.method} ${new URL(request.url).pathname} failed: ${error instanceof Error ? error.name : 'unknown'}`,
        )
        return refuse(500, 'The BFF failed; its log has the reason')
      }
    },
  }
}

/** `more`: fields for frames of our own origin. Undefined fields are omitted. */
function grant(
  token: string,
  expiresIn: number,
  resumed: boolean,
  chatUrl: string,
  more: { session_id?: string | undefined; sealed?: string | undefined },
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

function refuse(status: number, error: string, headers: Record<string, string> = {}): Response {
  return Response.json(
    { error },
    { status, headers: { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', ...headers } },
  )
}

/** Headers of every answer to a token request. `cors`: the foreign origin that may read the answer. */
function guarded(response: Response, cors: string | undefined): Response {
  const { headers } = response
  headers.set('Cache-Control', 'no-store')
  headers.set('Pragma', 'no-cache')
  headers.set('Vary', 'Origin')
  headers.set('X-Content-Type-Options', 'nosniff')
  headers.set('Referrer-Policy', 'no-referrer')
  if (cors !== undefined) {
    headers.set('Access-Control-Allow-Origin', cors)
    headers.set('Access-Control-Allow-Credentials', 'true')
    headers.set('Access-Control-Expose-Headers', 'Retry-After')
  }
  return response
}

const cookieText = (name: string, value: string, maxAge: number): string =>
  `${name}=${value}; Secure; HttpOnly; SameSite=None; Partitioned; Path=/; Max-Age=${maxAge}`

function readCookie(header: string | null, name: string): string | undefined {
  const start = `${name}=`
  return header
    ?.split(/;\s*/)
    .find((pair) => pair.startsWith(start))
    ?.slice(start.length)
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** Seconds to wait; undefined if no limit is exceeded. */
async function overLimit(checks: [RateLimiterMemory, string][]): Promise<number | undefined> {
  for (const [limiter, key] of checks) {
    try {
      await limiter.consume(key)
    } catch (exceeded) {
      return Math.max(1, Math.ceil((exceeded as RateLimiterRes).msBeforeNext / 1000))
    }
  }
  return undefined
}
