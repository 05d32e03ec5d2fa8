// What a BFF on Node needs beside `createBff`: the widget's files from a folder.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Asset } from './bff.ts'

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  map: 'application/json',
  svg: 'image/svg+xml',
  png: 'image/png',
}

/** Names whose content never changes carry a hash: `panel-1a2b3c4d.js`. */
const HASHED = /-[\w-]{8}\.\w+$/

/** Serves `foyer.js` and what stands in `assets/` below `folder`. Names were checked by the BFF: no paths. */
export function folderAssets(folder: string): (name: string) => Promise<Asset | undefined> {
  const known = new Map<string, Promise<Asset | undefined>>()
  return (name) => {
    const read = known.get(name) ?? load(folder, name)
    known.set(name, read)
    return read
  }
}

async function load(folder: string, name: string): Promise<Asset | undefined> {
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)]
  if (!type || !/^[\w-][\w.-]*$/.test(name)) return undefined
  try {
    const path = name === 'foyer.js' ? join(folder, name) : join(folder, 'assets', name)
    return { body: new Uint8Array(await readFile(path)), type, immutable: HASHED.test(name) }
  } catch {
    return undefined
  }
}
