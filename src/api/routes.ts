// Lists the routes of the API, and the addresses of a BFF.

import { accessTokenRoute } from './access-token.ts'
import { callRoute, callStatusRoute } from './calls.ts'
import { concurrencyRoute } from './concurrency.ts'
import { conversationsRoute } from './conversations.ts'
import { handoffRoute } from './handoff.ts'
import type { Route } from './route.ts'
import { sessionRoute, sessionStatusRoute } from './session.ts'
import { smsRoute } from './sms.ts'

export const ROUTES: readonly Route[] = [
  ...[accessTokenRoute, sessionRoute, sessionStatusRoute],
  ...[conversationsRoute, concurrencyRoute, handoffRoute],
  ...[smsRoute, callRoute, callStatusRoute],
]

/** The last parts of a connector's addresses, which begin with `/foyer/` or `/foyer/{connector}/`. */
export const CONNECTOR_ENDPOINTS: readonly string[] = ['access-token', 'frame', 'config', 'config.js']

/** The forms of all addresses of a BFF. */
export const BFF_PATHS: readonly string[] = [
  ...['/foyer.js', '/foyer/compat.js', '/foyer/health', '/foyer/assets/{file}'],
  ...CONNECTOR_ENDPOINTS.flatMap((name) => [`/foyer/${name}`, `/foyer/{connector}/${name}`]),
]
