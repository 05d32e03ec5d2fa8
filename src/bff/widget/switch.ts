// Chooses what `foyer.js` is: the usual script, or, while a connector is switched off, one that draws no launcher for such connectors.
// The request does not say which connector the page has (an attribute of the tag may name it), so the script holds the names of all that
// are off.

import type { Asset, Assets } from './assets.ts'

/** How long browsers keep the script, and so how long a switch takes at most. */
const MAX_AGE_SECONDS = 60
/** What stands in `foyer-off.js` in place of the names. */
const MARK = /(["'`])#off\1/

/** `off`: the names of the connectors that are off. Returns the function that finds the script. */
export function createPageScript(assets: Assets, off: readonly string[]): () => Promise<Asset | undefined> {
  let made: { from: Asset; script: Promise<Asset> } | undefined
  return async () => {
    const other = off.length > 0 ? await assets('foyer-off.js') : undefined
    const from = other ?? (await assets('foyer.js'))
    if (!from) return undefined
    if (made?.from !== from) made = { from, script: other ? withNames(from, off) : Promise.resolve(from) }
    return { ...(await made.script), maxAge: MAX_AGE_SECONDS }
  }
}

async function withNames(asset: Asset, off: readonly string[]): Promise<Asset> {
  const names = off.map((name) => JSON.stringify(name)).join()
  const body = new TextEncoder().encode(new TextDecoder().decode(asset.body).replace(MARK, () => names))
  const packed = asset.gzip && (await gzip(body))
  return { ...asset, body, gzip: packed && (() => packed), brotli: undefined }
}

async function gzip(body: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const packed = new Blob([body]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(packed).arrayBuffer())
}
