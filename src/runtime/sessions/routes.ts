// Opens a chat for an access token, and says what became of one.

import * as v from 'valibot'
import {
  describeIssue,
  isJson,
  SessionRequest,
  type SessionStatus,
  sessionRoute,
  sessionStatusRoute,
} from '../../api/index.ts'
import { type AccessClaims, type AccessTokens, type Connector, connectorOf } from '../accounts/index.ts'
import type { Queries } from '../database/index.ts'
import { HttpError, type NounRoutes, type RequestContext, readBody, routed } from '../http/index.ts'
import { limitRate } from '../jobs/index.ts'
import type { Redaction } from '../redact.ts'
import { accessTo, stateOf } from './access.ts'
import { languageIn, pageIn } from './own-fields.ts'
import type { Sessions } from './sessions.ts'

/** Limits for one access token. */
const SESSIONS_PER_MINUTE = 60
const QUESTIONS_PER_MINUTE = 60

export type SessionRoutesOptions = {
  db: Queries
  sessions: Sessions
  tokens: AccessTokens
  redact: Redaction
  correlationHeader: string
  now: () => number
}

export const sessionRoutes = (options: SessionRoutesOptions): NounRoutes => ({
  endpoints: [
    { route: sessionRoute, failure: 'Failed to create session' },
    { route: sessionStatusRoute, failure: 'Failed to read session', inOpenApi: false },
  ],
  install(app) {
    const { db, sessions, tokens, redact, correlationHeader, now } = options

    // The credential is a header that the page adds itself, so any origin may ask, without cookies.
    for (const route of [sessionRoute, sessionStatusRoute])
      app.use(routed(route), async (c, next) => {
        if (c.req.method === 'OPTIONS')
          return new Response(null, {
            status: 204,
            headers: {
              'Access-Control-Allow-Origin': '*',
              'Access-Control-Allow-Methods': route.method.toUpperCase(),
              'Access-Control-Allow-Headers': 'authorization, content-type',
              'Access-Control-Max-Age': '7200',
            },
          })
        await next()
        c.header('Access-Control-Allow-Origin', '*')
        c.header('Access-Control-Expose-Headers', `${correlationHeader}, Retry-After`)
      })

    /** The claims of the access token of a request. `missing`: the status where there is none. */
    async function claimsOf(c: RequestContext, missing: 400 | 401): Promise<AccessClaims> {
      const authorization = c.req.header('authorization')
      if (authorization === undefined) throw new HttpError(missing, 'BAD_REQUEST', 'Missing access token')
      const [, token] = /^Bearer (\S+)$/i.exec(authorization) ?? []
      if (!token) throw new HttpError(401, 'UNAUTHORIZED', 'Missing authentication headers')
      const claims = await tokens.verify(token)
      if (!claims) throw new HttpError(401, 'UNAUTHORIZED', 'Invalid access token')
      return claims
    }
    async function connectorFor({ connectorId }: AccessClaims): Promise<Connector> {
      const connector = await connectorOf(db, connectorId)
      if (!connector) throw new HttpError(401, 'UNAUTHORIZED', 'Invalid access token')
      return connector
    }

    app.post(sessionRoute.path, async (c) => {
      const claims = await claimsOf(c, 400)
      if (!isJson(c.req.header('content-type')))
        throw new HttpError(415, 'UNSUPPORTED_MEDIA_TYPE', 'The content type must be application/json')
      await limitRate(db, `session ${claims.tokenId}`, SESSIONS_PER_MINUTE, now())
      const body = await readBody(c)
      const request = v.safeParse(SessionRequest, body)
      if (!request.success)
        throw new HttpError(400, 'BAD_REQUEST', `Error parsing request: ${describeIssue(request.issues[0])}`)
      const connector = await connectorFor(claims)
      const { platform, streaming_enabled } = request.output
      return c.json({
        session_id: await sessions.openChat(connector, {
          tokenId: claims.tokenId,
          platform,
          streaming: streaming_enabled,
          language: languageIn(body, c.req.header('accept-language')),
          page: pageIn(body, redact),
        }),
      })
    })

    app.get(routed(sessionStatusRoute), async (c) => {
      const claims = await claimsOf(c, 401)
      await limitRate(db, `session state ${claims.tokenId}`, QUESTIONS_PER_MINUTE, now())
      await connectorFor(claims)
      const access = await accessTo(sessions, c.req.param('session_id') ?? '', claims.tokenId)
      return c.json({ state: await stateOf(db, access) } satisfies SessionStatus)
    })

    // A client that lost its socket checks that the service answers before it opens another.
    app.use(sessionRoute.path, async (c, next) => {
      if (c.req.method === 'HEAD') return new Response(null, { status: 204 })
      await next()
    })
  },
})
