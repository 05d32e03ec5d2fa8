import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { indexLocked } from '../../src/runtime/conversations/search/index-store.ts'
import { createIndexer } from '../../src/runtime/conversations/search/indexer.ts'
import type { Database } from '../../src/runtime/database/index.ts'
import { at, createStoreWorld, turn } from './store-world.ts'

let world: Awaited<ReturnType<typeof createStoreWorld>>
beforeAll(async () => {
  world = await createStoreWorld()
})
afterEach(() => world.clear())
afterAll(() => world.close())

const hasUnindexed = async ({ query }: Database) =>
  (await query('SELECT 1 FROM foyer.conversation WHERE unindexed')).length > 0

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
  await world.begin({}, turn('more'))
  await indexer.work()
  expect(await hasUnindexed(world.database)).toBe(false)
})

it('the indexer leaves active conversations', async () => {
  const { indexer } = await indexerOf(2)
  await indexer.work()
  expect(await hasUnindexed(world.database)).toBe(true)
})

it('before a search, the indexer takes twenty conversations at a time, quiet or active', async () => {
  const { counted, indexer } = await indexerOf(2)
  expect(await indexer.catchUp('PROJECT-1')).toBe(true)
  expect(await hasUnindexed(world.database)).toBe(false)
  expect(counted.transactions).toBe(1)
})

/** The database, and what it calls before each statement within a transaction. */
const watched = (before: (sql: string) => Promise<void> | void): Database => ({
  ...world.database,
  transaction: (run) =>
    world.database.transaction((tx) =>
      run({
        async query(sql, params) {
          await before(sql)
          return tx.query(sql, params)
        },
        send: tx.send,
      }),
    ),
})

it('before a search, the indexer indexes for two seconds, the newest conversations first, and tells whether it has indexed all', async () => {
  const begun: string[] = []
  for (let n = 0; n < 45; n++) begun.push(await world.begin({ now: at(n) }, turn('hello', 'Hello there')))
  let time = at(60).getTime()
  const database = watched((sql) => {
    if (sql.includes('INSERT INTO foyer.transcript')) time += 80
  })
  const indexer = createIndexer({ database, now: () => time })
  const unindexed = async () =>
    (
      await world.database.query<{ id: string }>(
        'SELECT id FROM foyer.conversation WHERE unindexed ORDER BY started_at',
      )
    ).map(({ id }) => id)
  expect(await indexer.catchUp('PROJECT-1')).toBe(false)
  expect(await unindexed()).toEqual(begun.slice(0, 20))
  expect(await indexer.catchUp('PROJECT-1')).toBe(true)
  expect(await unindexed()).toEqual([])
})

it('before a search, the indexer does not wait for what is said after it', async () => {
  for (let n = 0; n < 21; n++) await world.begin({ now: at(n) }, turn('hello'))
  let transactions = 0
  const database: Database = {
    ...world.database,
    async transaction(run) {
      if (++transactions > 50) throw new Error('It never ends')
      const result = await world.database.transaction(run)
      await world.begin({ now: at(100 + transactions) }, turn('more'))
      return result
    },
  }
  expect(await createIndexer({ database, now: () => at(200).getTime() }).catchUp('PROJECT-1')).toBe(true)
  expect(transactions).toBe(2)
})

it('before a search, the indexer indexes the one project that is searched', async () => {
  await world.begin({ projectId: 'PROJECT-2' }, turn('hello'))
  const indexer = createIndexer({ database: world.database, now: () => at(2).getTime() })
  expect(await indexer.catchUp('PROJECT-1')).toBe(true)
  expect(await hasUnindexed(world.database)).toBe(true)
})

it.each([
  [1_999.5, '2000ms'],
  [0.2, '1ms'],
  [0, '1ms'],
  [-3, '1ms'],
])('with %d ms left, the indexer waits for a lock, and never without a limit', async (ms, limit) => {
  const sent: unknown[] = []
  const database: Database = {
    ...world.database,
    transaction: (run) =>
      world.database.transaction((tx) =>
        run({
          query: tx.query,
          send(sql, params) {
            if (sql.includes('lock_timeout')) sent.push(...(params ?? []))
            tx.send(sql, params)
          },
        }),
      ),
  }
  const id = await world.begin({}, turn('hello', 'Hello there'))
  expect(await indexLocked(database, id, ms)).toBe(true)
  expect(sent).toEqual([limit])
})
