// What is past its retention goes in batches a second apart, however much there is: a backlog is not left until the next look.

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../src/runtime/index.ts'
import { type HandClock, handClock } from './clock.ts'
import { insertEnded, newDatabase } from './store.ts'
import { createWorld } from './world.ts'

/** Two whole batches, and a part of one. */
const OLD = 250
const TIDY_MS = 300_000

let database: Database
let clock: HandClock
let world: Awaited<ReturnType<typeof createWorld>>
beforeAll(async () => {
  database = await newDatabase()
  clock = handClock()
  world = await createWorld({
    data: { database: { ...database, close: async () => {} } },
    clock,
    settings: { retentionDays: 1 },
  })
  await insertEnded(database, OLD, new Date(clock.now() - 3 * 86_400_000))
})
afterAll(async () => {
  await world?.close()
  await database?.close()
})

const left = async () =>
  (await database.query("SELECT 1 FROM foyer.conversation WHERE id LIKE 'old-%'")).length

it('a backlog of several batches is gone within seconds of the first, and so is the next one', async () => {
  for (let round = 1; round <= 2; round++) {
    expect(await left()).toBe(OLD)
    await clock.leap(TIDY_MS)
    for (let second = 1; second <= 5 && (await left()) > 0; second++) await clock.pass(1_000)
    expect(await left()).toBe(0)
    await insertEnded(database, OLD, new Date(clock.now() - 3 * 86_400_000))
  }
})
