// The queue on a database whose statements are counted, and can fail.

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '../../src/runtime/index.ts'
import { type HandClock, handClock } from './clock.ts'
import { newDatabase } from './store.ts'
import { createWorld } from './world.ts'

let inner: Database
let clock: HandClock
let world: Awaited<ReturnType<typeof createWorld>>
/** How often the places of a queue were read. */
let scans = 0
/** How often it was read who of a queue is there. */
let presenceScans = 0
/** The conversation that cannot be written. */
let broken = ''
/** No queue can be read. */
let isUnreadable = false
/** Runs once, when the places of two visitors have been read and nothing of them is stored. */
let afterScan: (() => Promise<void>) | undefined

beforeAll(async () => {
  inner = await newDatabase()
  const database: Database = {
    ...inner,
    async query<T>(...[sql, ...rest]: Parameters<Database['query']>): Promise<T[]> {
      if (/c\.project_id = ANY/.test(sql)) presenceScans++
      const isScan = /SELECT h\.conversation_id, h\.queue_name, h\.told_position/.test(sql)
      if (isScan) scans++
      if (isScan && isUnreadable) throw new Error('no queue can be read')
      const rows = await inner.query<T>(sql, ...rest)
      if (!isScan) return rows
      const act = rows.length === 2 ? afterScan : undefined
      if (act) afterScan = undefined
      await act?.()
      return rows
    },
    transaction: (run) =>
      inner.transaction((tx) =>
        run({
          ...tx,
          query(sql, params, options) {
            if (broken !== '' && params?.[0] === broken) throw new Error('this row cannot be written')
            return tx.query(sql, params, options)
          },
        }),
      ),
    close: async () => {},
  }
  clock = handClock()
  world = await createWorld({ clock, data: { database }, settings: { deskWaitSeconds: 300 } })
})
afterAll(async () => {
  await world.close()
  await inner.close()
})
beforeEach(async () => {
  broken = ''
  isUnreadable = false
  for (const { id } of await world.desk.entries()) await world.runtime.expire(id)
})

async function waiting() {
  await clock.pass(1)
  const { client, sessionId } = await world.chat([], { open: true })
  client.say('desk')
  await client.event('EVENT_TYPE_HANDOFF_QUEUE_STATUS')
  return { client, sessionId }
}
const toldPlaces = async (sessionId: string) =>
  (
    await inner.query<{ place: number }>(
      `SELECT (payload ->> 'position_in_queue')::integer AS place FROM foyer.event
       WHERE session_id = $1 AND type = 'EVENT_TYPE_HANDOFF_QUEUE_STATUS' ORDER BY sequence`,
      [sessionId],
    )
  ).map(({ place }) => place)
const placed = ({ client }: Awaited<ReturnType<typeof waiting>>, position: number) =>
  client.event('EVENT_TYPE_HANDOFF_QUEUE_STATUS', ({ payload }) => payload.position_in_queue === position)

it('forty visitors who leave at once do not cost forty readings of the queue', async () => {
  const leaving = []
  for (let count = 0; count < 40; count++) leaving.push(await waiting())
  const last = await waiting()
  scans = 0
  for (const { client } of leaving) client.send('EVENT_TYPE_USER_LEAVE_QUEUE')
  await placed(last, 1)
  expect(scans).toBeLessThan(10)
})

it('one conversation that cannot be written keeps nobody behind it from the right place', async () => {
  const [first, second, third] = [await waiting(), await waiting(), await waiting()]
  broken = second.sessionId
  first.client.send('EVENT_TYPE_USER_LEAVE_QUEUE')
  await placed(third, 2)
  expect(world.log.some((line) => /place in the queue: this row cannot be written/.test(line))).toBe(true)
})

it('a queue that could not be read, twice, is read at the next change', async () => {
  const [first, second, third, fourth] = [await waiting(), await waiting(), await waiting(), await waiting()]
  const failures = () => world.log.filter((line) => /no queue can be read/.test(line)).length
  isUnreadable = true
  scans = 0
  for (const [n, { client }] of [first, second].entries()) {
    client.send('EVENT_TYPE_USER_LEAVE_QUEUE')
    await expect.poll(() => scans, { interval: 2 }).toBe(n + 1)
  }
  isUnreadable = false
  third.client.send('EVENT_TYPE_USER_LEAVE_QUEUE')
  await placed(fourth, 1)
  expect(failures()).toBeGreaterThan(0)
})

it('one conversation that cannot be written keeps nobody behind it waiting for too long', async () => {
  const [first, second] = [await waiting(), await waiting()]
  broken = first.sessionId
  await clock.leap(301_000)
  await second.client.event('EVENT_TYPE_HANDOFF_TIMEOUT')
  broken = ''
  await clock.pass(2_000)
  await first.client.event('EVENT_TYPE_HANDOFF_TIMEOUT')
})

it('who is there is read where somebody watches the queue, and nowhere else', async () => {
  await waiting()
  presenceScans = 0
  await clock.leap(3_000)
  expect(presenceScans).toBe(0)
  const stops = [world.desk.watch(() => {}), world.desk.watch(() => {})]
  await clock.leap(1_000)
  expect(presenceScans).toBe(1)
  // Somebody else still watches it.
  stops[0]?.()
  await clock.leap(1_000)
  expect(presenceScans).toBe(2)
  stops[1]?.()
  await clock.leap(3_000)
  expect(presenceScans).toBe(2)
})

it('a visitor is told no older place after the one that another process read later', async () => {
  const other = await createWorld({ clock, data: { database: { ...inner, close: async () => {} } } })
  const first = await waiting()
  afterScan = async () => {
    await other.runtime.expire(first.sessionId)
    await isTold()
  }
  const isTold = async () => {
    while ((await toldPlaces(second.sessionId)).length === 0)
      await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await clock.pass(1)
  const second = await world.chat([], { open: true })
  second.client.say('desk')
  await isTold()
  // The places are told one reading after the other.
  await placed(await waiting(), 2)
  expect(await toldPlaces(second.sessionId)).toEqual([1])
  await other.close()
})
