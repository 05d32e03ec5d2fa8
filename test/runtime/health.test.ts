// Whether the database answers, as whoever watches the server is told.

import { expect, it } from 'vitest'
import { createHealthCheck, type Queries } from '../../src/runtime/database/index.ts'
import { handClock } from '../contract/clock.ts'

/** A database that answers when the test lets it. */
function slowDatabase() {
  const waiting: { resolve(rows: never[]): void; reject(error: Error): void }[] = []
  const db: Queries = {
    query: <T>() => new Promise<T[]>((resolve, reject) => waiting.push({ resolve, reject })),
  }
  return { db, waiting }
}

it('a database that answers in time is healthy, one that fails is not', async () => {
  const { db, waiting } = slowDatabase()
  const healthy = createHealthCheck(db, handClock())
  const [first, second] = [healthy(), healthy()]
  waiting.shift()?.resolve([])
  expect([await first, await second]).toEqual([true, true])
  const third = healthy()
  waiting.shift()?.reject(new Error('gone'))
  expect(await third).toBe(false)
})

it('a database that hangs is not healthy after three seconds, gets one query, and is healthy once it answers', async () => {
  const { db, waiting } = slowDatabase()
  const clock = handClock()
  const healthy = createHealthCheck(db, clock)
  for (let round = 0; round < 5; round++) {
    const answered = healthy()
    await clock.pass(3_000)
    expect(await answered).toBe(false)
  }
  expect(waiting).toHaveLength(1)
  waiting.shift()?.resolve([])
  await Promise.resolve()
  const again = healthy()
  waiting.shift()?.resolve([])
  expect(await again).toBe(true)
})
