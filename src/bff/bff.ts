// Creates a BFF for one connector.

import type { Bff, BffOptions } from './options.ts'
import { createSitesBff } from './sites.ts'

/**
 * Creates the BFF: it exchanges the connector token for an access token, hands that token to its own frame (or to
 * origins that its options trust), and keeps it for the visitor in a sealed cookie. The BFF stores nothing itself, and
 * runs on every host with fetch and WebCrypto.
 */
export const createBff = (options: BffOptions): Bff =>
  createSitesBff({ ...options, connectors: { '': options } })
