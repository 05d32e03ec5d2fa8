// The links of the bus, on a real PostgreSQL server and a real Redis server: what is cut, away or kept from arriving.

import { createClient, type RedisClientType } from 'redis'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { BusLink } from '../../src/runtime/bus/index.ts'
import { createNotifyLink, createRedisLink, type Database } from '../../src/runtime/index.ts'
import { lacks } from '../needs.ts'
import { startRedis } from '../process/redis.ts'
import { newDatabase, storeKind, urlOf } from './store.ts'

/** What an open link has heard, and how often it was cut. */
async function opened(link: BusLink, deployment = 'shop') {
  const heard: string[] = []
  const end = { link, heard, cuts: 0 }
  await link.open(
    (text) => heard.push(text),
    () => end.cuts++,
    deployment,
  )
  return end
}
const isAway = (...ends: readonly { link: BusLink }[]) => ends.map(({ link }) => link.isAway?.())
/** Sends until the text arrives, as a link may still be coming back. */
const arrives = (text: string, from: BusLink, heard: readonly string[]) =>
  vi.waitFor(
    async () => {
      await from.send(text).catch(() => {})
      expect(heard).toContain(text)
    },
    { timeout: 30_000, interval: 100 },
  )

describe.runIf(storeKind === 'postgres')('NOTIFY', () => {
  let database: Database
  const log: string[] = []
  const notify = (db: Pick<Database, 'query'> = database, patienceMs = 5_000) =>
    createNotifyLink({ url: urlOf(database), db, log: (line) => log.push(line), patienceMs })
  beforeAll(async () => {
    database = await newDatabase()
  })
  beforeEach(() => {
    log.length = 0
  })
  afterAll(() => database.close())
  const LOST = 'the connection that hears other processes is lost: what they do shows after seconds'

  it('carries texts to every process, the sender among them, and leaves out its own check', async () => {
    const [one, other] = [await opened(notify()), await opened(notify())]
    const longest = 'x'.repeat(one.link.mostBytes)
    await one.link.send(longest)
    await vi.waitFor(() => expect([one.heard, other.heard]).toEqual([[longest], [longest]]))
    await vi.waitFor(() => expect(isAway(one, other)).toEqual([false, false]))
    for (const { link } of [one, other]) await link.close()
    expect(isAway(one, other)).toEqual([true, true])
    expect(log).toEqual([])
  })

  it('connects again after its connection was cut, the second time too, says that texts may be missing, and logs a line for each', async () => {
    const [one, other] = [await opened(notify()), await opened(notify())]
    for (const cuts of [1, 2]) {
      await database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = 'foyer bus' AND datname = current_database()`,
      )
      await vi.waitFor(() => expect([one.cuts, other.cuts]).toEqual([cuts, cuts]))
      await arrives(`after cut ${cuts}`, one.link, other.heard)
    }
    for (const { link } of [one, other]) await link.close()
    expect(log.filter((line) => line === LOST)).toHaveLength(4)
    expect(
      log.filter((line) => /^the connection that hears other processes is back after \d+ s$/.test(line)),
    ).toHaveLength(4)
    expect(log).toHaveLength(8)
  })

  it('says so where notifications do not come through the pool, and how to cure it', async () => {
    const { link } = await opened(notify({ query: async () => [] }, 50))
    // On a busy machine the connection itself may take longer than 50 ms, which is said too.
    await vi.waitFor(() =>
      expect(log.join('\n')).toMatch(/FOYER_DATABASE_URL leads through a pooler.*REDIS_URL/),
    )
    // Everything is looked at, as if it were away.
    expect(link.isAway?.()).toBe(true)
    await link.close()
  })

  it('opens within seconds, and goes on trying, where the server cannot be reached', async () => {
    const link = createNotifyLink({
      url: 'postgres://nobody@127.0.0.1:1/none',
      db: database,
      log: (line) => log.push(line),
      patienceMs: 50,
    })
    await opened(link)
    await expect(link.send('text')).rejects.toThrow('no connection')
    await link.close()
    expect(log).toEqual([LOST])
  })
})

describe.skipIf(lacks('Redis'))('Redis', () => {
  let server: Awaited<ReturnType<typeof startRedis>>
  const clients: RedisClientType[] = []
  const log: string[] = []
  async function redis(patienceMs?: number) {
    const client = createClient({ url: server.url, disableOfflineQueue: true }) as RedisClientType
    clients.push(client)
    client.on('error', () => {})
    await Promise.race([client.connect(), new Promise((resolve) => setTimeout(resolve, 100))])
    return createRedisLink({
      redis: client,
      log: (line) => log.push(line),
      ...(patienceMs && { patienceMs }),
    })
  }
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(async () => {
    for (const client of clients) client.destroy()
    await server.stop()
  })

  it('carries texts to every process, the sender among them', async () => {
    const [one, other] = [await opened(await redis()), await opened(await redis())]
    const longest = 'x'.repeat(one.link.mostBytes)
    await one.link.send(longest)
    await vi.waitFor(() => expect([one.heard, other.heard]).toEqual([[longest], [longest]]))
    expect(isAway(one, other)).toEqual([false, false])
    for (const { link } of [one, other]) await link.close()
    expect(isAway(one, other)).toEqual([true, true])
  })

  it('carries the texts of two deployments apart', async () => {
    const [one, other] = [await opened(await redis()), await opened(await redis(), 'bank')]
    await one.link.send('of the shop')
    await other.link.send('of the bank')
    await vi.waitFor(() => expect([one.heard, other.heard]).toEqual([['of the shop'], ['of the bank']]))
    for (const { link } of [one, other]) await link.close()
  })

  it('subscribes again after a restart, and says that texts may be missing', async () => {
    const [one, other] = [await opened(await redis()), await opened(await redis())]
    await server.stop()
    await vi.waitFor(() => expect(one.link.send('meanwhile')).rejects.toThrow())
    await server.start()
    await vi.waitFor(() => expect([one.cuts, other.cuts]).toEqual([1, 1]), { timeout: 30_000 })
    await arrives('after the restart', one.link, other.heard)
    expect(other.heard).not.toContain('meanwhile')
    for (const { link } of [one, other]) await link.close()
  })

  it('opens within seconds where the server is away, says so, and hears once it is there', async () => {
    await server.stop()
    log.length = 0
    const one = await opened(await redis(50))
    expect(log).toEqual([expect.stringMatching(/Redis does not answer.*REDIS_URL/)])
    await server.start()
    await vi.waitFor(() => expect(one.cuts).toBe(1), { timeout: 30_000 })
    await arrives('at last', one.link, one.heard)
    await one.link.close()
  })
})
