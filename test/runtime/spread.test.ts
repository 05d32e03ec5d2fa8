// How fast a process that drains closes its sockets.

import { expect, it } from 'vitest'
import { spread } from '../../src/runtime/sessions/socket/spread.ts'
import { handClock } from '../contract/clock.ts'

it.each([
  { sockets: 1, within: 25_000, most: 1, last: 0 },
  { sockets: 4, within: 25_000, most: 1, last: 4_000 },
  { sockets: 19, within: 25_000, most: 1, last: 22_000 },
  { sockets: 50, within: 25_000, most: 5, last: 12_000 },
  { sockets: 10_000, within: 25_000, most: 1_000, last: 12_000 },
  // The deadline comes before the rule.
  { sockets: 20, within: 2_000, most: 10, last: 2_000 },
])('of $sockets sockets at most $most are closed in a second, the last one after $last ms', async (given) => {
  const clock = handClock()
  const begun = clock.now()
  const closedAt: number[] = []
  const all = Array.from({ length: given.sockets }, (_, index) => index)
  const closed: number[] = []
  const done = spread(all, given.within, clock, (item) => {
    closed.push(item)
    closedAt.push(clock.now() - begun)
  })
  for (let passed = 0; closed.length < given.sockets && passed < given.within; passed++) {
    await clock.pass(1)
    await Promise.resolve()
  }
  await done
  expect(closed).toEqual(all)
  for (let from = 0; from <= given.last; from += 10)
    expect(closedAt.filter((at) => at >= from && at < from + 1_000).length).toBeLessThanOrEqual(given.most)
  expect(Math.max(...closedAt)).toBeLessThanOrEqual(given.last)
})
