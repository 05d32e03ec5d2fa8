// A database that is away: the log says so in two lines, however much is asked of it meanwhile.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, openPostgres, systemClock } from '../../src/runtime/index.ts'
import { type DatabaseLine, openDatabaseLine } from '../process/database-line.ts'
import { newDatabase, storeKind, urlOf } from './store.ts'
import { createWorld } from './world.ts'

const REQUESTS = 200

let database: Database
let line: DatabaseLine
let own: Database
let world: Awaited<ReturnType<typeof createWorld>>

// Nothing lies between a process and its PGlite.
const suite = it.skipIf(storeKind !== 'postgres')
beforeAll(async () => {
  if (storeKind !== 'postgres') return
  database = await newDatabase()
  line = await openDatabaseLine(urlOf(database))
  own = openPostgres(line.url)
  const settings = { beatSeconds: 0.2, deadAfterSeconds: 3 }
  world = await createWorld({ data: { database: own }, clock: systemClock, settings })
})
afterAll(async () => {
  await world?.close()
  line?.close()
  await database?.close()
})

const said = async (text: string) => {
  while (!world.log.some((entry) => entry.includes(text)))
    await new Promise((resolve) => setTimeout(resolve, 20))
}

suite('is told once, and once when it is back, and what fails for another reason is told too', async () => {
  const list = () => world.get('/v3/larkspur/shop/conversations?client_env=sandbox')
  line.cut()
  const answers = await Promise.all(Array.from({ length: REQUESTS }, list))
  expect(answers.filter(({ status }) => status === 500).length).toBeGreaterThan(0)
  line.flow()
  await said('is back')
  expect(world.log).toEqual([
    expect.stringMatching(/^the database cannot be reached \(.+\): /),
    expect.stringMatching(/^the database is back: it was away for \d+ s$/),
  ])
})
