// The clock of a process that runs by the system's time.

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { systemClock } from '../../src/api/index.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('the clock calls back once, after its time, and not where it was undone', () => {
  const called: string[] = []
  const start = systemClock.now()
  const undo = systemClock.after(10, () => called.push('undone'))
  systemClock.after(10, () => called.push('one'))
  const undoLate = systemClock.after(20, () => called.push('two'))
  undo()
  undo()
  vi.advanceTimersByTime(9)
  expect(called).toEqual([])
  vi.advanceTimersByTime(1)
  expect([called, systemClock.now() - start]).toEqual([['one'], 10])
  vi.advanceTimersByTime(100)
  undoLate()
  expect([called, vi.getTimerCount()]).toEqual([['one', 'two'], 0])
})
