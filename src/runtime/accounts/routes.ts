// Answers POST /api/v1/access-token: exchanges a connector token for an access token.

import { accessTokenRoute, countingKey, isJson } from '../../api/index.ts'
import type { Queries } from '../database/index.ts'
import { HttpError, type NounRoutes, readBody } from '../http/index.ts'
import { limitRate } from '../jobs/index.ts'
import { hostMatches } from './access/hosts.ts'
import type { AccessTokens } from './access/tokens.ts'
import { type Connector, findConnector } from './connector-store.ts'

/** Limit for one address: requests a minute with a wrong connector token or host. */
const REFUSALS_PER_MINUTE = 300

export type AccessTokenRoutesOptions = {
  db: Queries
  tokens: AccessTokens
  /** Limit for one connector: access tokens a minute. */
  tokensPerMinute: number
  now: () => number
}

export const accessTokenRoutes = ({
  db,
  tokens,
  tokensPerMinute,
  now,
}: AccessTokenRoutesOptions): NounRoutes => ({
  endpoints: [{ route: accessTokenRoute, failure: 'Failed to create access token' }],
  install(app) {
    app.post(accessTokenRoute.path, async (c) => {
      const token = c.req.header('x-token')
      const host = c.req.header('x-host')
      if (!token || !host) throw new HttpError(401, 'UNAUTHORIZED', 'Missing authentication headers')
      if (!isJson(c.req.header('content-type')))
        throw new HttpError(415, 'UNSUPPORTED_MEDIA_TYPE', 'The content type must be application/json')
      await readBody(c)
      const connector = await findConnector(db, token)
      const problem = problemOf(connector, host)
      if (!connector || problem !== undefined) {
        await limitRate(db, `token ${countingKey(c.env.address)}`, REFUSALS_PER_MINUTE, now())
        throw new HttpError(401, 'UNAUTHORIZED', problem ?? '')
      }
      // The requests of all visitors come from the BFF's address, so the limit counts connectors, not addresses.
      await limitRate(db, `tokens ${connector.id}`, tokensPerMinute, now())
      return c.json({
        access_token: await tokens.issue(connector.id, host),
        expires_in: tokens.ttlSeconds,
        token_type: 'Bearer',
      })
    })
  },
})

function problemOf(connector: Connector | undefined, host: string): string | undefined {
  if (!connector) return 'Connector token does not exist'
  if (connector.host === '') return 'Connector missing host domain'
  return hostMatches(connector.host, host, connector.allow_subdomains)
    ? undefined
    : 'Failed to validate connector'
}
