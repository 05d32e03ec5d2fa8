// Creates a BFF for several connectors: finds the connector of a request by its address, and hands the request to that
// connector's own endpoints. The widget's files are the same for all.
//
//   /foyer.js, /foyer/assets/…                         the files
//   /foyer/<connector>/{access-token,frame,config}     one connector
//   /foyer/{access-token,frame,config}                 the connector without a name, or the only one

import { CONNECTOR_ENDPOINTS, consoleLog } from '../api/index.ts'
import { checkShared } from './check-options.ts'
import { type ConnectorEndpoints, createConnectorEndpoints } from './connector.ts'
import { isHost } from './host.ts'
import type { Bff, BffConnectors, SitesBffOptions, Visitor } from './options.ts'
import { errorResponse } from './responses.ts'
import { SettingsError } from './settings.ts'
import { createLimiter } from './tokens/limits.ts'
import { BodyGone } from './tokens/request-body.ts'
import { createSeal } from './tokens/seal.ts'
import { answerAsset, assetName, packed } from './widget/assets.ts'
import { ownAssets } from './widget/node.ts'
import { createPageScript } from './widget/switch.ts'

const OF_A_CONNECTOR = new RegExp(
  `^/foyer/(?:([\\w-]+)/)?(${CONNECTOR_ENDPOINTS.join('|').replaceAll('.', '\\.')})$`,
)
/** A name of letters, digits, hyphens and underscores that is not a folder of the BFF. */
const NAME = /^(?!assets$)[\w-]{0,64}$/

/**
 * Creates the BFF for several connectors, each with a frame, cookies and limits of its own. Throws a TypeError for an option that cannot be
 * used.
 */
export function createSitesBff(options: SitesBffOptions): Bff {
  checkShared(options)
  const { connectors: given, publicOrigin, log = consoleLog, now = Date.now } = options
  const assets = options.assets ?? ownAssets()
  const shared = {
    ...{ assets, log, now },
    seal: createSeal(options.cookieSecrets),
    limiter: createLimiter(options.limits?.store, log),
  }
  const read = typeof given === 'function' ? given : () => given
  let settings: BffConnectors | undefined
  /** Why the newest connectors cannot be used. */
  let problem = ''
  let connectors = new Map<string, ConnectorEndpoints>()
  /** Finds the script of the page, which depends on the connectors that are switched off. */
  let pageScript: ReturnType<typeof createPageScript> | undefined

  function take(): void {
    const next = read()
    if (next === settings) return
    const entries = Object.entries(next)
    for (const [name] of entries)
      if (!NAME.test(name)) throw new TypeError(`connectors: "${name}" is not a name of a connector`)
    connectors = new Map(entries.map(([name, each]) => [name, createConnectorEndpoints(name, each, shared)]))
    const [only] = connectors.size === 1 ? connectors.values() : []
    if (only) connectors.set('', only)
    const off = [...connectors].flatMap(([name, { enabled }]) => (enabled ? [] : [name]))
    pageScript = assets && createPageScript(assets, off)
    settings = next
    if (problem) log('The connectors can be used again', 'info')
    problem = ''
  }

  /** Takes connectors that have changed. If they cannot be used, the last good ones stay. */
  function update(): void {
    try {
      take()
    } catch (error) {
      settings = undefined
      const reason = reasonOf(error, SettingsError, TypeError)
      if (reason !== problem) log(`The connectors cannot be used, and stay as they were: ${reason}`)
      problem = reason
    }
  }

  async function route(request: Request, visitor: Visitor): Promise<Response> {
    update()
    const url = new URL(request.url)
    const own = publicOrigin ?? url.origin
    // From here on the host is safe in addresses and in the frame's policy.
    if (!isHost(new URL(own).host)) return errorResponse(400, 'The host of the request is not valid')
    const [, name = '', endpoint] = OF_A_CONNECTOR.exec(url.pathname) ?? []
    if (endpoint !== undefined) {
      const connector = connectors.get(name)
      if (!connector) return errorResponse(404, name ? NO_CONNECTOR : NO_NAME)
      if (endpoint === 'access-token') return connector.answerToken(request, own, visitor)
      if (!isRead(request)) return onlyGet()
      if (endpoint === 'frame') return packed(await connector.frame(url, own), request.headers)
      return connector.config(request.headers.get('origin'), own, endpoint === 'config.js')
    }
    if (!isRead(request)) return onlyGet()
    const file = assetName(url.pathname)
    if (file !== undefined) return asset(request, file)
    if (url.pathname === '/foyer/health')
      return Response.json(
        { status: 'ok' },
        { headers: { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } },
      )
    return errorResponse(404, 'There is nothing at this address')
  }

  async function asset(request: Request, name: string): Promise<Response> {
    if (!assets) return errorResponse(404, NO_FILES)
    const found = await (name === 'foyer.js' && pageScript ? pageScript() : assets(name))
    return found ? answerAsset(found, request.headers) : errorResponse(404, 'There is no file of this name')
  }

  take()
  return {
    async fetch(request, visitor) {
      try {
        return await route(request, visitor)
      } catch (error) {
        log(`${request.method} ${new URL(request.url).pathname} failed: ${reasonOf(error, BodyGone)}`)
        return errorResponse(500, 'The BFF failed; its log has the reason')
      }
    },
  }
}

const NO_FILES =
  'The files of the widget are not beside this module. If a bundler has moved it, keep foyer-server out of the bundle (in Next: serverExternalPackages), or give createBff the option assets'
const NO_CONNECTOR = 'There is no connector with this name'
const NO_NAME = 'This server has several connectors: name one, such as by data-connector on the script tag'

/** The message of an error of these kinds, Foyer's own: any other may repeat a secret, such as a parser does with what it reads. */
const reasonOf = (error: unknown, ...own: (new (...given: never[]) => Error)[]): string => {
  if (own.some((kind) => error instanceof kind)) return (error as Error).message
  return error instanceof Error ? error.name : 'unknown error'
}

const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD'
const onlyGet = (): Response => errorResponse(405, 'Only GET is allowed here')
