// Reads the widget's files from a folder, on hosts with a file system. It imports nothing, so that the BFF also runs on
// hosts without one.

import type { Asset, Assets } from './assets.ts'

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
}

/** Files whose content never changes have a hash in their names: `panel-1a2b3c4d.js`. */
const HASHED = /-[\w-]{8}\.\w+$/

/** The page's script under the address of its version. */
const PINNED = /^v\//

/** The built module, where the host knows its address; the widget's files are in `public/` beside it. */
const HERE: string | undefined = import.meta.url

/**
 * Serves `foyer.js`, `v/<version>/foyer.js` and the files in `assets/` of `folder`. Reads all of them once, now, so that requests do not touch
 * the disk. Throws an Error if `foyer.js` is missing, and on hosts without a file system.
 */
export function folderAssets(folder: string | URL): Assets {
  const fs = fileSystem()
  if (!fs) throw new Error('folderAssets needs a file system: give createBff your own `assets` on this host')
  const zlib = builtin<typeof import('node:zlib')>('node:zlib')
  const at = (path: string) =>
    folder instanceof URL ? new URL(`${folder.href}/${path}`) : `${folder}/${path}`
  const assetTable = new Map<string, Asset>()
  const readAsset = (path: string, name: string) => {
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)]
    if (!type) return
    const body = new Uint8Array(fs.readFileSync(at(path)))
    let packed: Uint8Array<ArrayBuffer> | undefined
    const gzip =
      zlib && type !== TYPES.png
        ? () => (packed ??= new Uint8Array(zlib.gzipSync(body, { level: 9 })))
        : undefined
    // The build packs it, since that takes long.
    const packedFile = at(`${path}.br`)
    const brotli = fs.existsSync(packedFile) ? new Uint8Array(fs.readFileSync(packedFile)) : undefined
    assetTable.set(name, { body, type, immutable: HASHED.test(name) || PINNED.test(name), gzip, brotli })
  }
  if (!fs.existsSync(at('foyer.js')))
    throw new Error(`There is no foyer.js in ${folder}. Name the folder that holds the widget's files.`)
  readAsset('foyer.js', 'foyer.js')
  if (fs.existsSync(at('assets')))
    for (const name of fs.readdirSync(at('assets'))) readAsset(`assets/${name}`, name)
  if (fs.existsSync(at('v')))
    for (const version of fs.readdirSync(at('v'))) readAsset(`v/${version}/foyer.js`, `v/${version}/foyer.js`)
  return (name) => assetTable.get(name)
}

/** The files in the package; undefined if they are not beside this module or cannot be read. */
export function ownAssets(): Assets | undefined {
  if (!HERE?.startsWith('file:')) return undefined
  // Bundlers would take a URL that is relative to this module for a file to copy.
  const folder = `${HERE.slice(0, HERE.lastIndexOf('/'))}/public`
  return fileSystem()?.existsSync(new URL(`${folder}/foyer.js`)) ? folderAssets(new URL(folder)) : undefined
}

type FileSystem = Pick<typeof import('node:fs'), 'existsSync' | 'readFileSync' | 'readdirSync'>

const fileSystem = () => builtin<FileSystem>('node:fs')

/** A module of Node, where the host has it. */
function builtin<T>(name: string): T | undefined {
  const { process: host } = globalThis as { process?: { getBuiltinModule?(name: string): T } }
  return host?.getBuiltinModule?.(name)
}
