import type { Clock } from './model.ts'

/** The real time. */
export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after(ms, fn) {
    // A timer takes at most 2^31 - 1 ms; longer waits are cut, and the engine asks again when it is called.
    const timer = setTimeout(fn, Math.min(ms, 2 ** 31 - 1))
    return () => clearTimeout(timer)
  },
}
