// Which store the suite runs on: the embedded one, or a PostgreSQL server.

import { randomUUID } from 'node:crypto'
import pg from 'pg'
import {
  type Database,
  openPostgres,
  type PostgresOptions,
  type RuntimeOptions,
} from '../../src/runtime/index.ts'

import { migratedPglite } from './template.ts'

export type StoreKind = 'pglite' | 'postgres'
export const storeKind = (process.env.FOYER_TEST_STORE ?? 'pglite') as StoreKind

/** A new database. Closing it drops it. */
export async function newDatabase(options?: PostgresOptions): Promise<Database> {
  if (storeKind !== 'postgres') return migratedPglite()
  const server = process.env.FOYER_TEST_POSTGRES_URL
  if (!server) throw new Error('FOYER_TEST_POSTGRES_URL is not set: run it by npm run test:contract')
  const name = `foyer_${randomUUID().replaceAll('-', '')}`
  const template = process.env.FOYER_TEST_POSTGRES_TEMPLATE ?? 'template1'
  await administer(server, `CREATE DATABASE ${name} TEMPLATE ${template}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const database = openPostgres(url.href, options)
  return {
    ...database,
    ...{ url: url.href },
    async close() {
      await database.close()
      await administer(server, `DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

/** Stores conversations `old-1`, `old-2` and so on that ended at that time. */
export const insertEnded = (database: Database, count: number, at: Date): Promise<void> =>
  database.script(`
    INSERT INTO foyer.conversation (id, account_id, project_id, environment, channel, started_at, ended_at)
      SELECT 'old-' || n, 'ws-test0001', 'PROJECT-test0001', 'sandbox', 'WEBCHAT', '${at.toISOString()}', '${at.toISOString()}'
      FROM generate_series(1, ${count}) AS n;`)

/** The URL of a database of a PostgreSQL server. */
export function urlOf(database: Database): string {
  if ('url' in database && typeof database.url === 'string') return database.url
  throw new Error('This database has no URL: it is embedded')
}

export async function administer(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(sql)
  await client.end()
}

export async function newData(): Promise<RuntimeOptions['data']> {
  return { database: await newDatabase() }
}

/** All that a database holds, as text. */
export async function everyRow(database: Database): Promise<string> {
  const tables = await database.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'foyer'",
  )
  const rows = await Promise.all(
    tables.map(({ name }) => database.query(`SELECT to_jsonb(t) AS row FROM foyer.${name} AS t`)),
  )
  return JSON.stringify(rows)
}
