// Test worlds begin with a copy of one migrated database, made once for each schema and kept between runs.

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { openPglite, type PgliteDatabase } from '../../src/runtime/database/pglite.ts'
import { makeTemplate } from '../../src/runtime/make-template.ts'

const cache = resolve(import.meta.dirname, '../../node_modules/.cache/foyer-template')
let made: Promise<string> | undefined
let held: Promise<object> | undefined

/** V8 compiles the same WebAssembly once for all threads of a process, as long as one of them holds it. */
async function holdPglite(): Promise<object> {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  return WebAssembly.compile(await readFile(join(dirname(entry), 'pglite.wasm')))
}

/** An embedded database of the current schema, gone with the process. */
export async function migratedPglite(): Promise<PgliteDatabase> {
  made ??= makeTemplate(cache)
  held ??= holdPglite()
  await held
  return openPglite(undefined, { template: await made })
}
