// An index that is made while its table is in use.

import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isValidIndex, makeIndex } from '../../src/runtime/database/index.ts'
import type { Database } from '../../src/runtime/index.ts'
import { newDatabase, storeKind, urlOf } from './store.ts'

let database: Database
beforeAll(async () => {
  database = await newDatabase()
  await database.script("CREATE TABLE foyer.slip (words text); INSERT INTO foyer.slip VALUES ('a'), ('a')")
})
afterAll(() => database.close())

const make = (name: string) => makeIndex(database, { name, on: 'foyer.slip (words)' })
const isValid = (name: string) => isValidIndex(database, name)

it('an index is made once', async () => {
  expect(await isValid('slip_once')).toBeUndefined()
  for (let time = 0; time < 2; time++) {
    await make('slip_once')
    expect(await isValid('slip_once')).toBe(true)
  }
})

it('an index is made anew where a process ended while it made it', async () => {
  // What such a process leaves, as a unique index does which the rows do not permit.
  const broken = database.script('CREATE UNIQUE INDEX CONCURRENTLY slip_broken ON foyer.slip (words)')
  await expect(broken).rejects.toMatchObject({ code: '23505' })
  expect(await isValid('slip_broken')).toBe(false)
  await make('slip_broken')
  expect(await isValid('slip_broken')).toBe(true)
})

// PGlite has one connection: nobody can write beside it.
it.skipIf(storeKind !== 'postgres')(
  'an index that waits for one writer keeps no other writer waiting',
  async () => {
    const writer = new pg.Client({ connectionString: urlOf(database) })
    await writer.connect()
    await writer.query("BEGIN; INSERT INTO foyer.slip VALUES ('open')")
    const made = make('slip_beside')
    const waits = async () => (await database.query('SELECT 1 FROM pg_locks WHERE NOT granted')).length > 0
    while (!(await waits())) await new Promise((resolve) => setTimeout(resolve, 5))
    await database.query("INSERT INTO foyer.slip VALUES ('beside')")
    expect(await isValid('slip_beside')).toBe(false)
    await writer.query('COMMIT')
    await made
    expect(await isValid('slip_beside')).toBe(true)
    await writer.end()
  },
)
