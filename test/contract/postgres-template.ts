// Makes one migrated database on the PostgreSQL server before the first file, and drops it after the last: the tests' databases are
// copies of it.

import { migrate } from '../../src/runtime/database/index.ts'
import { openPostgres } from '../../src/runtime/index.ts'
import { SCHEMAS } from '../../src/runtime/schemas.ts'
import { administer } from './store.ts'

export async function setup(): Promise<(() => Promise<void>) | undefined> {
  const server = process.env.FOYER_TEST_POSTGRES_URL
  if (!server) return undefined
  const name = `foyer_template_${process.pid}`
  await administer(server, `CREATE DATABASE ${name}`)
  const database = openPostgres(new URL(`/${name}`, server).href)
  try {
    await migrate(database, SCHEMAS)
  } finally {
    await database.close()
  }
  process.env.FOYER_TEST_POSTGRES_TEMPLATE = name
  return () => administer(server, `DROP DATABASE ${name} WITH (FORCE)`)
}
