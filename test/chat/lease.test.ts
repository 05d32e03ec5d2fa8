// A lease in the storage stands in for a lock: one tab has it, whoever crashes, stops or writes beside it.

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type KeyValue, memoryStore } from '../../src/chat/index.ts'
import { leaseLocks } from '../../src/chat/lease.ts'
import { createSleepingClock, pass } from './service.ts'

const KEY = 'lock:chat'
let store: KeyValue
beforeEach(() => {
  vi.useFakeTimers()
  store = memoryStore()
})
afterEach(() => {
  vi.useRealTimers()
})

function tab(id: string) {
  const timers = new Set<() => void>()
  const clock = createSleepingClock()
  const after = (ms: number, fn: () => void) => {
    const stop = clock.after(ms, fn)
    timers.add(stop)
    return stop
  }
  const locks = leaseLocks(store, { ...clock, after }, id)
  const abort = new AbortController()
  const seen: string[] = []
  let give = () => {}
  return {
    seen,
    clock,
    abort: () => abort.abort(),
    give: () => give(),
    ask() {
      void locks
        .request('chat', { signal: abort.signal }, () => {
          seen.push('has it')
          return new Promise((resolve) => {
            give = resolve
          })
        })
        .then(() => seen.push('over'))
      return this
    },
    /** Nothing of the tab runs any more. */
    crash() {
      for (const stop of timers) stop()
    },
  }
}

it('is given to one of the tabs that ask at once, and stays with it', async () => {
  const tabs = [tab('a').ask(), tab('b').ask(), tab('c').ask()]
  await pass(60_000)
  expect(tabs.flatMap(({ seen }) => seen)).toEqual(['has it'])
})

it('is given on within half a second, and what was given back is not renewed', async () => {
  const [first, second] = [tab('a').ask(), tab('b')]
  await pass(100)
  second.ask()
  await pass(1_000)
  expect(second.seen).toEqual([])
  first.give()
  await pass(500)
  expect(first.seen).toEqual(['has it', 'over'])
  expect(second.seen).toEqual(['has it'])
  await pass(60_000)
  expect(second.seen).toEqual(['has it'])
})

it('is taken within 1.3 s from a tab that crashed, and not within half a second', async () => {
  const first = tab('a').ask()
  await pass(100)
  const second = tab('b').ask()
  first.crash()
  await pass(500)
  expect(second.seen).toEqual([])
  await pass(800)
  expect(second.seen).toEqual(['has it'])
})

it('is over for a tab that finds another one named in it', async () => {
  const first = tab('a').ask()
  await pass(100)
  const theirs = JSON.stringify({ id: 'b', until: Date.now() + 900 })
  store.set(KEY, theirs)
  await pass(300)
  expect(first.seen).toEqual(['has it', 'over'])
  // It does not take away what is another's.
  expect(store.get(KEY)).toBe(theirs)
})

it('is not kept by asking no more while it is held, and is not given to who asks no more', async () => {
  const [first, second] = [tab('a').ask(), tab('b')]
  await pass(100)
  second.ask()
  first.abort()
  await pass(1_000)
  expect(first.seen).toEqual(['has it'])
  second.abort()
  await pass(10)
  expect(second.seen).toEqual(['over'])
  first.give()
  await pass(5_000)
  expect(second.seen).toEqual(['over'])
  expect(store.get(KEY)).toBeUndefined()
  expect(vi.getTimerCount()).toBe(0)
})

it.each(['', '{', 'null', '5', '{"id":"b"}', '{"id":"b","until":"tomorrow"}', '{"id":"b","until":9e15}'])(
  'is free where nobody can have written it, or a clock was set back: %s',
  async (text) => {
    store.set(KEY, text)
    const first = tab('a').ask()
    await pass(100)
    expect(first.seen).toEqual(['has it'])
  },
)

it('is asked for by nobody who has given up before', async () => {
  const first = tab('a')
  first.abort()
  first.ask()
  await pass(100)
  expect(first.seen).toEqual(['over'])
  expect(store.get(KEY)).toBeUndefined()
})
