// Gives the engine the real time, timers and frames.

import type { Clock } from './model.ts'

/** A hidden page gets no frames. */
const LONGEST_FRAME = 100

/** Calls `fn` before the next frame is drawn, or after 100 ms, later in a page whose timers the browser slows down. */
function frame(fn: () => void): () => void {
  const stop = () => {
    cancelAnimationFrame(drawn)
    clearTimeout(timer)
  }
  const run = () => {
    stop()
    fn()
  }
  const drawn = requestAnimationFrame(run)
  const timer = setTimeout(run, LONGEST_FRAME)
  return stop
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
