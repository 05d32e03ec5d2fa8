// The store: all that outlives the process. One SQL for the embedded database and for a server; `memory` is the
// embedded database without a folder.

import type { Clean } from '../mask.ts'
import { type Calls, createCalls } from './calls.ts'
import type { Database } from './database.ts'
import { createHandoffs, type Handoffs } from './handoffs.ts'
import { migrate } from './migrations.ts'
import { createPassages, type Passages } from './passages.ts'
import { openPglite } from './pglite.ts'
import { openPostgres } from './postgres.ts'
import { createRecords, type Records } from './records.ts'
import { createRegistry, type Registry } from './registry.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createTexts, type Texts } from './texts.ts'

export type Store = {
  registry: Registry
  sessions: Sessions
  records: Records
  handoffs: Handoffs
  texts: Texts
  calls: Calls
  passages: Passages
  /** No other process can be at it. */
  exclusive: boolean
  close(): Promise<void>
}

/** `folder`: embedded, in this folder. `databaseUrl`: a PostgreSQL server. `memory`: gone with the process. */
export type StoreData = { folder: string } | { databaseUrl: string } | { database: Database } | 'memory'

export async function openStore(data: StoreData, uuid: () => string, clean: Clean): Promise<Store> {
  if (data === 'memory') return storeOver(await openPglite(undefined), uuid, clean, true)
  if ('folder' in data) return storeOver(await openPglite(data.folder), uuid, clean, true)
  if ('databaseUrl' in data) return storeOver(openPostgres(data.databaseUrl), uuid, clean, false)
  return storeOver(data.database, uuid, clean, false)
}

/** The store in a database, brought up to date. Closes the database where that fails. */
export async function storeOver(
  database: Database,
  uuid: () => string,
  clean: Clean,
  exclusive: boolean,
): Promise<Store> {
  try {
    await migrate(database)
  } catch (error) {
    await database.close()
    throw error
  }
  return {
    registry: createRegistry(database),
    sessions: createSessions(database, uuid, clean),
    records: createRecords(database),
    handoffs: createHandoffs(database),
    texts: createTexts(database),
    calls: createCalls(database),
    passages: createPassages(database),
    exclusive,
    close: () => database.close(),
  }
}
