// The store: all that outlives the process. One SQL for the embedded database and for a server; `memory` is the
// embedded database without a folder.

import { createRegistry, type Registry } from './accounts/store.ts'
import { type Calls, createCalls } from './calls/store.ts'
import { createRecords, type Records } from './conversations/store.ts'
import type { Database } from './database/database.ts'
import { migrate } from './database/migrations.ts'
import { openPglite } from './database/pglite.ts'
import { openPostgres } from './database/postgres.ts'
import { createHandoffs, type Handoffs } from './handoff/store.ts'
import { createTexts, type Texts } from './messaging/store.ts'
import type { Clean } from './redact.ts'
import { createSessions, type Sessions } from './sessions/store.ts'

export type Store = {
  registry: Registry
  sessions: Sessions
  records: Records
  handoffs: Handoffs
  texts: Texts
  calls: Calls
  /** No other process can be at it. */
  exclusive: boolean
  close(): Promise<void>
}

/** `folder`: embedded, in this folder. `databaseUrl`: a PostgreSQL server. `memory`: gone with the process. */
export type StoreData = { folder: string } | { databaseUrl: string } | { database: Database } | 'memory'

export async function openStore(
  data: StoreData,
  uuid: () => string,
  clean: Clean,
  log: (line: string) => void = () => {},
): Promise<Store> {
  if (data === 'memory') return storeOver(await openPglite(undefined), uuid, clean, true)
  if ('folder' in data) return storeOver(await openPglite(data.folder, log), uuid, clean, true)
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
    exclusive,
    close: () => database.close(),
  }
}
