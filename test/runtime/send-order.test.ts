// Events leave in the order of their sequences, even where the database answers late.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { noMeter } from '../../src/api/index.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import type { Database } from '../../src/runtime/database/index.ts'
import { createHub, eventsOf } from '../../src/runtime/sessions/hub.ts'
import { createSessions, type Sessions } from '../../src/runtime/sessions/sessions.ts'
import { createSessionEvents } from '../../src/runtime/sessions/unit-of-work.ts'
import { CONNECTOR, createStoreWorld, redact, said } from './store-world.ts'

let world: Awaited<ReturnType<typeof createStoreWorld>>
beforeAll(async () => {
  world = await createStoreWorld()
})
afterAll(() => world.close())

/** Sessions over a database that keeps the answer to each commit until `answer` is called. */
function createLateWorld() {
  const kept: (() => void)[] = []
  let begun = 0
  const database: Database = {
    ...world.database,
    async transaction(run) {
      begun++
      try {
        return await world.database.transaction(run)
      } finally {
        await new Promise<void>((resolve) => kept.push(resolve))
      }
    },
  }
  const hub = createHub()
  const sessions: Sessions = createSessions({
    meter: noMeter,
    database,
    events: createSessionEvents(),
    hub,
    redact,
    clock: { now: () => 1_800_000_000_000 } as Clock,
    uuid: randomUUID,
    capabilities: { heartbeatSeconds: 30, sessionIdleSeconds: 600 },
  })
  async function answer() {
    await expect.poll(() => kept.length, { timeout: 20_000, interval: 1 }).toBeGreaterThan(0)
    kept.shift()?.()
  }
  async function open() {
    const [id] = await Promise.all([sessions.openChat(CONNECTOR, OPENING), answer()])
    begun = 0
    return id
  }
  return { sessions, hub, open, answer, begun: () => begun }
}

const OPENING = { tokenId: 'token', platform: 'web' as const, streaming: true, language: undefined }
const append = (sessions: Sessions, id: string, words: string) =>
  sessions.commit(id, 'a test', async (locked) => void locked.append(said(words)))

it('the events stored first are sent first, though their commit is answered late', async () => {
  const { sessions, hub, open, answer, begun } = createLateWorld()
  const id = await open()
  const heard: (number | null)[] = []
  hub.subscribe(id, (told) => heard.push(...eventsOf(told).map(({ sequence }) => sequence)))
  const first = append(sessions, id, 'one')
  const second = sessions.commitMessage(id, undefined, async (locked) => void locked.append(said('two')))
  const third = append(sessions, id, 'three')
  for (const [index, one] of [first, second, third].entries()) {
    await answer()
    await one
    expect(heard).toEqual([2, 3, 4].slice(0, index + 1))
    expect(begun()).toBeLessThanOrEqual(index + 2)
  }
})

it('a transaction that comes after the first has ended waits for the second, which is still under way', async () => {
  const { sessions, open, answer, begun } = createLateWorld()
  const id = await open()
  const first = append(sessions, id, 'one')
  const second = append(sessions, id, 'two')
  await answer()
  await first
  // The second has begun, and its answer is kept.
  await expect.poll(begun, { timeout: 20_000, interval: 1 }).toBe(2)
  const third = append(sessions, id, 'three')
  await new Promise((resolve) => setTimeout(resolve))
  expect(begun()).toBe(2)
  await answer()
  await second
  await answer()
  await third
})

it('a session continues after a transaction that failed', async () => {
  const { sessions, open, answer } = createLateWorld()
  const id = await open()
  const failing = sessions.commit(id, 'a test', async () => {
    throw new Error('no')
  })
  const next = append(sessions, id, 'after')
  const failed = expect(failing).rejects.toThrow('no')
  await answer()
  await failed
  await answer()
  await next
})

it('the transactions of other sessions begin at once', async () => {
  const { sessions, open, answer, begun } = createLateWorld()
  const [one, other] = [await open(), await open()]
  const both = [append(sessions, one, 'a'), append(sessions, other, 'b')]
  await expect.poll(begun, { timeout: 20_000, interval: 1 }).toBe(2)
  await Promise.all([...both, answer(), answer()])
})
