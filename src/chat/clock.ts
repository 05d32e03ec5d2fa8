import type { Clock } from './model.ts'

/** A hidden page gets no frames. */
const LONGEST_FRAME = 100

/** Calls `fn` before the next frame is drawn, or after 100 ms. */
function frame(fn: () => void): void {
  const run = () => {
    cancelAnimationFrame(drawn)
    clearTimeout(timer)
    fn()
  }
  const drawn = requestAnimationFrame(run)
  const timer = setTimeout(run, LONGEST_FRAME)
}

/** The real time. */
export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after(ms, fn) {
    // A timer takes at most 2^31 - 1 ms; longer waits are cut, and the engine asks again when it is called.
    const timer = setTimeout(fn, Math.min(ms, 2 ** 31 - 1))
    return () => clearTimeout(timer)
  },
  ...(typeof requestAnimationFrame === 'function' && { frame }),
}
