// How far a machine's clock may be off before the operator is told.

import { expect, it } from 'vitest'
import { wrongClock } from '../../src/runtime/clock.ts'

it.each([
  [0, undefined],
  [5_000, undefined],
  [-5_000, undefined],
  [5_001, "5 s ahead of the database's"],
  [660_400, "660 s ahead of the database's"],
  [-61_000, "61 s behind the database's"],
])('a clock that is %s ms ahead is %s', (aheadMs, words) => {
  expect(wrongClock(aheadMs)).toBe(words)
})
