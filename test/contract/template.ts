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

/** Those that a test has closed, each as empty as a new one: to empty one takes a tenth of what it takes to start one. */
const free: PgliteDatabase[] = []

/** An embedded database of the current schema. Once it is closed another test may get it, unless a script has changed its schema. */
export async function migratedPglite(): Promise<PgliteDatabase> {
  const database = free.pop() ?? (await open())
  let isClosed = false
  let isChanged = false
  function used(): PgliteDatabase {
    if (isClosed) throw new Error('The database is closed')
    return database
  }
  return {
    query: async (...given) => used().query(...given),
    transaction: async (run) => used().transaction(run),
    connections: () => used().connections?.() ?? { all: 1, idle: 1, waiting: 0 },
    dump: async () => used().dump(),
    script: async (script) => {
      isChanged = true
      await used().script(script)
    },
    async close() {
      if (isClosed) throw new Error('The database is closed')
      isClosed = true
      if (!isChanged && (await empty(database))) free.push(database)
      else await database.close()
    },
  }
}

async function open(): Promise<PgliteDatabase> {
  made ??= makeTemplate(cache)
  held ??= holdPglite()
  await held
  return openPglite(undefined, { template: await made })
}

/** All but the steps of the schema that have run. False where the database no longer answers. */
async function empty(database: PgliteDatabase): Promise<boolean> {
  try {
    const tables = await database.query<{ name: string }>(
      "SELECT format('foyer.%I', tablename) AS name FROM pg_tables WHERE schemaname = 'foyer' AND tablename NOT IN ('migration', 'addition')",
    )
    await database.query(`TRUNCATE ${tables.map(({ name }) => name).join(', ')} RESTART IDENTITY`)
    return true
  } catch {
    return false
  }
}
