// Builds drawn.ts for the browser, with all that stands in for parts of the parser there.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import type * as Drawn from './drawn.ts'

const root = join(import.meta.dirname, '../../../..')
/** Vitest imports what is in it as it is. */
const cache = join(root, 'node_modules/.cache')

/** Resolves with the path of the module. */
export async function buildDrawn(): Promise<{ path: string; remove(): void }> {
  mkdirSync(cache, { recursive: true })
  const outDir = mkdtempSync(join(cache, 'foyer-drawn-'))
  const entry = join(import.meta.dirname, 'drawn.ts')
  const lib = { entry, formats: ['es' as const], fileName: () => 'drawn.mjs' }
  await build({
    root,
    configFile: join(root, 'vite.config.ts'),
    mode: 'drawn',
    build: { outDir, minify: false, lib },
  })
  return {
    path: join(outDir, 'drawn.mjs'),
    remove: () => rmSync(outDir, { recursive: true }),
  }
}

export const importDrawn = (path: string): Promise<typeof Drawn> =>
  import(/* @vite-ignore */ pathToFileURL(path).href)
