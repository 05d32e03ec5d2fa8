/** Time as the runtime needs it, in milliseconds since 1970. */
export interface Clock {
  now(): number
  /** Calls back once after `ms`; returns the undo. */
  after(ms: number, fn: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, fn) {
    const timer = setTimeout(fn, ms)
    return () => clearTimeout(timer)
  },
}

/** Calls `fn` every `ms`, each time after the last call is done; returns the undo. */
export function every(clock: Clock, ms: number, fn: () => Promise<void>): () => void {
  let stopped = false
  let stop = () => {}
  const next = () => {
    stop = clock.after(ms, () => {
      void fn().finally(() => {
        if (!stopped) next()
      })
    })
  }
  next()
  return () => {
    stopped = true
    stop()
  }
}
