// The HTTP doors of the chat family.

import { Hono } from 'hono'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import * as v from 'valibot'
import { accessTokenRoute, readCapped, SessionRequest, sessionRoute } from '../api/index.ts'
import type { Conversations } from './conversation.ts'
import { hostMatches } from './hosts.ts'
import { openApiDocument } from './openapi.ts'
import type { Registry } from './store/index.ts'
import type { Tokens } from './tokens.ts'

const LARGEST_BODY = 65_536
const TOKENS_A_MINUTE = 300
const SESSIONS_A_MINUTE = 60

export type DoorsOptions = {
  registry: Registry
  tokens: Tokens
  conversations: Conversations
  headerPrefix: string
  uuid: () => string
  log: (line: string) => void
}

type Env = { Bindings: { address: string } }

export function createDoors(options: DoorsOptions) {
  const { registry, tokens, conversations, headerPrefix, uuid, log } = options
  const correlationHeader = `X-${headerPrefix}-Correlation-Id`
  const tokenLimit = new RateLimiterMemory({ points: TOKENS_A_MINUTE, duration: 60 })
  const sessionLimit = new RateLimiterMemory({ points: SESSIONS_A_MINUTE, duration: 60 })
  const document = openApiDocument([accessTokenRoute, sessionRoute], correlationHeader)
  const app = new Hono<Env>()

  const error = (text: string, status: number, headers: Record<string, string> = {}) =>
    Response.json({ error: text }, { status, headers })

  app.use(async (c, next) => {
    const given = c.req.header(correlationHeader)
    const correlation = given && /^[\w.:-]{1,128}$/.test(given) ? given : uuid()
    await next()
    c.header(correlationHeader, correlation)
    c.header('Cache-Control', 'no-store')
    c.header('X-Content-Type-Options', 'nosniff')
  })

  // The credential is a header that the page adds itself, so any origin may ask, without cookies.
  app.use(sessionRoute.path, async (c, next) => {
    if (c.req.method === 'OPTIONS')
      return new Response(null, {
        status: 204,
        headers: {
          'Access-Control-Allow-Origin': '*',
          'Access-Control-Allow-Methods': 'POST',
          'Access-Control-Allow-Headers': 'authorization, content-type',
          'Access-Control-Max-Age': '7200',
        },
      })
    await next()
    c.header('Access-Control-Allow-Origin', '*')
    c.header('Access-Control-Expose-Headers', `${correlationHeader}, Retry-After`)
  })

  app.post(accessTokenRoute.path, async (c) => {
    const token = c.req.header('x-token')
    const host = c.req.header('x-host')
    if (!token || !host) return error('Missing authentication headers', 401)
    if (!isJson(c.req.header('content-type'))) return error('The content type must be application/json', 415)
    const limited = await overLimit(tokenLimit, [c.env.address])
    if (limited) return limited
    const body = await readBody(c.req.raw)
    if (body instanceof Response) return body
    const connector = await registry.findConnector(token)
    if (!connector) return error('Connector token does not exist', 401)
    if (connector.host === '') return error('Connector missing host domain', 401)
    if (!hostMatches(connector.host, host, connector.allow_subdomains))
      return error('Failed to validate connector', 401)
    return c.json({
      access_token: await tokens.issue(connector.id, host),
      expires_in: tokens.ttlSeconds,
      token_type: 'Bearer',
    })
  })

  app.post(sessionRoute.path, async (c) => {
    const authorization = c.req.header('authorization')
    if (authorization === undefined) return error('Missing access token', 400)
    const [, token] = /^Bearer (\S+)$/i.exec(authorization) ?? []
    if (!token) return error('Missing authentication headers', 401)
    const claims = await tokens.verify(token)
    if (!claims) return error('Invalid access token', 401)
    if (!isJson(c.req.header('content-type'))) return error('The content type must be application/json', 415)
    const limited = await overLimit(sessionLimit, [claims.tokenId])
    if (limited) return limited
    const body = await readBody(c.req.raw)
    if (body instanceof Response) return body
    const request = v.safeParse(SessionRequest, body)
    if (!request.success) {
      const [issue] = request.issues
      return error(`Error parsing request: ${v.getDotPath(issue) ?? 'body'}: ${issue.message}`, 400)
    }
    const { platform, streaming_enabled } = request.output
    const session_id = await conversations.start(
      claims.connectorId,
      claims.tokenId,
      platform,
      streaming_enabled,
    )
    return c.json({ session_id })
  })

  // A client that lost its socket asks whether anybody is here before it tries another.
  app.use(sessionRoute.path, async (c, next) => {
    if (c.req.method === 'HEAD') return new Response(null, { status: 204 })
    await next()
  })
  app.get('/openapi.json', (c) => c.json(document))
  app.all(accessTokenRoute.path, () => error('Only POST is allowed here', 405, { Allow: 'POST' }))
  app.all(sessionRoute.path, () => error('Only POST is allowed here', 405, { Allow: 'POST, OPTIONS' }))
  app.notFound(() => error('There is nothing at this address', 404))
  app.onError((failure, c) => {
    log(`${c.req.method} ${c.req.path} failed: ${failure.message}`)
    const what =
      c.req.path === sessionRoute.path ? 'Failed to create session' : 'Failed to create access token'
    return error(what, 500)
  })

  /** An object, also where there is no body at all; else the answer that says what is wrong. */
  async function readBody(request: Request): Promise<object | Response> {
    const text = await readCapped(request, LARGEST_BODY)
    if (text === undefined) return error(`The body is larger than ${LARGEST_BODY} bytes`, 413)
    if (text.trim() === '') return {}
    try {
      const value: unknown = JSON.parse(text)
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
    } catch {
      // Answered like anything else that is not an object.
    }
    return error('Error parsing request', 400)
  }

  async function overLimit(limiter: RateLimiterMemory, keys: string[]): Promise<Response | undefined> {
    for (const key of keys) {
      try {
        await limiter.consume(key)
      } catch (exceeded) {
        const wait = Math.ceil((exceeded as RateLimiterRes).msBeforeNext / 1000)
        return error('Too many requests; wait as long as Retry-After says', 429, {
          'Retry-After': String(wait),
        })
      }
    }
    return undefined
  }

  return {
    /** Answers one request. `address`: the client's, as the host of this handler knows it. */
    fetch: async (request: Request, { address }: { address: string }): Promise<Response> =>
      app.fetch(request, { address }),
  }
}

const isJson = (type: string | undefined): boolean => /^application\/json\s*(;|$)/i.test(type ?? '')
