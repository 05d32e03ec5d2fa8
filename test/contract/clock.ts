import type { Clock } from '../../src/runtime/index.ts'

/** What the runtime does by itself every so often; it sets the next time when its work is done. */
const BEATS = [1_000, 5_000, 300_000]

export type HandClock = Clock & {
  /** Time goes by: what is due happens in order, each beat's work whole before time goes on. */
  pass(ms: number): Promise<void>
  /** Time is gone at once, as on a machine that slept: what is due in it happens once, at its end. */
  leap(ms: number): Promise<void>
}

/** Time that passes when told to. */
export function handClock(start = 1_800_000_000_000): HandClock {
  type Entry = { at: number; ms: number; fn: () => void }
  let now = start
  let due: Entry[] = []
  const waiting = (ms: number) => due.filter((each) => each.ms === ms).length

  async function run(entry: Entry): Promise<void> {
    const beats = waiting(entry.ms)
    due = due.filter((each) => each !== entry)
    entry.fn()
    while (BEATS.includes(entry.ms) && waiting(entry.ms) < beats)
      await new Promise((resolve) => setImmediate(resolve))
  }

  return {
    now: () => now,
    after(ms, fn) {
      const entry = { at: now + ms, ms, fn }
      due.push(entry)
      return () => {
        due = due.filter((each) => each !== entry)
      }
    },
    async pass(ms) {
      const end = now + ms
      for (;;) {
        const [next] = due.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
        if (!next) break
        now = Math.max(now, next.at)
        await run(next)
      }
      now = end
    },
    async leap(ms) {
      now += ms
      const missed = due.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at)
      for (const entry of missed) if (due.includes(entry)) await run(entry)
    },
  }
}
