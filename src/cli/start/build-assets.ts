// Serves the widget's files of this build, and those of other builds that share the database: during an upgrade the page of one process
// may ask a process of another version for its files.

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Asset, type Assets, folderAssets } from '../../bff/index.ts'
import type { BuildFiles } from '../../runtime/index.ts'

/**
 * The endings of the files that are kept. A file has the type of its ending, whatever its row says, and none of these is shown as a page, in which
 * scripts would run on this origin.
 */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['js', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['png', 'image/png'],
])
/** Files whose bytes never change under their names, which are kept: no other is ever asked of the database. */
const LASTING = /^(?:[\w.-]{1,100}-[\w-]{8}|v\/[\w.+-]{1,42}\/foyer)\.(\w{1,5})$/
const typeOf = (name: string): string | undefined => TYPES.get(LASTING.exec(name)?.[1] ?? '')
const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])

/** Resolves once the files of this build are stored, so that every process finds them before a page asks for them. */
export async function buildAssets(folder: string, files: BuildFiles): Promise<Assets> {
  const own = folderAssets(folder)
  const scripts = namesIn(join(folder, 'v')).map((version) => `v/${version}/foyer.js`)
  const names = [...namesIn(join(folder, 'assets')), ...scripts]
  const assets = await Promise.all(names.map(async (name) => ({ name, asset: await own(name) })))
  await files.keep(
    assets.flatMap(({ name, asset }) =>
      asset && typeOf(name) ? [{ name, type: asset.type, body: asset.body }] : [],
    ),
  )
  return async (name) => {
    const asset = await own(name)
    const type = typeOf(name)
    if (asset || !type) return asset
    const body = await files.find(name)
    return body && ({ body, type, immutable: true } satisfies Asset)
  }
}
