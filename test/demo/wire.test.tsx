// The log of the QA page follows its newest rows, until its reader scrolls up.

import { cleanup, render } from '@testing-library/preact'
import { afterEach, expect, it } from 'vitest'
import { WirePane } from '../../demo/qa/wire.tsx'

afterEach(cleanup)

const linesOf = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ id, source: 'note' as const, at: 0, text: `note ${id}` }))
const pane = (count: number) => <WirePane lines={linesOf(count)} clear={() => {}} />

/** A list that scrolls as a browser's does: the size follows the rows, and a scroll is told later. */
function opened() {
  const { container, rerender, getByRole } = render(pane(30))
  const list = getByRole('list')
  let [top, drawn] = [0, 0]
  const end = () => list.childElementCount * 20 - 200
  Object.defineProperties(list, {
    clientHeight: { get: () => 200 },
    scrollHeight: { get: () => list.childElementCount * 20 + drawn },
    scrollTop: {
      get: () => top,
      set(value: number) {
        top = Math.max(0, Math.min(value, end()))
      },
    },
  })
  return {
    container,
    comes: (count: number) => rerender(pane(count)),
    told: () => list.dispatchEvent(new Event('scroll')),
    /** The scroll before is told as newer rows are drawn already, and not followed yet. */
    toldLate() {
      drawn = 100
      list.dispatchEvent(new Event('scroll'))
      drawn = 0
    },
    scrolls(by: number) {
      list.scrollTop += by
      list.dispatchEvent(new Event('scroll'))
    },
    fromEnd: () => end() - top,
  }
}

it('the log of the wire follows, also where a scroll is told once newer rows are there', () => {
  const log = opened()
  log.comes(40)
  log.told()
  for (const count of [60, 90, 150]) {
    log.comes(count)
    expect(log.fromEnd()).toBe(0)
    log.toldLate()
    log.comes(count + 5)
    expect(log.fromEnd()).toBe(0)
  }
})

it('the log of the wire leaves a reader alone who scrolled up, and follows again at the end', () => {
  const log = opened()
  log.comes(60)
  log.told()
  log.scrolls(-300)
  log.comes(80)
  expect(log.fromEnd()).toBe(700)
  log.scrolls(700)
  log.comes(100)
  expect(log.fromEnd()).toBe(0)
})
