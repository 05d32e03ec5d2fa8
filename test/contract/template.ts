// Test worlds begin with a copy of one migrated database, made once for each schema and kept between runs.

import { resolve } from 'node:path'
import { openPglite, type PgliteDatabase } from '../../src/runtime/database/pglite.ts'
import { makeTemplate } from '../../src/runtime/make-template.ts'

const cache = resolve(import.meta.dirname, '../../node_modules/.cache/foyer-template')
let made: Promise<string> | undefined

/** An embedded database of the current schema, gone with the process. */
export async function migratedPglite(): Promise<PgliteDatabase> {
  made ??= makeTemplate(cache)
  return openPglite(undefined, { template: await made })
}
