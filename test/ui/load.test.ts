// A file of the panel's code that cannot be loaded is asked for again, for as long as there is a panel.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { persist } from '../../src/ui/load.ts'
import { createPanel } from './world.ts'

let ending: AbortController
beforeEach(() => {
  vi.useFakeTimers()
  ending = new AbortController()
})
afterEach(() => {
  ending.abort()
  vi.useRealTimers()
})

/** Fails so often, and then loads. */
function part(failures = Number.POSITIVE_INFINITY) {
  let asked = 0
  const found = vi.fn()
  const load = async () => {
    if (++asked <= failures) throw new TypeError('no network')
    return 'part'
  }
  void persist(load, ending.signal).then(found)
  return { found, asked: () => asked }
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

describe('a part', () => {
  it('that loads is asked for once', async () => {
    const { found, asked } = part(0)
    await pass(60_000)
    window.dispatchEvent(new Event('online'))
    await pass(0)
    expect(found).toHaveBeenCalledExactlyOnceWith('part')
    expect(asked()).toBe(1)
  })

  it.each([
    [1, 1_000],
    [2, 4_000],
    [3, 13_000],
    [4, 40_000],
    [5, 67_000],
    [20, 40_000 + 16 * 27_000],
  ])('that fails %i times is there after %i ms, and not before', async (failures, after) => {
    const { found, asked } = part(failures)
    await pass(after - 1)
    expect(found).not.toHaveBeenCalled()
    await pass(1)
    expect(found).toHaveBeenCalledExactlyOnceWith('part')
    expect(asked()).toBe(failures + 1)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is asked for as soon as the browser is online, and once', async () => {
    const { found, asked } = part(3)
    await pass(4_000)
    expect(asked()).toBe(3)
    window.dispatchEvent(new Event('online'))
    await pass(0)
    expect(asked()).toBe(4)
    window.dispatchEvent(new Event('online'))
    await pass(0)
    expect(found).toHaveBeenCalledOnce()
    await pass(600_000)
    expect(asked()).toBe(4)
  })

  it('is asked for no more once the panel is gone, and no timer stays', async () => {
    const { found, asked } = part()
    await pass(5_000)
    expect(asked()).toBe(3)
    ending.abort()
    await pass(0)
    expect(vi.getTimerCount()).toBe(0)
    window.dispatchEvent(new Event('online'))
    await pass(600_000)
    expect(asked()).toBe(3)
    expect(found).not.toHaveBeenCalled()
  })

  it('leaves nothing that listens, however often it failed', async () => {
    const listening = [window, ending.signal].map((target) => ({
      added: vi.spyOn(target, 'addEventListener'),
      removed: vi.spyOn(target, 'removeEventListener'),
    }))
    const { found } = part(3)
    await pass(13_000)
    expect(found).toHaveBeenCalledOnce()
    for (const { added, removed } of listening) {
      const calls = (spy: { mock: { calls: unknown[][] } }) => spy.mock.calls.map(([type, fn]) => [type, fn])
      expect(calls(added)).toHaveLength(3)
      expect(calls(removed)).toEqual(calls(added))
    }
  })

  it('that comes when the panel is gone is not used', async () => {
    const found = vi.fn()
    let come = (_: string) => {}
    void persist(() => new Promise<string>((resolve) => (come = resolve)), ending.signal).then(found)
    await pass(0)
    ending.abort()
    come('late')
    await pass(600_000)
    expect(found).not.toHaveBeenCalled()
  })
})

it.each([
  ['Firefox', 'error loading dynamically imported module: '],
  ['Chromium', 'Failed to fetch dynamically imported module: '],
])(
  'a file that %s would never request again is asked for by an address that is new each time',
  async (_, says) => {
    const url = 'https://chat.example.com/foyer/assets/markdown-abc.js'
    const failure = (address: string) => new TypeError(`${says}${address}`)
    const load = vi.fn(() => Promise.reject(failure(url)))
    const addresses: string[] = []
    const importAt = async (address: string) => {
      addresses.push(address)
      if (addresses.length < 3) throw failure(address)
      return 'part'
    }
    const found = vi.fn()
    void persist<string>(load, ending.signal, importAt).then(found)
    await pass(13_000)
    expect(found).toHaveBeenCalledExactlyOnceWith('part')
    expect(load).toHaveBeenCalledOnce()
    expect(new Set(addresses).size).toBe(3)
    for (const address of addresses) expect(address).toMatch(new RegExp(`^${url}\\?\\d+$`))
  },
)

it('a file whose next failure names no address is asked for by its own again', async () => {
  const failure = new TypeError('Failed to fetch dynamically imported module: https://chat.example.com/a.js')
  const load = vi.fn(async () => 'part').mockRejectedValueOnce(failure)
  const importAt = vi.fn(() => Promise.reject(new TypeError('no network')))
  const found = vi.fn()
  void persist<string>(load, ending.signal, importAt).then(found)
  await pass(4_000)
  expect(found).toHaveBeenCalledExactlyOnceWith('part')
  expect([load.mock.calls.length, importAt.mock.calls.length]).toEqual([2, 1])
})

it('a panel that is removed adopts no styles afterwards', async () => {
  vi.useRealTimers()
  const world = createPanel()
  const before = document.adoptedStyleSheets.length
  world.remove()
  await Promise.all([import('../../src/ui/parts/extras.ts'), import('../../src/ui/parts/markdown-part.ts')])
  await new Promise((resolve) => setTimeout(resolve, 0))
  expect(document.adoptedStyleSheets).toHaveLength(before)
})
