// Repeats work, waits, and limits waiting by the runtime's clock, which goes by the database's time.

import { type Clock, systemClock } from '../api/index.ts'

export { type Clock, systemClock } from '../api/index.ts'

/** The machine's clock, corrected to that of the database, which all processes share: what ends a chat must not differ between them. */
export interface SharedClock extends Clock {
  /** The machine's own time. */
  own(): number
  /** Says by how many milliseconds the machine's clock is ahead, and for how many more that is to be believed. */
  correct(aheadMs: number, sureForMs: number): void
  ahead(): number
  /** Whether the time may end a chat: false where the last correction is too old, or somebody has set the machine's clock since. */
  isSure(): boolean
}

export function sharedClock(machine: Clock = systemClock): SharedClock {
  let ahead = 0
  let sureSince = Number.NEGATIVE_INFINITY
  let sureFor = 0
  return {
    now: () => machine.now() - ahead,
    after: machine.after,
    own: machine.now,
    correct(ms, sureForMs) {
      ahead = ms
      sureSince = machine.now()
      sureFor = sureForMs
    },
    ahead: () => ahead,
    isSure() {
      const passed = machine.now() - sureSince
      return passed >= 0 && passed <= sureFor
    },
  }
}

/** Machines that follow NTP differ by far less. */
const WRONG_MS = 5_000

/** How far the machine's clock is off, in words; undefined: not so far that the operator has to act. */
export function wrongClock(aheadMs: number): string | undefined {
  if (Math.abs(aheadMs) <= WRONG_MS) return undefined
  const seconds = Math.abs(Math.round(aheadMs / 1000))
  return `${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's`
}

/** False: a test turns the clock by hand. */
export const isShared = (clock: Clock): clock is SharedClock => 'correct' in clock

/** Returns a function that calls `ask` at most every `ms`. Who calls it in between gets the last answer, or waits for it. */
export function atMostEvery<T>(clock: Clock, ms: number, ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined
  let askedAt = 0
  return () => {
    if (answer && Math.abs(clock.now() - askedAt) < ms) return answer
    askedAt = clock.now()
    answer = ask()
    return answer
  }
}

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

/** What `work` resolves to. Rejects with `why` where it takes longer than `ms`. */
export function inTime<T>(clock: Clock, ms: number, work: Promise<T>, why: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = clock.after(ms, () => reject(new Error(why)))
    work.then(resolve, reject).finally(stop)
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
