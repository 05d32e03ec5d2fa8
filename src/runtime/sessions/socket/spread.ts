// Spreads the closing of sockets over seconds, so that their clients do not all come to other processes at once.

import type { Clock } from '../../clock.ts'

/** The time for a tenth of them: a second, and some time by which timers may be late. */
const STEP_MS = 1_200

/** Calls `close` for a tenth of the items a second, or for one; faster only if it would take longer than `ms` otherwise. */
export async function spread<T>(
  items: readonly T[],
  ms: number,
  clock: Clock,
  close: (item: T) => void,
): Promise<void> {
  const tenth = Math.max(1, Math.floor(items.length / 10))
  const stepMs = Math.min(STEP_MS / tenth, ms / items.length)
  const begun = clock.now()
  for (const [index, item] of items.entries()) {
    const wait = begun + index * stepMs - clock.now()
    if (wait > 0) await new Promise<void>((resolve) => clock.after(wait, resolve))
    close(item)
  }
}
