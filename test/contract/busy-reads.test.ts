// Readers that wait, as many as they like, keep no connection from chats, and none from what shows that a process lives.

import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, openPostgres, systemClock } from '../../src/runtime/index.ts'
import { newDatabase, storeKind, urlOf } from './store.ts'
import { createWorld } from './world.ts'

/** Of the pool. */
const CONNECTIONS = 10
const READ_SECONDS = 12
/** Of the processes: a heartbeat that waits as long as the readers do makes a process count as dead. */
const LIVENESS = { beatSeconds: 1, deadAfterSeconds: 6 }

type World = Awaited<ReturnType<typeof createWorld>>
let database: Database
let worlds: [World, World]
/** Of the worlds, in their order. */
const pools: Database[] = []
let blocker: pg.Client

const processes = () => database.query<{ id: string }>('SELECT id FROM foyer.process ORDER BY id')
/** Looks at the processes until `work` ends. Returns what it saw where one was missing: it comes back with its next heartbeat. */
async function missingDuring(work: Promise<unknown>): Promise<unknown[]> {
  const missing: unknown[] = []
  let done = false
  const ends = work.finally(() => {
    done = true
  })
  while (!done) {
    const now = await processes()
    if (now.length < 2) missing.push(now)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await ends
  return missing
}

// PGlite has one connection, on which statements follow each other.
const suite = it.skipIf(storeKind !== 'postgres')
beforeAll(async () => {
  if (storeKind !== 'postgres') return
  const limits = { connections: CONNECTIONS, readSeconds: READ_SECONDS }
  database = await newDatabase(limits)
  // Each process has a pool of its own.
  const open = () => {
    const own = openPostgres(urlOf(database), limits)
    pools.push(own)
    return createWorld({ data: { database: own }, clock: systemClock, settings: LIVENESS })
  }
  worlds = [await open(), await open()]
  blocker = new pg.Client({ connectionString: urlOf(database) })
  await blocker.connect()
})
afterAll(async () => {
  await blocker?.end()
  for (const world of worlds ?? []) await world.close()
  await database?.close()
})

suite('three times as many lists as connections wait, and chats go on beside them', async () => {
  const [one] = worlds
  const { client } = await one.joined({ streaming_enabled: false })
  // Only a search by meaning reads it.
  await blocker.query('BEGIN; LOCK TABLE foyer.embedding IN ACCESS EXCLUSIVE MODE')
  const lists = Array.from({ length: 3 * CONNECTIONS }, () =>
    one.get(
      '/v3/larkspur/shop/conversations?client_env=sandbox&query_type=semantic&query=a%20bicycle&start_time=2025-01-01T00:00:00Z&end_time=2099-01-01T00:00:00Z',
    ),
  )
  let answered = 0
  for (const list of lists) void list.then(() => answered++)
  const waiting = async () => (await database.query('SELECT 1 FROM pg_locks WHERE NOT granted')).length
  while ((await waiting()) < 3) await new Promise((resolve) => setTimeout(resolve, 20))
  for (let n = 0; n < 5; n++) {
    client.say(`still there ${n}`, `id-${n}`)
    const answer = `You said still there ${n}`
    await client.event('EVENT_TYPE_POLY_AGENT_MESSAGE', ({ payload }) => payload.text === answer)
  }
  expect(answered).toBe(0)
  expect(await missingDuring(Promise.all(lists))).toEqual([])
  const answers = await Promise.all(lists)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
  expect(new Set(answers.map(({ headers }) => headers.get('retry-after')))).toEqual(new Set(['5']))
  expect(await answers[0]?.json()).toMatchObject({ success: false, error_code: 'SERVICE_UNAVAILABLE' })
  await blocker.query('ROLLBACK')
  const again = await one.get(
    '/v3/larkspur/shop/conversations?client_env=sandbox&query_type=semantic&query=a&start_time=2025-01-01T00:00:00Z&end_time=2099-01-01T00:00:00Z',
  )
  expect(again.status).toBe(200)
})

suite('a process whose whole pool is busy for longer than others wait lives on', async () => {
  const [own] = pools
  const seconds = LIVENESS.deadAfterSeconds + 3
  const busy = Array.from({ length: CONNECTIONS }, () => own?.query('SELECT pg_sleep($1)', [seconds]))
  expect(await missingDuring(Promise.all(busy))).toEqual([])
})

suite('a read has the time that is left and one processor of the database, and whoever comes after it on its connection has both', async () => {
  const single = openPostgres(urlOf(database), { connections: 1, readSeconds: READ_SECONDS })
  const sql =
    "SELECT current_setting('statement_timeout') AS time, current_setting('max_parallel_workers_per_gather') AS workers"
  const usual = await single.query(sql)
  const [bound] = (await single.reads?.begin().query<{ time: string; workers: string }>(sql)) ?? []
  expect(bound).toEqual({ time: expect.stringMatching(/^(11\d{3}ms|12s)$/), workers: '0' })
  expect(await single.query(sql)).toEqual(usual)
  expect(usual).toEqual([{ time: '0', workers: '2' }])
  await single.close()
})
