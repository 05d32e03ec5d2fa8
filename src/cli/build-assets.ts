// Serves the widget's files of this build, and those of other builds that share the database: during an upgrade the page of one process
// may ask a process of another version for its files.

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Asset, type Assets, folderAssets } from '../bff/index.ts'
import type { BuildFiles } from '../runtime/index.ts'

/** Files with a hash in their names, which are kept: no other is ever asked of the database. */
const HASHED = /^[\w.-]{1,100}-[\w-]{8}\.\w{1,5}$/

/** Resolves once the files of this build are stored, so that every process finds them before a page asks for them. */
export async function buildAssets(folder: string, files: BuildFiles): Promise<Assets> {
  const own = folderAssets(folder)
  const names = existsSync(join(folder, 'assets')) ? readdirSync(join(folder, 'assets')) : []
  const assets = await Promise.all(names.map(async (name) => ({ name, asset: await own(name) })))
  await files.keep(
    assets.flatMap(({ name, asset }) =>
      asset?.immutable ? [{ name, type: asset.type, body: asset.body }] : [],
    ),
  )
  return async (name) => {
    const asset = await own(name)
    if (asset || !HASHED.test(name)) return asset
    const stored = await files.find(name)
    return stored && ({ body: stored.body, type: stored.type, immutable: true } satisfies Asset)
  }
}
