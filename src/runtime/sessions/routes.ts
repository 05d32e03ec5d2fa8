// Parts 4 and 5: access tokens and chat sessions.

import type { Hono } from 'hono'
import * as v from 'valibot'
import {
  accessTokenRoute,
  countingKey,
  describeIssue,
  isJson,
  SessionRequest,
  sessionRoute,
} from '../../api/index.ts'
import { hostMatches } from '../accounts/hosts.ts'
import type { Tokens } from '../accounts/tokens.ts'
import { type Env, type Refusal, readBody, refuse, withinRate } from '../http/route.ts'
import type { Registry } from '../store-index.ts'
import type { Conversations } from './sessions.ts'

/** By one address, with a connector token or a host that is wrong. */
const REFUSALS_A_MINUTE = 300
const SESSIONS_A_MINUTE = 60

export const chatRefusal: Refusal = ({ code, text }) => ({
  error: code === 'BODY_PARSE_ERROR' ? 'Error parsing request' : text,
})

export type ChatDoorOptions = {
  registry: Registry
  tokens: Tokens
  /** Access tokens that one connector gets in a minute. */
  tokensPerMinute: number
  conversations: Conversations
  correlationHeader: string
  now: () => number
}

export function chatDoors(app: Hono<Env>, options: ChatDoorOptions): void {
  const { registry, tokens, tokensPerMinute, conversations, correlationHeader, now } = options

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
    if (!token || !host) refuse(401, 'UNAUTHORIZED', 'Missing authentication headers')
    if (!isJson(c.req.header('content-type')))
      refuse(415, 'UNSUPPORTED_MEDIA_TYPE', 'The content type must be application/json')
    await readBody(c)
    const connector = await registry.findConnector(token)
    const wrong = !connector
      ? 'Connector token does not exist'
      : connector.host === ''
        ? 'Connector missing host domain'
        : hostMatches(connector.host, host, connector.allow_subdomains)
          ? undefined
          : 'Failed to validate connector'
    if (!connector || wrong !== undefined) {
      await withinRate(registry, `token ${countingKey(c.env.address)}`, REFUSALS_A_MINUTE, 60, now())
      refuse(401, 'UNAUTHORIZED', wrong ?? '')
    }
    // All visitors of a site come from its BFF's address, so that says nothing here.
    await withinRate(registry, `tokens ${connector.id}`, tokensPerMinute, 60, now())
    return c.json({
      access_token: await tokens.issue(connector.id, host),
      expires_in: tokens.ttlSeconds,
      token_type: 'Bearer',
    })
  })

  app.post(sessionRoute.path, async (c) => {
    const authorization = c.req.header('authorization')
    if (authorization === undefined) refuse(400, 'BAD_REQUEST', 'Missing access token')
    const [, token] = /^Bearer (\S+)$/i.exec(authorization) ?? []
    if (!token) refuse(401, 'UNAUTHORIZED', 'Missing authentication headers')
    const claims = await tokens.verify(token)
    if (!claims) refuse(401, 'UNAUTHORIZED', 'Invalid access token')
    if (!isJson(c.req.header('content-type')))
      refuse(415, 'UNSUPPORTED_MEDIA_TYPE', 'The content type must be application/json')
    await withinRate(registry, `session ${claims.tokenId}`, SESSIONS_A_MINUTE, 60, now())
    const request = v.safeParse(SessionRequest, await readBody(c))
    if (!request.success)
      refuse(400, 'BAD_REQUEST', `Error parsing request: ${describeIssue(request.issues[0])}`)
    const connector = await registry.connectorOf(claims.connectorId)
    if (!connector) refuse(401, 'UNAUTHORIZED', 'Invalid access token')
    const { platform, streaming_enabled } = request.output
    return c.json({
      session_id: await conversations.start(connector, claims.tokenId, platform, streaming_enabled),
    })
  })

  // A client that lost its socket asks whether anybody is here before it tries another.
  app.use(sessionRoute.path, async (c, next) => {
    if (c.req.method === 'HEAD') return new Response(null, { status: 204 })
    await next()
  })
}
