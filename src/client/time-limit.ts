// Limits how long the client works and waits, by its clock and by the caller's signal.

import type { Clock } from '../api/index.ts'

/** Rejects with the signal's reason as soon as it is aborted. */
export async function pause(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  await within(clock, ms, signal, () => new Promise<never>(() => {}))
}

/**
 * Returns the result of `work`; undefined if the time is up first. In that case, and when the caller's signal is
 * aborted, `work` is told to stop and not awaited.
 */
export function within<T>(
  clock: Clock,
  ms: number,
  signal: AbortSignal | undefined,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const inner = new AbortController()
    const end = (settle: () => void) => {
      undo()
      signal?.removeEventListener('abort', abort)
      settle()
      inner.abort()
    }
    const abort = () => end(() => reject(signal?.reason))
    const undo = clock.after(ms, () => end(() => resolve(undefined)))
    signal?.addEventListener('abort', abort)
    work(inner.signal).then(
      (value) => end(() => resolve(value)),
      (error) => end(() => reject(error)),
    )
  })
}
