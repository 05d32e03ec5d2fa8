// Databases of their own on a PostgreSQL server, for the tests of one file.

import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { startPostgres } from '../../scripts/postgres.mjs'
import { administer } from '../contract/store.ts'
import { lacks } from '../needs.ts'

export function usePostgres() {
  let postgres: Awaited<ReturnType<typeof startPostgres>>
  // Without one, `npm test` says that these tests are not run.
  beforeEach(({ skip }) => skip(lacks('PostgreSQL'), 'PostgreSQL is not here'))
  beforeAll(async () => {
    postgres = await startPostgres()
  }, 300_000)
  afterAll(() => postgres?.stop())

  const serverUrl = () => {
    if (!postgres) throw new Error('PostgreSQL is not there: install it, or set FOYER_DATABASE_URL')
    return postgres.url
  }
  return {
    serverUrl,
    /** The URL of a new database. `options`: of CREATE DATABASE. */
    async create(options = ''): Promise<string> {
      const name = `foyer_${randomUUID().replaceAll('-', '')}`
      await administer(serverUrl(), `CREATE DATABASE ${name} ${options}`)
      const url = new URL(serverUrl())
      url.pathname = `/${name}`
      return url.href
    },
  }
}

export async function query<T = Record<string, unknown>>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows as T[]
  } finally {
    await client.end()
  }
}

/** How many rows each table of Foyer has. */
export async function rowCounts(url: string): Promise<Record<string, number>> {
  const tables = await query<{ name: string }>(
    url,
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'foyer' ORDER BY 1",
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const [counted] = await query<{ rows: string }>(url, `SELECT count(*) AS rows FROM foyer.${name}`)
    counts[name] = Number(counted?.rows)
  }
  return counts
}

/** Runs one of PostgreSQL's programs. Throws what it says if it fails. */
export function runPostgres(program: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr || error}`)
}
