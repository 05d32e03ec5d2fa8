// How far a machine's clock may be off before the operator is told, and for how long its time is believed.

import { expect, it } from 'vitest'
import { sharedClock, wrongClock } from '../../src/runtime/clock.ts'

it.each([
  [0, undefined],
  [5_000, undefined],
  [-5_000, undefined],
  [5_001, "5 s ahead of the database's"],
  [660_400, "660 s ahead of the database's"],
  [-61_000, "61 s behind the database's"],
])('of a clock that is %s ms ahead the operator is told: %s', (aheadMs, words) => {
  expect(wrongClock(aheadMs)).toBe(words)
})

it('a shared clock is sure of its time from a correction on, for as long as that is to be believed', () => {
  let machine = 1_000_000
  const clock = sharedClock({ now: () => machine, after: () => () => {} })
  expect(clock.isSure()).toBe(false)
  clock.correct(-250, 15_000)
  for (const [passed, isSure] of [
    [0, true],
    [15_000, true],
    [15_001, false],
    // A clock that was set, by however little it went back.
    [-1, false],
    [660_000, false],
  ] as const) {
    machine = 1_000_000 + passed
    expect([passed, clock.isSure()]).toEqual([passed, isSure])
    expect(clock.now()).toBe(machine + 250)
  }
  clock.correct(0, 15_000)
  expect(clock.isSure()).toBe(true)
})
