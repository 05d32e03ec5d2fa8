// Opens the database that the options name, and brings its schema up to date.

import type { Log } from '../../api/index.ts'
import type { Database } from './database.ts'
import { openPglite } from './pglite.ts'
import { openPostgres, type PostgresOptions } from './postgres.ts'
import { migrate, type Schema, stepsOf } from './schema-runner.ts'
import { findTemplate } from './template.ts'

/**
 * Where the data is stored. `folder`: embedded, in this folder. `databaseUrl`: a PostgreSQL server. `database`: an open
 * database. `memory`: embedded, lost when the process ends.
 */
export type StoreData =
  | { folder: string }
  | ({ databaseUrl: string } & PostgresOptions)
  | { database: Database }
  | 'memory'

export type OpenDatabase = {
  database: Database
  /** Whether no other process can have the database open. */
  exclusive: boolean
}

/** Short, so that operators read within five seconds of a start what it waits for. */
const PATIENCE_MS = 2_000

/** Rejects with a DataFolderError if the folder is in use, cannot be written, or was written by another build. */
export async function openDatabase(
  data: StoreData,
  schemas: readonly Schema[],
  log: Log = () => {},
): Promise<OpenDatabase> {
  const opened = await open(data, findTemplate(stepsOf(schemas)), log)
  try {
    await migrate(opened.database, schemas, log)
    return opened
  } catch (error) {
    await opened.database.close()
    throw error
  }
}

/** Connects to the PostgreSQL server at `url`. Waits for one that is slow to answer, and says so. */
export async function connectDatabase(url: string, log: Log, options?: PostgresOptions): Promise<Database> {
  const database = openPostgres(url, options)
  const timer = setTimeout(
    () => log('The database does not answer yet. The start goes on once it does.', 'warn'),
    PATIENCE_MS,
  )
  try {
    await database.query('SELECT 1')
    return database
  } catch (error) {
    await database.close()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function open(data: StoreData, template: string | undefined, log: Log): Promise<OpenDatabase> {
  if (data === 'memory') return { database: await openPglite(undefined, { template }), exclusive: true }
  if ('folder' in data) return { database: await openPglite(data.folder, { log, template }), exclusive: true }
  if ('databaseUrl' in data)
    return { database: await connectDatabase(data.databaseUrl, log, data), exclusive: false }
  return { database: data.database, exclusive: false }
}
