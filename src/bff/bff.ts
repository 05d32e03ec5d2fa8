// The site's own server's part: it exchanges the connector token for an access token, hands that to its own
// frame (or to origins it was told to trust), and remembers it for the visitor in a sealed cookie.
// It keeps nothing itself, and runs wherever there is fetch and WebCrypto.

import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { isJson, readCapped, requestAccessToken } from '../api/index.ts'
import { isLoopback } from '../protocol/index.ts'
import { framePage } from './frame.ts'
import { cookieName, createSeal } from './seal.ts'

export type BffConnector = {
  /** Secret. Goes to the service and nowhere else. */
  connectorToken: string
  /** The host that was registered with it; sent as X-Host. */
  connectorHost: string
  /** Base of the chat family, for the BFF and the browser. Default: the BFF's own origin. */
  chatUrl?: string | undefined
}

/** A file of the widget, by its name below /foyer/assets/ (or `foyer.js`). */
export type Asset = { body: Uint8Array<ArrayBuffer>; type: string; immutable: boolean }

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
  /** Any loopback page may embed; only loopback addresses are answered. */
  demo?: boolean
  assets?: (name: string) => Promise<Asset | undefined>
  /** How the service is reached. Default: the global fetch. */
  fetch?: typeof fetch
  /** Milliseconds since 1970. */
  now?: () => number
  /** The origin under which browsers know this BFF. Default: the request's own (wrong behind a proxy that ends TLS). */
  publicOrigin?: string | undefined
  /** Requests a minute: by one address, and by one connector. */
  limits?: { address: number; connector: number }
  headerPrefix?: string
  log?: (line: string) => void
}

export type Bff = {
  /** Answers one request. `address`: the client's, as the host of this handler knows it. */
  fetch(request: Request, context: { address: string }): Promise<Response>
}

const LARGEST_BODY = 4096
const UPSTREAM_TIMEOUT_MS = 10_000
const LONGEST_COOKIE_SECONDS = 86_400
/** A token is not given out again in its last seconds. */
const MARGIN_SECONDS = 60
const VERSION = 1

export function createBff(options: BffOptions): Bff {
  const seal = createSeal(options.cookieSecrets)
  const now = options.now ?? Date.now
  const log = options.log ?? (() => {})
  const limits = options.limits ?? { address: 60, connector: 6_000 }
  const byAddress = new RateLimiterMemory({ points: limits.address, duration: 60 })
  const byConnector = new RateLimiterMemory({ points: limits.connector, duration: 60 })
  const unframed = new Set(options.unframedOrigins ?? [])
  const connectors = new Map<string, BffConnector>([
    ['', options],
    ...Object.entries(options.connectors ?? {}),
  ])

  async function fetchIt(request: Request, context: { address: string }): Promise<Response> {
    const url = new URL(request.url)
    const own = options.publicOrigin ?? url.origin
    // A name that was made to point here (DNS rebinding) must not pass for our own origin.
    if (options.demo && !isLoopback(url.hostname)) return refuse(403, 'The demo answers on this machine only')
    if (url.pathname === '/foyer.js') return asset(request, 'foyer.js')
    const [, name] = /^\/foyer\/assets\/([\w.-]+)$/.exec(url.pathname) ?? []
    if (name) return asset(request, name)
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
          ancestors: options.demo ? ['http://localhost:*', 'http://127.0.0.1:*', ...origins()] : origins(),
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

  const origins = () => options.origins ?? []
  const chatOrigins = (own: string) => {
    const all = [...connectors.values()].map(({ chatUrl }) => new URL(chatUrl ?? own).origin)
    return [...new Set([...all, own])]
  }

  const imageOrigins = (own: string) => options.imageOrigins ?? chatOrigins(own)

  /** Holds nothing that not everybody may know, so that every origin may read it, without credentials. */
  function config(origin: string | null, own: string): Response {
    return Response.json(
      {
        version: VERSION,
        expose: options.expose ?? 'none',
        imageOrigins: imageOrigins(own),
        // Of its own page a browser sends no Origin here.
        unframed: origin === null || origin === own || unframed.has(origin),
      },
      { headers: { 'Cache-Control': 'no-cache', 'Access-Control-Allow-Origin': '*', Vary: 'Origin' } },
    )
  }

  async function accessToken(
    request: Request,
    own: string,
    connector: string,
    settings: BffConnector,
    address: string,
  ): Promise<Response> {
    const origin = request.headers.get('origin')
    const isOwn = origin === own
    if (origin === null || !(isOwn || unframed.has(origin)))
      return refuse(403, 'This origin may not ask for a token')
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
      [byAddress, address],
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
    if (body.resume === true) {
      const sealed = readCookie(request.headers.get('cookie'), cookie)
      const kept = sealed === undefined ? undefined : await seal.open(sealed)
      const fits = kept && kept.connector === connector && kept.origin === origin
      if (kept && fits && kept.expires - MARGIN_SECONDS > seconds)
        return guard(grant(kept.token, kept.expires - seconds, true, chatUrl))
    }

    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(), UPSTREAM_TIMEOUT_MS)
    const outcome = await requestAccessToken({
      chatUrl,
      connectorToken: settings.connectorToken,
      host: settings.connectorHost,
      fetch: options.fetch ?? ((...args) => globalThis.fetch(...args)),
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
      const seconds = Number(outcome.retryAfter)
      if (outcome.status === 429)
        return guard(
          refuse(429, 'The chat service is busy; wait as long as Retry-After says', {
            'Retry-After': String(Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : 5),
          }),
        )
      return guard(
        refuse(502, 'The chat service refused; its operator finds the reason in the log of the BFF'),
      )
    }
    const { access_token, expires_in } = outcome.token
    const expires = seconds + expires_in
    const sealed = await seal.seal({ token: access_token, connector, origin, expires })
    const response = grant(access_token, expires_in, false, chatUrl)
    response.headers.append(
      'Set-Cookie',
      cookieText(cookie, sealed, Math.min(expires_in, LONGEST_COOKIE_SECONDS)),
    )
    return guard(response)
  }

  async function asset(request: Request, name: string): Promise<Response> {
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405, 'Only GET is allowed here')
    const found = await options.assets?.(name)
    if (!found) return refuse(404, 'There is no file of this name')
    // Public by nature: the same bytes for everybody, on any site.
    const headers: Record<string, string> = {
      'Content-Type': found.type,
      'Cache-Control': found.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'X-Content-Type-Options': 'nosniff',
    }
    if (!found.immutable) {
      headers.ETag = `"${await digest(found.body)}"`
      if (request.headers.get('if-none-match') === headers.ETag)
        return new Response(null, { status: 304, headers })
    }
    return new Response(found.body, { headers })
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

function grant(token: string, expiresIn: number, resumed: boolean, chatUrl: string): Response {
  return Response.json({
    access_token: token,
    expires_in: expiresIn,
    token_type: 'Bearer',
    resumed,
    chat_url: chatUrl,
  })
}

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

async function digest(body: Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', body))
  return [...bytes.slice(0, 12)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
