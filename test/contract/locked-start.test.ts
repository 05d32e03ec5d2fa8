// A start that changes tables while somebody reads them, as a dump does: visitors go on beside both.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '../../src/runtime/database/index.ts'
import type { Database } from '../../src/runtime/index.ts'
import { SCHEMAS } from '../../src/runtime/schemas.ts'
import { newDatabase, storeKind, urlOf } from './store.ts'

// PGlite has one connection: nobody can hold a lock beside it.
describe.skipIf(storeKind !== 'postgres')('a change of a table that somebody reads', () => {
  let database: Database
  let reader: pg.Client
  beforeAll(async () => {
    database = await newDatabase()
    reader = new pg.Client({ connectionString: urlOf(database), application_name: 'nightly dump' })
    await reader.connect()
  })
  afterAll(async () => {
    await reader?.end()
    await database?.close()
  })

  const PATIENCE = { waitMs: 300, retryMs: 100, longestMs: 600_000 }
  const grown = (column: string) => [
    ...SCHEMAS,
    { noun: column, steps: [`ALTER TABLE foyer.conversation ADD COLUMN ${column} text;\n`] },
  ]
  const waits = async () => (await database.query('SELECT 1 FROM pg_locks WHERE NOT granted')).length > 0
  const has = async (column: string) =>
    (
      await database.query(
        `SELECT 1 FROM information_schema.columns WHERE table_schema = 'foyer' AND column_name = $1`,
        [column],
      )
    ).length > 0
  const BLOCKED = /nightly dump \(process \d+ of PostgreSQL, user \w+, since \d\d:\d\d:\d\d\)/

  it('waits for the end of the reading, names the reader once, and lets visitors pass meanwhile', async () => {
    await reader.query('BEGIN; SELECT 1 FROM foyer.conversation')
    const log: string[] = []
    const changed = migrate(database, grown('patient'), (line) => log.push(line), PATIENCE)
    for (let round = 0; round < 3; round++) {
      while (!(await waits())) await new Promise((resolve) => setTimeout(resolve, 5))
      await database.query('SELECT 1 FROM foyer.conversation')
    }
    while (log.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await has('patient')).toBe(false)
    await reader.query('COMMIT')
    await changed
    expect(await has('patient')).toBe(true)
    expect(log).toHaveLength(1)
    expect(log[0]).toMatch(BLOCKED)
  })

  it('is given up in the end, with a sentence that names the reader', async () => {
    await reader.query('BEGIN; SELECT 1 FROM foyer.conversation')
    const changed = migrate(database, grown('impatient'), () => {}, { ...PATIENCE, longestMs: 0 })
    await expect(changed).rejects.toMatchObject({
      reason: 'blocked',
      message: expect.stringMatching(BLOCKED),
    })
    await reader.query('COMMIT')
    expect(await has('impatient')).toBe(false)
  })
})
