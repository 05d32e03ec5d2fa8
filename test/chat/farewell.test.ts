// A frame for a session that has no socket here any more is repeated until the service knows, and not once more.

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { sayFarewell } from '../../src/chat/effects/farewell.ts'
import { createSleepingClock, pass } from './service.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A tab that asks another one, which answers by hand. */
function ask() {
  const asked: (() => void)[] = []
  const done = vi.fn()
  const undo = sayFarewell({
    text: '{}',
    isHeard: () => false,
    cursor: () => 0,
    ask: (told) => asked.push(told) > 0,
    done,
    isFree: () => true,
    address: async () => undefined,
    openSocket: () => {
      throw new Error('another tab owns the socket')
    },
    clock: createSleepingClock(),
    random: () => 0.5,
  })
  return { asked, done, undo }
}

it.each([
  ['during an attempt', 1_000, 1],
  ['in the pause after one', 5_001, 1],
  ['in a later pause', 10_000 + 2_000, 2],
])('ends for good when the other tab answers %s', async (_, ms, times) => {
  const { asked, done } = ask()
  await pass(ms)
  expect(asked).toHaveLength(times)
  asked.at(-1)?.()
  await pass(60_000)
  expect(asked).toHaveLength(times)
  expect(done).toHaveBeenCalledTimes(1)
  expect(vi.getTimerCount()).toBe(0)
})

it('is repeated while the other tab does not answer', async () => {
  const { asked, done } = ask()
  await pass(30_000)
  expect(asked.length).toBeGreaterThan(3)
  expect(done).not.toHaveBeenCalled()
})

it.each([
  ['during an attempt', 1_000],
  ['in the pause after one', 5_001],
])('is said no more once it is stopped %s', async (_, ms) => {
  const { asked, done, undo } = ask()
  await pass(ms)
  undo()
  await pass(60_000)
  expect(asked).toHaveLength(1)
  expect(done).not.toHaveBeenCalled()
  expect(vi.getTimerCount()).toBe(0)
})

/** A tab that says it by itself, once the address is given by hand. */
function say() {
  const addresses: ((url: string | undefined) => void)[] = []
  const opened: string[] = []
  const undo = sayFarewell({
    text: '{}',
    isHeard: () => false,
    cursor: () => 1,
    ask: () => false,
    isFree: () => true,
    address: () => new Promise((resolve) => addresses.push(resolve)),
    openSocket: (url) => {
      opened.push(url)
      return { send: () => true, close() {} }
    },
    clock: createSleepingClock(),
    random: () => 0.5,
  })
  return { addresses, opened, undo }
}

it('opens no socket for an attempt that is over, whose address the next one uses', async () => {
  const { addresses, opened, undo } = say()
  await pass(5_500)
  addresses[0]?.('wss://chat.example.com/ws')
  await pass(10)
  expect(opened).toEqual([])
  await pass(2_000)
  expect(opened).toEqual(['wss://chat.example.com/ws?cursor=1'])
  undo()
})
