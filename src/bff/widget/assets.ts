// Answers requests for the widget's files, which are public and identical for all sites.

import { sha256 } from 'hono/utils/crypto'

/** A file of the widget, by its name below /foyer/assets/, or `foyer.js`, or `v/<version>/foyer.js`. */
export type Asset = {
  body: Uint8Array<ArrayBuffer>
  type: string
  immutable: boolean
  /** Seconds that a browser keeps it without asking, where it is not immutable. Default: none. */
  maxAge?: number | undefined
  /** The body after gzip, which browsers get. Undefined: everyone gets it as it is. */
  gzip?: (() => Uint8Array<ArrayBuffer>) | undefined
  /** The body after brotli, a tenth smaller, for browsers that take it. */
  brotli?: Uint8Array<ArrayBuffer> | undefined
}

/** A browser that takes an encoding: `gzip`, `x-gzip;q=0.5`, not `gzip;q=0`. */
const taking = (encoding: string) =>
  new RegExp(
    String.raw`(?:^|[\s,])${encoding}\s*(?:;\s*q=(?:1(?:\.0{0,3})?|0\.\d{0,2}[1-9]\d{0,2})\s*)?(?:,|$)`,
    'i',
  )
const TAKES_GZIP = taking('(?:x-)?gzip')
const TAKES_BROTLI = taking('br')

/** Finds a file of the widget by its name. Undefined, or a promise of it: there is no file of this name. */
export type Assets = (name: string) => Asset | undefined | Promise<Asset | undefined>

/** The page's script of one version, whose bytes never change: a page may name its integrity. */
const PINNED = /^\/foyer\/(v\/\d[\w.+-]{0,40}\/foyer\.js)$/

/** Undefined if `pathname` is not the address of a file. */
export function assetName(pathname: string): string | undefined {
  if (pathname === '/foyer.js') return 'foyer.js'
  // An address that pages name themselves.
  if (pathname === '/foyer/compat.js') return 'compat.js'
  const [, pinned] = PINNED.exec(pathname) ?? []
  if (pinned !== undefined) return pinned
  return /^\/foyer\/assets\/([\w.-]+)$/.exec(pathname)?.[1]
}

export async function answerAsset(name: string, asset: Asset, request: Headers): Promise<Response> {
  const accepted = request.get('accept-encoding') ?? ''
  const brotli = TAKES_BROTLI.test(accepted) ? asset.brotli : undefined
  const gzip = !brotli && TAKES_GZIP.test(accepted) ? asset.gzip?.() : undefined
  const body = brotli ?? gzip ?? asset.body
  const headers: Record<string, string> = {
    'Content-Type': asset.type,
    'Cache-Control': cacheControlOf(asset),
    // Modules, and a script whose integrity a page names, need CORS. The bytes of `foyer.js` change: no page can name their integrity.
    ...(name !== 'foyer.js' && { 'Access-Control-Allow-Origin': '*' }),
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'X-Content-Type-Options': 'nosniff',
    ...((asset.gzip || asset.brotli) && { Vary: 'Accept-Encoding' }),
    ...((brotli || gzip) && { 'Content-Encoding': brotli ? 'br' : 'gzip' }),
  }
  if (!asset.immutable) {
    headers.ETag = `"${(await sha256(body))?.slice(0, 24)}"`
    if (request.get('if-none-match') === headers.ETag) return new Response(null, { status: 304, headers })
  }
  return new Response(body, { headers })
}

/** The answer packed as it is sent, for a browser that takes gzip. For pages without secrets: the length of a packed page tells of its content. */
export function packed(answer: Response, request: Headers): Response {
  const { body, headers } = answer
  headers.set('Vary', 'Accept-Encoding')
  if (!body || !TAKES_GZIP.test(request.get('accept-encoding') ?? '')) return answer
  headers.set('Content-Encoding', 'gzip')
  return new Response(body.pipeThrough(new CompressionStream('gzip')), { headers })
}

function cacheControlOf({ immutable, maxAge }: Asset): string {
  if (immutable) return 'public, max-age=31536000, immutable'
  return maxAge === undefined ? 'no-cache' : `public, max-age=${maxAge}`
}
