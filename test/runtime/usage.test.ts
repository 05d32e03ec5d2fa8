import { afterAll, beforeAll, expect, it } from 'vitest'
import { addUsage, forgetRates } from '../../src/runtime/jobs/index.ts'
import { agentTurn } from '../../src/runtime/turns/agent-turn.ts'
import type { Claim } from '../../src/runtime/turns/claim.ts'
import { createStoreWorld } from './store-world.ts'

const HOUR = 3_600_000
const NOON = Date.UTC(2026, 2, 2, 12)

let store: Awaited<ReturnType<typeof createStoreWorld>>
beforeAll(async () => {
  store = await createStoreWorld()
})
afterAll(() => store.close())

it('the usage adds up what one visitor uses of one thing in one day', async () => {
  const add = (visitor: string, amount: number, hours = 0, what = 'tokens') =>
    addUsage(store.database, what, visitor, amount, new Date(NOON + hours * HOUR))
  expect(await add('+15005550010', 100)).toBe(100)
  expect(await add('+15005550010', 20, 1)).toBe(120)
  expect(await add('+15005550010', 0, 2)).toBe(120)
  expect(await add('+15005550011', 0)).toBe(0)
  expect(await add('+15005550010', 1, 0, 'calls')).toBe(1)
  expect(await add('+15005550010', 7, 12)).toBe(7)
})

it('the usage counts for the new day even from a process whose clock is behind', async () => {
  const add = (amount: number, now: number) =>
    addUsage(store.database, 'tokens', '+15005550013', amount, new Date(now))
  const midnight = NOON + 12 * HOUR
  expect(await add(50, midnight - 2)).toBe(50)
  expect(await add(100, midnight)).toBe(100)
  expect(await add(10, midnight - 1)).toBe(110)
  expect(await add(1, midnight + 1)).toBe(111)
})

it('the usage keeps the present day, deletes days that are over, and contains no phone number', async () => {
  const now = NOON + 10 * HOUR
  await addUsage(store.database, 'tokens', '+15005550012', 5, new Date(now))
  await forgetRates(store.database, new Date(now - 600_000))
  expect(await addUsage(store.database, 'tokens', '+15005550012', 0, new Date(now))).toBe(5)
  const rows = await store.database.query<{ key: string }>('SELECT key FROM foyer.rate')
  expect(JSON.stringify(rows)).not.toContain('15005550012')
  await forgetRates(store.database, new Date(now + 48 * HOUR))
  expect(await store.database.query('SELECT key FROM foyer.rate')).toEqual([])
})

it('the usage of a connector adds up what all its visitors use, and counts apart from theirs', async () => {
  const turnOf = (id: string, connectorId: string | undefined, userNumber = '', projectId = 'PROJECT-1') =>
    agentTurn({
      database: store.database,
      clock: { now: () => NOON } as never,
      desk: { state: async () => undefined },
      claim: {
        session: { id, family: 'chat', connectorId, conversation: { userNumber, projectId, memory: {} } },
        input: { type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: 'hello' }, sequence: 1 },
        before: [],
      } as unknown as Claim,
      signal: new AbortController().signal,
    })
  const one = await turnOf('one', 'CON-1')
  const two = await turnOf('two', 'CON-1')
  expect(await one.addUsage('words', 5, 'connector')).toBe(5)
  expect(await two.addUsage('words', 7, 'connector')).toBe(12)
  expect(await two.addUsage('words', 1)).toBe(1)
  expect(await (await turnOf('three', 'CON-2')).addUsage('words', 0, 'connector')).toBe(0)
  // A session that is named like a connector is a visitor all the same.
  expect(await (await turnOf('CON-1', 'CON-3')).addUsage('words', 0)).toBe(0)
  const phone = await turnOf('four', undefined, '+15005550014')
  expect(await phone.addUsage('words', 2, 'connector')).toBe(2)
  expect(await (await turnOf('five', undefined, '+15005550015')).addUsage('words', 1, 'connector')).toBe(3)
  expect(await (await turnOf('six', undefined, '', 'PROJECT-2')).addUsage('words', 0, 'connector')).toBe(0)
})
