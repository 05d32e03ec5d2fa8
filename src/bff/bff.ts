// Creates the BFF: it exchanges the connector token for an access token, hands that token to its own frame (or to
// origins that its options trust), and keeps it for the visitor in a sealed cookie. The BFF stores nothing itself, and
// runs on every host with fetch and WebCrypto.

import { answerAsset, assetName } from './assets.ts'
import { framePage } from './frame.ts'
import { frameFiles } from './frame-files.ts'
import { isHost } from './host.ts'
import { ownAssets } from './node.ts'
import type { Bff, BffConnector, BffOptions } from './options.ts'
import { errorResponse } from './responses.ts'
import { createTokenEndpoint } from './token-endpoint.ts'

const VERSION = 1

export function createBff(options: BffOptions): Bff {
  const tokens = createTokenEndpoint(options)
  const log = options.log ?? (() => {})
  const assets = options.assets ?? ownAssets()
  const connectors = new Map<string, BffConnector>([
    ['', options],
    ...Object.entries(options.connectors ?? {}),
  ])

  async function route(request: Request, context: { address: string }): Promise<Response> {
    const url = new URL(request.url)
    const own = options.publicOrigin ?? url.origin
    // From here on the host is safe in addresses and in the frame's policy.
    if (!isHost(new URL(own).host)) return errorResponse(400, 'The host of the request is not valid')
    const tokenPath = /^\/foyer\/(?:([\w-]+)\/)?access-token$/.exec(url.pathname)
    if (tokenPath) {
      const [, connector = ''] = tokenPath
      const settings = connectors.get(connector)
      if (!settings) return errorResponse(404, 'There is no connector with this name')
      return tokens.answer({ request, own, connector, settings, address: context.address })
    }
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return errorResponse(405, 'Only GET is allowed here')
    const name = assetName(url.pathname)
    if (name !== undefined) return asset(request, name)
    switch (url.pathname) {
      case '/foyer/frame':
        return framePage({
          ancestors: options.origins ?? [],
          connect: chatOrigins(own),
          images: imageOrigins(own),
          consent: options.consent === 'required',
          expose: options.expose ?? 'none',
          answers: options.answers ?? 'ai',
          isolated: url.searchParams.get('isolated') === 'true',
          files: await frameFiles(assets, url.searchParams.get('locale') ?? ''),
        })
      case '/foyer/config':
        return config(request.headers.get('origin'), own)
      case '/foyer/config.js':
        return asModule(config(request.headers.get('origin'), own))
      case '/foyer/health':
        return Response.json(
          { status: 'ok' },
          { headers: { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } },
        )
      default:
        return errorResponse(404, 'There is nothing at this address')
    }
  }

  /** The configuration that a widget reads before it asks for a token. It is public, and holds nothing secret. */
  function config(origin: string | null, own: string): Response {
    return Response.json(
      {
        version: VERSION,
        // A request without an Origin comes from the BFF's own page.
        unframed: origin === null || tokens.mayAsk(origin, own),
        imageOrigins: imageOrigins(own),
        chunkJoin: options.chunkJoin ?? 'none',
        ...(options.consent === 'required' && { consent: options.consent }),
        ...(options.answers === 'automatic' && { answers: options.answers }),
      },
      {
        headers: {
          'Access-Control-Allow-Origin': '*',
          'Cache-Control': 'no-cache',
          Vary: 'Origin',
          'X-Content-Type-Options': 'nosniff',
        },
      },
    )
  }

  /** The configuration as a script, for a page whose policy allows scripts of this origin but no requests to it. */
  async function asModule(answer: Response): Promise<Response> {
    const headers = new Headers(answer.headers)
    headers.set('Content-Type', 'text/javascript; charset=utf-8')
    headers.set('Cross-Origin-Resource-Policy', 'cross-origin')
    return new Response(`export default ${await answer.text()}`, { headers })
  }

  const chatOrigins = (own: string) => {
    const all = [...connectors.values()].map(({ chatUrl }) => new URL(chatUrl ?? own).origin)
    return [...new Set([...all, own])]
  }
  const imageOrigins = (own: string) => options.imageOrigins ?? chatOrigins(own)

  async function asset(request: Request, name: string): Promise<Response> {
    if (!assets)
      return errorResponse(404, 'The files of the widget are missing: give createBff the option assets')
    const found = await assets(name)
    if (!found) return errorResponse(404, 'There is no file of this name')
    return answerAsset(found, request.headers)
  }

  return {
    async fetch(request, context) {
      try {
        return await route(request, context)
      } catch (error) {
        log(
          `${request.method} ${new URL(request.url).pathname} failed: ${error instanceof Error ? error.name : 'unknown'}`,
        )
        return errorResponse(500, 'The BFF failed; its log has the reason')
      }
    },
  }
}
