// The locks of a page by themselves, with a browser that gives them late, or never.

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLocks } from '../../../src/chat/effects/locks.ts'
import type { Locks } from '../../../src/chat/index.ts'
import { newItem } from '../../../src/chat/outbox/items.ts'
import type { Event } from '../../../src/chat/state/events.ts'
import { createSleepingClock, pass } from '../service.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A page, and the locks that it asked for: each is given when the test says so. */
function page() {
  const asked = new Map<string, () => void>()
  const told: Event[] = []
  const browser: Locks = {
    request: (name, { signal }, held) =>
      new Promise((resolve, reject) => {
        asked.set(name, () => resolve(held()))
        signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
      }),
  }
  const clock = createSleepingClock()
  const locks = createLocks(browser, { name: 'foyer', clock, dispatch: (event) => told.push(event) })
  return { locks, told, give: (id: string) => asked.get(`foyer:message:${id}`)?.() }
}
const waits = (id: string) => ({ ...newItem(id, 'hello', 0, 's'), unclaimed: true })

it('a message whose lock is free is this page’s', async () => {
  const { locks, told, give } = page()
  locks.claim([waits('m')])
  give('m')
  await pass(10_000)
  expect(told).toEqual([{ type: 'claimed', id: 'm' }])
})

it('a message whose lock another page holds for five seconds is that page’s', async () => {
  const { locks, told } = page()
  locks.claim([waits('m')])
  await pass(4_900)
  expect(told).toEqual([])
  await pass(200)
  expect(told).toEqual([{ type: 'copied', id: 'm' }])
})

it('a page that is left while it asks drops none of its messages, then or later', async () => {
  const { locks, told, give } = page()
  locks.claim([waits('m')])
  await pass(1_000)
  locks.release()
  give('m')
  await pass(10_000)
  expect(told).toEqual([])
})

it('a page that comes back asks again, and the answer to its first question counts for nothing', async () => {
  const { locks, told, give } = page()
  locks.claim([waits('m')])
  locks.release()
  locks.claim([waits('m')])
  await pass(1_000)
  expect(told).toEqual([])
  give('m')
  await pass(10_000)
  expect(told).toEqual([{ type: 'claimed', id: 'm' }])
})

it('a lock that is given within the grace of a page that was frozen counts', () => {
  let due: (() => void)[] = []
  const clock = {
    now: () => 0,
    wall: () => 0,
    after(_: number, run: () => void) {
      due.push(run)
      return () => {
        due = due.filter((each) => each !== run)
      }
    },
  }
  const told: Event[] = []
  let give = () => {}
  const browser: Locks = {
    request: (_name, { signal }, held) =>
      new Promise((resolve, reject) => {
        give = () => {
          if (!signal.aborted) resolve(held())
        }
        signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
      }),
  }
  createLocks(browser, { name: 'foyer', clock, dispatch: (event) => told.push(event) }).claim([waits('m')])
  // As a page that thaws does: timers that are due run before the answer that has come meanwhile.
  for (const run of due.splice(0)) run()
  give()
  for (const run of due.splice(0)) run()
  expect(told).toEqual([{ type: 'claimed', id: 'm' }])
})
