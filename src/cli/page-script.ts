// Names the page's script under the address whose bytes never change.

import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readVersion } from './version.ts'

/** The folder of the built file. */
const BUILT = fileURLToPath(new URL('.', import.meta.url))

/** `path`: of the server's origin. `integrity`: what a page's `<script>` compares the bytes with. */
export type PageScript = { path: string; integrity: string }

/** Undefined where `built` has no widget. */
export function readPageScript(built: string = BUILT): PageScript | undefined {
  if (!existsSync(join(built, 'public'))) return undefined
  const name = `v/${readVersion(built)}/foyer.js`
  const hash = createHash('sha384').update(readFileSync(join(built, 'public', name)))
  return { path: `/foyer/${name}`, integrity: `sha384-${hash.digest('base64')}` }
}
