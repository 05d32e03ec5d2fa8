// Creates the BFF: it exchanges the connector token for an access token, hands that token to its own frame (or to
// origins that its options trust), and keeps it for the visitor in a sealed cookie. The BFF stores nothing itself, and
// runs on every host with fetch and WebCrypto.

import { isLoopback } from '../protocol/index.ts'
import { answerAsset, assetName } from './assets.ts'
import { framePage } from './frame.ts'
import { frameParts } from './frame-parts.ts'
import { isHost } from './host.ts'
import { ownAssets } from './node.ts'
import type { Bff, BffConnector, BffOptions } from './options.ts'
import { refuse } from './responses.ts'
import { createTokenEndpoint } from './token-endpoint.ts'

const VERSION = 1
/** In demo mode any page of this machine may embed the frame. */
const LOOPBACK_PAGES = ['http', 'https'].flatMap((scheme) => [
  `${scheme}://localhost:*`,
  `${scheme}://127.0.0.1:*`,
])

export function createBff(options: BffOptions): Bff {
  const tokens = createTokenEndpoint(options)
  const log = options.log ?? (() => {})
  const answers = options.answers ?? (options.demo ? isLoopback : () => true)
  const assets = options.assets ?? ownAssets()
  const connectors = new Map<string, BffConnector>([
    ['', options],
    ...Object.entries(options.connectors ?? {}),
  ])

  async function route(request: Request, context: { address: string }): Promise<Response> {
    const url = new URL(request.url)
    const own = options.publicOrigin ?? url.origin
    // A foreign name that resolves to this server (DNS rebinding) must not pass for our own origin.
    if (!answers(url.hostname)) return refuse(403, 'This server does not answer requests to this host name')
    // From here on the host is safe in addresses and in the frame's policy.
    if (!isHost(new URL(own).host)) return refuse(400, 'The host of the request is not valid')
    const name = assetName(url.pathname)
    if (name !== undefined) return asset(request, name)
    const tokenPath = /^\/foyer\/(?:([\w-]+)\/)?access-token$/.exec(url.pathname)
    if (tokenPath) {
      const [, connector = ''] = tokenPath
      const settings = connectors.get(connector)
      if (!settings) return refuse(404, 'There is no connector with this name')
      return tokens.answer({ request, own, connector, settings, address: context.address })
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405, 'Only GET is allowed here')
    switch (url.pathname) {
      case '/foyer/frame':
        return framePage({
          ancestors: options.demo ? [...LOOPBACK_PAGES, ...origins()] : origins(),
          connect: chatOrigins(own),
          images: imageOrigins(own),
          consent: options.consent === 'required',
          expose: options.expose ?? 'none',
          isolated: url.searchParams.get('isolated') === 'true',
          parts: await frameParts(assets, url.searchParams),
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
        return refuse(404, 'There is nothing at this address')
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

  const origins = () => options.origins ?? []
  const chatOrigins = (own: string) => {
    const all = [...connectors.values()].map(({ chatUrl }) => new URL(chatUrl ?? own).origin)
    return [...new Set([...all, own])]
  }
  const imageOrigins = (own: string) => options.imageOrigins ?? chatOrigins(own)

  async function asset(request: Request, name: string): Promise<Response> {
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405, 'Only GET is allowed here')
    if (!assets) return refuse(404, 'The files of the widget are missing: give createBff the option assets')
    const found = await assets(name)
    if (!found) return refuse(404, 'There is no file of this name')
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
        return refuse(500, 'The BFF failed; its log has the reason')
      }
    },
  }
}
