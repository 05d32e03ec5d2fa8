// The site's own server's part: it exchanges the connector token for an access token, hands that to its own
// frame (or to origins it was told to trust), and remembers it for the visitor in a sealed cookie.
// It keeps nothing itself, and runs wherever there is fetch and WebCrypto.

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
  /** Secret. Goes to the service and nowhere else. */
  connectorToken: string
  /** The host that was registered with it; sent as X-Host. */
  connectorHost: string
  /** Base of the chat family, for the BFF and the browser. Default: the BFF's own origin. */
  chatUrl?: string | undefined
}

export type BffOptions = BffConnector & {
  /** Further connectors, by the public name that stands in their address. */
  connectors?: Readonly<Record<string, BffConnector>>
  /** Origins that may embed the frame. */
  origins?: readonly string[]
  /** Origins whose scripts may read access tokens (widgets without a frame). */
  unframedOrigins?: readonly string[]
  /** Origins whose pictures load by themselves in the panel. Default: the chat hosts and this BFF. */
  imageOrigins?: readonly string[] | undefined
  /** The first seals, all open. */
  cookieSecrets: readonly string[]
  /** What the page around the frame may be told of messages. `wire` is for tools on one's own machine. */
  expose?: 'none' | 'messages' | 'wire'
  /** What stands between the chunks of an answer where neither side has whitespace. Default: `none`. */
  chunkJoin?: 'none' | 'space'
  /** Any loopback page may embed, and only requests to a loopback name are answered. */
  demo?: boolean
  /** Whether requests to this host name are answered. Default: all are, in demo mode those to a loopback name. */
  answers?: (hostname: string) => boolean
  /** The widget's files. Default: those that came with the package, on hosts with a file system. */
  assets?: Assets
  /** How the service is reached. Default: the global fetch. `visitor`: for whom. */
  fetch?: (url: URL, init: RequestInit, visitor: { address: string }) => Promise<Response>
  /** Milliseconds since 1970. */
  now?: () => number
  /** The origin under which browsers know this BFF. Default: the request's own (wrong behind a proxy that ends TLS). */
  publicOrigin?: string | undefined
  /** Token requests a minute: by one address (a /64 of IPv6), and by one connector. Default: 60 and 6000. */
  limits?: { address: number; connector: number }
  log?: (line: string) => void
}

export type Bff = {
  /** Answers one request. `address`: the client's, as the host of this handler knows it. */
  fetch(request: Request, context: { address: string }): Promise<Response>
}

const LARGEST_BODY = 4096
const UPSTREAM_TIMEOUT_MS = 10_000
/** What a visitor waits where the service that is busy does not say, and at most. */
const DEFAULT_WAIT_SECONDS = 5
const LONGEST_WAIT_SECONDS = 3_600
const LONGEST_COOKIE_SECONDS = 86_400
/** A token is not given out again in its last seconds. */
const MARGIN_SECONDS = 60
const VERSION = 1
/** In demo mode any page of this machine may embed. */
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
    // A name that was made to point here (DNS rebinding) must not pass for our own origin.
    if (!answers(url.hostname)) return refuse(403, 'This server does not answer under this name')
    // From here on the host may stand in addresses and in the frame's policy.
    if (!isHost(new URL(own).host)) return refuse(400, 'The host of the request is not valid')
    const name = assetName(url.pathname)
    if (name !== undefined) return asset(request, name)
    const [, connector] = /^\/foyer\/(?:([\w-]+)\/)?access-token$/.exec(url.pathname) ?? [
      undefined,
      undefined,
    ]
    if (/^\/foyer\/(?:[\w-]+\/)?access-token$/.test(url.pathname)) {
      const known = connectors.get(connector ?? '')
      if (!known) return refuse(404, 'There is no connector of this name')
      return accessToken(request, own, connector ?? '', known, context.address)
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405, 'Only GET is allowed here')
    switch (url.pathname) {
      case '/foyer/frame':
        return framePage({
          ancestors: options.demo ? [...LOOPBACK_PAGES, ...origins()] : origins(),
          connect: chatOrigins(own),
          images: imageOrigins(own),
        })
      case '/foyer/config':
        return config(request.headers.get('origin'), own)
      case '/foyer/health':
        return Response.json({ status: 'ok' }, { headers: { 'Cache-Control': 'no-store' } })
      default:
        return refuse(404, 'There is nothing at this address')
    }
  }

  /** What a widget must know before it asks for a token. Anybody may read it, so it holds nothing secret. */
  function config(origin: string | null, own: string): Response {
    return Response.json(
      {
        version: VERSION,
        expose: options.expose ?? 'none',
        // Without an Origin the BFF's own page asks.
        unframed: origin === null || mayAsk(origin, own),
        imageOrigins: imageOrigins(own),
        chunkJoin: options.chunkJoin ?? 'none',
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

  /** Whether scripts of this origin are given tokens. */
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
        refuse(429, 'Too many requests; wait as long as Retry-After says', { 'Retry-After': String(wait) }),
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
      // The cookie says the same as the answer.
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
    // Whatever the service said may name what the browser must not see: it gets our words, the log gets the status.
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
          refuse(429, 'The chat service is busy; wait as long as Retry-After says', {
            'Retry-After': String(Math.min(wait, LONGEST_WAIT_SECONDS)),
          }),
        )
      }
      return guard(
        refuse(502, 'The chat service refused; its operator finds the reason in the log of the BFF'),
      )
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
    if (!assets) return refuse(404, 'The files of the widget are not here: give createBff the option assets')
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
        return refuse(500, 'Something went wrong here; the operator finds it in the log of the BFF')
      }
    },
  }
}

/** `more`: for frames of our own origin. What is undefined is left out. */
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

/** Headers of everything that is said about tokens. `cors`: the foreign origin that may read it. */
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

/** Seconds to wait; undefined where all limits are kept. */
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
