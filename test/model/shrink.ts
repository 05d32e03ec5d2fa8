// Makes a failing schedule small: leaves out commands for as long as the same kind of breach stays.

import type { Engine } from './browser.ts'
import type { Breach } from './oracle.ts'
import { runSchedule, type Schedule } from './run.ts'

/** The smallest schedule found in `budget` runs that still has a breach of the kind. */
export async function shrink(
  engine: Engine,
  schedule: Schedule,
  kind: Breach['kind'],
  budget = 1_500,
): Promise<Schedule> {
  let left = budget
  const fails = async (candidate: Schedule) => {
    left--
    const { breaches } = await runSchedule(engine, candidate)
    return breaches.some((breach) => breach.kind === kind)
  }
  let best = schedule
  for (let size = Math.ceil(best.commands.length / 2); size >= 1 && left > 0; ) {
    let smaller = false
    for (let at = 0; at < best.commands.length && left > 0; ) {
      const candidate = { ...best, commands: best.commands.toSpliced(at, size) }
      if (await fails(candidate)) {
        best = candidate
        smaller = true
      } else at += size
    }
    if (!smaller || size > 1) size = size === 1 ? 0 : Math.ceil(size / 2)
  }
  // A service with fewer peculiarities, and shorter pauses, tell more.
  for (const profile of [
    { ...best.profile, batch: 1_000, batchDelay: 0, hasty: false },
    { ...best.profile, streaming: false, shuffled: false },
    { ...best.profile, shuffled: false, named: true, firstIndex: 1 as const, heartbeatSeconds: 30 },
  ]) {
    const candidate = { ...best, profile: { ...best.profile, ...profile } }
    if (left > 0 && (await fails(candidate))) best = candidate
  }
  return best
}
