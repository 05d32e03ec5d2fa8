// Answers POST /api/v1/access-token: exchanges a connector token for an access token.

import { accessTokenRoute, isJson } from '../../api/index.ts'
import type { Queries } from '../database/index.ts'
import { type NounRoutes, type Refusal, readBody, refuse } from '../http/index.ts'
import { limitRate } from '../jobs/index.ts'
import { findConnector } from './connector-store.ts'
import { hostMatches } from './hosts.ts'
import type { AccessTokens } from './tokens.ts'

const TOKENS_PER_MINUTE = 300

/** The form of errors of the chat endpoints. */
export const chatRefusal: Refusal = ({ code, text }) => ({
  error: code === 'BODY_PARSE_ERROR' ? 'Error parsing request' : text,
})

export type AccessTokenRoutesOptions = { db: Queries; tokens: AccessTokens; now: () => number }

export const accessTokenRoutes = ({ db, tokens, now }: AccessTokenRoutesOptions): NounRoutes => ({
  endpoints: [{ route: accessTokenRoute, refusal: chatRefusal, failure: 'Failed to create access token' }],
  install(app) {
    app.post(accessTokenRoute.path, async (c) => {
      const token = c.req.header('x-token')
      const host = c.req.header('x-host')
      if (!token || !host) refuse(401, 'UNAUTHORIZED', 'Missing authentication headers')
      if (!isJson(c.req.header('content-type')))
        refuse(415, 'UNSUPPORTED_MEDIA_TYPE', 'The content type must be application/json')
      await limitRate(db, `token ${c.env.address}`, TOKENS_PER_MINUTE, now())
      await readBody(c)
      const connector = await findConnector(db, token)
      if (!connector) refuse(401, 'UNAUTHORIZED', 'Connector token does not exist')
      if (connector.host === '') refuse(401, 'UNAUTHORIZED', 'Connector missing host domain')
      if (!hostMatches(connector.host, host, connector.allow_subdomains))
        refuse(401, 'UNAUTHORIZED', 'Failed to validate connector')
      return c.json({
        access_token: await tokens.issue(connector.id, host),
        expires_in: tokens.ttlSeconds,
        token_type: 'Bearer',
      })
    })
  },
})
