// Gives the client, the BFF and the runtime their time, so that tests can turn it by hand.

/** Time in milliseconds since 1970. */
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
