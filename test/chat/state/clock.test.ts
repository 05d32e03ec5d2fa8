// The real clock calls back once for a frame: as it is drawn, after 100 ms where none is, or never once that is undone.

import { afterEach, beforeEach, expect, it, vi } from 'vitest'

let frames: Map<number, () => void>
const draw = () => {
  for (const frame of [...frames.values()]) frame()
}
/** The clock of a page that draws frames by hand. */
async function clockOf() {
  vi.resetModules()
  const { systemClock } = await import('../../../src/chat/state/clock.ts')
  return systemClock
}
async function asked() {
  const fn = vi.fn()
  const undo = (await clockOf()).frame?.(fn)
  return { fn, undo }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  frames = new Map()
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => {
    const id = frames.size + 1
    frames.set(id, frame)
    return id
  })
  vi.stubGlobal('cancelAnimationFrame', (id: number) => frames.delete(id))
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

it('the clock calls back as the next frame is drawn, and not again after 100 ms', async () => {
  const { fn } = await asked()
  expect(fn).not.toHaveBeenCalled()
  draw()
  expect([fn.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0])
})

it('the clock calls back after 100 ms where no frame is drawn, and not again as one is', async () => {
  const { fn } = await asked()
  vi.advanceTimersByTime(99)
  expect(fn).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect([fn.mock.calls.length, frames.size]).toEqual([1, 0])
})

it('the clock never calls back once that is undone', async () => {
  const { fn, undo } = await asked()
  undo?.()
  expect([frames.size, vi.getTimerCount()]).toEqual([0, 0])
  draw()
  vi.advanceTimersByTime(1_000)
  expect(fn).not.toHaveBeenCalled()
})

it('the clock has no frames where nothing is drawn', async () => {
  vi.unstubAllGlobals()
  expect((await clockOf()).frame).toBeUndefined()
})
