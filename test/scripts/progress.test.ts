// What `npm test` says while suites run: on a terminal lines that are drawn anew each second, elsewhere a line every half a minute.

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { begins, ends, gets, print } from '../../scripts/progress.mjs'

const [UP, DOWN] = ['\x1b[1A', '\x1b[0J']
let screen: string[]
/** A terminal that is written to, as far as these lines need one. */
function terminal(text: string): void {
  if (text.endsWith(DOWN)) screen.length = 0
  else if (!text.startsWith('\x1b')) screen.push(text)
}
beforeEach(() => {
  screen = []
  vi.useFakeTimers()
})
afterEach(() => {
  ends('unit')
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})
function written(isTTY: boolean): string[] {
  const said: string[] = []
  vi.spyOn(process, 'stdout', 'get').mockReturnValue(
    Object.assign(Object.create(process.stdout), {
      isTTY,
      columns: 40,
      write: (text: string) => {
        said.push(text)
        if (isTTY) terminal(text)
        return true
      },
    }),
  )
  return said
}

it('away from a terminal each suite has a line each half a minute: what, how far, how long', () => {
  const said = written(false)
  begins('unit')
  gets('unit', '3 of 9 files')
  vi.advanceTimersByTime(29_000)
  expect(said).toEqual([])
  vi.advanceTimersByTime(1_000)
  expect(said).toEqual(['  unit: 3 of 9 files, 30 s\n'])
  gets('unit', '8 of 9 files')
  vi.advanceTimersByTime(29_000)
  expect(said).toHaveLength(1)
  vi.advanceTimersByTime(1_000)
  expect(said.at(-1)).toBe('  unit: 8 of 9 files, 60 s\n')
  expect(ends('unit')).toBe(60)
  vi.advanceTimersByTime(90_000)
  expect(said).toHaveLength(2)
})

it('on a terminal the lines of what runs stand last, are as wide as it at most, and go with their suite', () => {
  const said = written(true)
  begins('unit')
  begins('check')
  gets('check', 'x'.repeat(100))
  vi.advanceTimersByTime(2_000)
  expect(screen).toEqual(['unit: begins, 2 s\n', `check: ${'x'.repeat(32)}\n`])
  // The cursor goes up by as many lines as were drawn.
  expect(said.join('')).toContain('\x1b[2A')
  ends('check')
  expect(screen).toEqual(['unit: begins, 2 s\n'])
  print('check: whole; 2 s\n')
  expect(screen).toEqual(['check: whole; 2 s\n', 'unit: begins, 2 s\n'])
  expect(said.join('')).toContain(UP)
})
