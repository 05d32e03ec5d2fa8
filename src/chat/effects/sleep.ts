// Detects that the machine slept.

import type { Clock } from '../state/model.ts'

/** A timer that is later than this means that the machine slept; hidden pages get their timers once a minute. */
const LATE = 5_000
const LATE_WHILE_HIDDEN = 65_000

/**
 * Returns what detects that the machine slept, by a wall clock that ran ahead since the last call or by a timer that is `late`, and gives
 * the milliseconds that are known. Undefined: it did not sleep.
 */
export function watchSleep(clock: Clock): (late: number, visible: boolean) => number | undefined {
  let clocks = { now: clock.now(), wall: clock.wall() }
  return (late, visible) => {
    const before = clocks
    clocks = { now: clock.now(), wall: clock.wall() }
    const ahead = clocks.wall - before.wall - (clocks.now - before.now)
    if (ahead > LATE) return ahead
    return late > (visible ? LATE : LATE_WHILE_HIDDEN) ? 0 : undefined
  }
}
