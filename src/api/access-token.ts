// Describes part 4 of the API: exchanges a connector token for a short-lived access token.

import * as v from 'valibot'
import { ChatError } from './error.ts'
import type { Route } from './route.ts'

export const AccessToken = v.object({
  /** The access token, a JWT. */
  access_token: v.pipe(v.string(), v.nonEmpty()),
  /** Seconds until expiry. */
  expires_in: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** Always `Bearer`. */
  token_type: v.literal('Bearer'),
})
export type AccessToken = v.InferOutput<typeof AccessToken>

/** For servers, since the connector token is secret. A browser gets the access token, and opens sessions with it until it expires. */
export const accessTokenRoute: Route = {
  name: 'chat.accessToken',
  method: 'post',
  path: '/api/v1/access-token',
  summary: 'Exchange a connector token for an access token',
  credential: { name: 'connectorToken', is: 'The connector token' },
  headers: { 'X-Host': 'The domain or app namespace that was registered with the token; must match exactly' },
  body: { schema: v.object({}), required: false },
  responses: {
    200: { when: 'The access token', schema: AccessToken },
    400: { when: 'The body is not a JSON object', schema: ChatError },
    401: { when: 'A header is missing, the token is unknown, or the host does not match', schema: ChatError },
    405: { when: 'Only POST is allowed here', schema: ChatError },
    413: { when: 'The body is too large', schema: ChatError },
    415: { when: 'The content type is not application/json', schema: ChatError },
    429: { when: 'Too many requests; Retry-After says how many seconds to wait', schema: ChatError },
    500: { when: 'Failed to create access token', schema: ChatError },
  },
}
