import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { hasUnindexed } from '../../src/runtime/conversations/search/index-store.ts'
import { createIndexer } from '../../src/runtime/conversations/search/indexer.ts'
import type { Database } from '../../src/runtime/database/index.ts'
import { at, createStoreWorld, turn } from './store-world.ts'

let world: Awaited<ReturnType<typeof createStoreWorld>>
beforeAll(async () => {
  world = await createStoreWorld()
})
afterEach(() => world.clear())
afterAll(() => world.close())

/** An indexer some seconds after what `turn` stores, and how many transactions it has used. */
async function indexerOf(seconds: number) {
  for (let n = 0; n < 9; n++) await world.begin({}, turn('hello', 'Hello there'))
  const counted = { transactions: 0 }
  const database: Database = {
    ...world.database,
    transaction(run) {
      counted.transactions++
      return world.database.transaction(run)
    },
  }
  return { counted, indexer: createIndexer({ database, now: () => at(seconds).getTime() }) }
}

it('the indexer takes four quiet conversations at a time, so that a message waits for four at most', async () => {
  const { counted, indexer } = await indexerOf(60)
  await indexer.work()
  expect(await hasUnindexed(world.database)).toBe(false)
  expect(counted.transactions).toBe(3)
})

it('the indexer leaves active conversations', async () => {
  const { indexer } = await indexerOf(2)
  await indexer.work()
  expect(await hasUnindexed(world.database)).toBe(true)
})

it('before a search, the indexer takes twenty conversations at a time, quiet or active', async () => {
  const { counted, indexer } = await indexerOf(2)
  await indexer.catchUp('PROJECT-1')
  expect(await hasUnindexed(world.database)).toBe(false)
  expect(counted.transactions).toBe(1)
})
