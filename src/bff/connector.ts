// Answers what is asked about one connector: its tokens, its frame and its configuration. It knows no other connector.

import { checkedConnector } from './check-options.ts'
import type { BffConnector, Visitor } from './options.ts'
import type { Limiter } from './tokens/limits.ts'
import type { Seal } from './tokens/seal.ts'
import { createTokenEndpoint } from './tokens/token-endpoint.ts'
import type { Assets } from './widget/assets.ts'
import { firstScreen } from './widget/first-screen.ts'
import { framePage } from './widget/frame.ts'
import { frameFiles } from './widget/frame-files.ts'

const VERSION = 1

export interface ConnectorEndpoints {
  readonly enabled: boolean
  /** `own`: the BFF's own origin. */
  answerToken(request: Request, own: string, visitor: Visitor): Promise<Response>
  frame(url: URL, own: string): Promise<Response>
  /**
   * The configuration that a widget reads before it asks for a token. It is public, and holds nothing secret. `asModule`: as a
   * script, for a page whose policy allows scripts of this origin but no requests to it.
   */
  config(origin: string | null, own: string, asModule: boolean): Response
}

export type SharedByConnectors = {
  assets: Assets | undefined
  seal: Seal
  limiter: Limiter
  now: () => number
  log: (line: string) => void
}

export function createConnectorEndpoints(
  name: string,
  given: BffConnector,
  shared: SharedByConnectors,
): ConnectorEndpoints {
  const settings = checkedConnector(name, given)
  const tokens = createTokenEndpoint(name, settings, shared)
  const enabled = settings.enabled !== false
  const chatOrigins = (own: string) => [...new Set([new URL(settings.chatUrl ?? own).origin, own])]
  const imageOrigins = (own: string) => settings.imageOrigins ?? chatOrigins(own)

  return {
    enabled,
    answerToken: tokens.answer,
    frame: async (url, own) =>
      framePage({
        connector: name,
        enabled,
        ancestors: settings.origins ?? [],
        connect: chatOrigins(own),
        images: imageOrigins(own),
        consent: settings.consent === 'required',
        page: settings.page === true,
        expose: settings.expose ?? 'none',
        answers: settings.answers ?? 'ai',
        isolated: url.searchParams.get('isolated') === 'true',
        chunkJoin: settings.chunkJoin ?? 'none',
        files: await frameFiles(shared.assets, url.searchParams.get('locale') ?? ''),
        // A visitor who has to agree first, or finds the chat switched off, gets no field.
        first: await firstScreen(shared.assets, url.searchParams, enabled && settings.consent !== 'required'),
      }),
    config(origin, own, asModule) {
      const config = JSON.stringify({
        version: VERSION,
        enabled,
        // A request without an Origin comes from the BFF's own page.
        unframed: origin === null || tokens.mayAsk(origin, own),
        imageOrigins: imageOrigins(own),
        chunkJoin: settings.chunkJoin ?? 'none',
        ...(settings.consent === 'required' && { consent: settings.consent }),
        ...(settings.answers === 'automatic' && { answers: settings.answers }),
        ...(settings.page && { page: true }),
      })
      return new Response(asModule ? `export default ${config}` : config, {
        headers: {
          'Content-Type': asModule ? 'text/javascript; charset=utf-8' : 'application/json',
          'Access-Control-Allow-Origin': '*',
          'Cache-Control': 'no-cache',
          Vary: 'Origin',
          'X-Content-Type-Options': 'nosniff',
          ...(asModule && { 'Cross-Origin-Resource-Policy': 'cross-origin' }),
        },
      })
    },
  }
}
