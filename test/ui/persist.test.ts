// A part of the panel that cannot be loaded is asked for again.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { persist } from '../../src/ui/persist.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Fails so often, and then loads. */
function part(failures: number) {
  let asked = 0
  const load = async () => {
    if (++asked <= failures) throw new TypeError('no network')
    return 'part'
  }
  return { load, asked: () => asked }
}

describe('a part', () => {
  it('that loads is asked for once', async () => {
    const { load, asked } = part(0)
    expect(await persist(load)).toBe('part')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked()).toBe(1)
  })

  it.each([
    [1, 1_000],
    [2, 4_000],
    [3, 13_000],
    [4, 40_000],
  ])('that fails %i times is there after %i ms, and not before', async (failures, after) => {
    const { load, asked } = part(failures)
    let found: string | undefined
    const told = vi.fn()
    void persist(load, told).then((loaded) => {
      found = loaded
    })
    await vi.advanceTimersByTimeAsync(after - 1)
    expect(found).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(found).toBe('part')
    expect(asked()).toBe(failures + 1)
    expect(told).toHaveBeenCalled()
  })

  it('that never loads is given up after five attempts', async () => {
    const { load, asked } = part(Number.POSITIVE_INFINITY)
    const failed = vi.fn()
    void persist(load).catch(failed)
    await vi.advanceTimersByTimeAsync(40_000)
    expect(failed).toHaveBeenCalledOnce()
    await vi.advanceTimersByTimeAsync(600_000)
    expect(asked()).toBe(5)
  })
})
