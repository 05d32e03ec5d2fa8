import { afterAll, beforeAll, expect, it } from 'vitest'
import { forgetRates, tally } from '../../src/runtime/jobs/index.ts'
import { createStoreWorld } from './store-world.ts'

const HOUR = 3_600_000
const NOON = Date.UTC(2026, 2, 2, 12)

let store: Awaited<ReturnType<typeof createStoreWorld>>
beforeAll(async () => {
  store = await createStoreWorld()
})
afterAll(() => store.close())

it('the tally adds up what one visitor uses of one thing in one day', async () => {
  const add = (visitor: string, amount: number, hours = 0, what = 'tokens') =>
    tally(store.database, what, visitor, amount, new Date(NOON + hours * HOUR))
  expect(await add('+15005550010', 100)).toBe(100)
  expect(await add('+15005550010', 20, 1)).toBe(120)
  expect(await add('+15005550010', 0, 2)).toBe(120)
  expect(await add('+15005550011', 0)).toBe(0)
  expect(await add('+15005550010', 1, 0, 'calls')).toBe(1)
  expect(await add('+15005550010', 7, 12)).toBe(7)
})

it('the tally counts for the new day even from a process whose clock is behind', async () => {
  const add = (amount: number, now: number) =>
    tally(store.database, 'tokens', '+15005550013', amount, new Date(now))
  const midnight = NOON + 12 * HOUR
  expect(await add(50, midnight - 2)).toBe(50)
  expect(await add(100, midnight)).toBe(100)
  expect(await add(10, midnight - 1)).toBe(110)
  expect(await add(1, midnight + 1)).toBe(111)
})

it('the tally keeps the present day, deletes days that are over, and contains no phone number', async () => {
  const now = NOON + 10 * HOUR
  await tally(store.database, 'tokens', '+15005550012', 5, new Date(now))
  await forgetRates(store.database, new Date(now - 600_000))
  expect(await tally(store.database, 'tokens', '+15005550012', 0, new Date(now))).toBe(5)
  const rows = await store.database.query<{ key: string }>('SELECT key FROM foyer.rate')
  expect(JSON.stringify(rows)).not.toContain('15005550012')
  await forgetRates(store.database, new Date(now + 48 * HOUR))
  expect(await store.database.query('SELECT key FROM foyer.rate')).toEqual([])
})
