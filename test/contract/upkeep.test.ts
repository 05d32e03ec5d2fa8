// What a process does for search after its start, in the background: nothing of it keeps the start waiting.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { isValidIndex } from '../../src/runtime/database/index.ts'
import type { Database } from '../../src/runtime/index.ts'
import { type HandClock, handClock } from './clock.ts'
import { insertEnded, newDatabase } from './store.ts'
import { createWorld } from './world.ts'

/** More than one batch takes. */
const VECTORS = 150

let database: Database
let clock: HandClock
let world: Awaited<ReturnType<typeof createWorld>>
beforeAll(async () => {
  database = await newDatabase()
  await insertEnded(database, VECTORS, new Date())
  await database.script(`
    DROP INDEX IF EXISTS foyer.transcript_undated;
    INSERT INTO foyer.embedding (conversation_id, model, numbers)
      SELECT 'old-' || n, 'another model', '{1, 0}' FROM generate_series(1, ${VECTORS}) AS n;`)
  clock = handClock()
  world = await createWorld({ data: { database: { ...database, close: async () => {} } }, clock })
})
afterAll(async () => {
  await world?.close()
  await database?.close()
})

const ofAnotherModel = async () =>
  (await database.query("SELECT 1 FROM foyer.embedding WHERE model = 'another model'")).length

it('a start leaves vectors of another model and missing indexes to the first seconds after it', async () => {
  expect([await ofAnotherModel(), await isValidIndex(database, 'transcript_undated')]).toEqual([
    VECTORS,
    undefined,
  ])
  await clock.pass(1_000)
  expect([await ofAnotherModel(), await isValidIndex(database, 'transcript_undated')]).toEqual([50, true])
  await clock.pass(1_000)
  expect(await ofAnotherModel()).toBe(0)
})
