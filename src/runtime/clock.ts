// Repeats work, waits, and limits waiting by the runtime's clock.

import type { Clock } from '../api/index.ts'

export { type Clock, systemClock } from '../api/index.ts'

/** Calls `fn` every `ms`, counted from the end of the last call; returns the undo. */
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

/** Resolves after `ms`, or rejects with `why` when `signal` aborts. */
export function sleep(clock: Clock, ms: number, signal: AbortSignal | undefined, why: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => {
      stop()
      reject(new Error(why))
    }
    const stop = clock.after(ms, () => {
      signal?.removeEventListener('abort', fail)
      resolve()
    })
    if (signal?.aborted) fail()
    else signal?.addEventListener('abort', fail, { once: true })
  })
}

/** Resolves when `work` is done, at the latest after `ms`. */
export async function atMost(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  let undo = () => {}
  const late = new Promise<void>((resolve) => {
    undo = clock.after(ms, resolve)
  })
  await Promise.race([work, late])
  undo()
}
