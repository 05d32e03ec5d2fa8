import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  peaks,
  type Span,
  WINDOW_MS,
  windowCeiling,
  windowFloor,
} from '../../src/runtime/conversations/list/concurrency.ts'

const FROM = 1_800_000_000_000
const TO = FROM + 4 * WINDOW_MS

/** Counts at every millisecond at which anything could change. */
function countedOneByOne(spans: readonly Span[]): number[] {
  const openAt = (time: number) =>
    spans.filter(
      ({ start, end = Number.POSITIVE_INFINITY }) => start <= time && time < Math.max(end, start + 1),
    ).length
  return [0, 1, 2, 3].map((index) => {
    const window = FROM + index * WINDOW_MS
    const starts = spans.map(({ start }) => start).filter((at) => at >= window && at < window + WINDOW_MS)
    return Math.max(...[window, ...starts].map(openAt))
  })
}

it('the peak is the highest number of conversations open at one instant of a window', () => {
  // Many on the same few instants, so that ends and beginnings meet, also at the edges of windows.
  const instant = fc.oneof(
    fc.integer({ min: -2, max: 6 }).map((count) => FROM + count * WINDOW_MS),
    fc.integer({ min: FROM - 1_000, max: TO + 1_000 }),
    fc.integer({ min: 0, max: 6 }).map((count) => FROM + WINDOW_MS + count),
  )
  const span = fc
    .tuple(instant, fc.option(instant, { nil: undefined }))
    .map(
      ([a, b]): Span => ({ start: Math.min(a, b ?? a), end: b === undefined ? undefined : Math.max(a, b) }),
    )
  fc.assert(
    fc.property(fc.array(span, { maxLength: 12 }), (spans) => {
      expect(peaks(spans, FROM, TO)).toEqual(countedOneByOne(spans))
    }),
    { numRuns: 2_000 },
  )
})

it('the peak is not the number of conversations that touch the window', () => {
  const oneAfterTheOther = [0, 1, 2].map((index) => ({
    start: FROM + index * 10_000,
    end: FROM + (index + 1) * 10_000,
  }))
  expect(peaks(oneAfterTheOther, FROM, FROM + WINDOW_MS)).toEqual([1])
})

it('a window without conversations is listed', () => {
  expect(peaks([], FROM, TO)).toEqual([0, 0, 0, 0])
})

it('the range is rounded down and up to 5 minutes', () => {
  const mark = Date.parse('2026-03-01T10:05:00Z')
  expect([windowFloor(mark), windowCeiling(mark)]).toEqual([mark, mark])
  expect([windowFloor(mark + 1), windowCeiling(mark + 1)]).toEqual([mark, mark + WINDOW_MS])
})
