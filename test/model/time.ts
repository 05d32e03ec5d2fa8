// The time of one simulated world. The service's time never stops; a page's timers stand still while the page is
// frozen or its machine sleeps, and its monotonic clock does or does not count a sleep, as systems differ.

import type { Clock } from '../../src/chat/index.ts'

export const START = 1_800_000_000_000

/** Whose code is running: a timer belongs to the page that set it. */
export type Owner = {
  /** A page that was closed or crashed: nothing of it runs any more. */
  alive: boolean
  /** Frozen by the browser, or on a machine that sleeps: what is due waits. */
  frozen: boolean
}

/** What waits: something of the world, a page's own timer, or what the world brings to a page. */
type Kind = 'world' | 'timer' | 'delivery'
type Entry = { at: number; order: number; owner: Owner | undefined; kind: Kind; fn: () => void }

/** More than this in one instant, or in one run, is a loop. */
const MOST_AT_ONCE = 2_000
const MOST = 300_000

/** The real one, kept before a run replaces the global timers. */
const macrotask = globalThis.setImmediate

/** `settle`: resolves once nothing is under way that takes no time of the world. */
export function createTime(settle = () => new Promise<void>((resolve) => macrotask(resolve))) {
  let now = 0
  let order = 0
  const due: Entry[] = []
  let current: Owner | undefined
  /** How far the machine's clocks are from the world's: sleeps not counted, and a wall clock that was set. */
  let uncounted = 0
  let wallStep = 0
  let ran = 0
  let asleepSince: number | undefined
  let countsSleep = true

  function add(ms: number, fn: () => void, owner: Owner | undefined, kind: Kind): () => void {
    // Whole milliseconds, as timers have them: what is due at 1.5 ms is not looked at before.
    const entry = { at: Math.ceil(now + Math.max(0, ms)), order: order++, owner, kind, fn }
    due.push(entry)
    return () => {
      const index = due.indexOf(entry)
      if (index >= 0) due.splice(index, 1)
    }
  }

  const held = (entry: Entry) =>
    entry.owner?.frozen === true || (entry.kind !== 'world' && asleepSince !== undefined)

  /** Runs one entry, and all promises that it settles. */
  async function run(entry: Entry): Promise<void> {
    due.splice(due.indexOf(entry), 1)
    if (entry.owner && !entry.owner.alive) return
    current = entry.owner
    entry.fn()
    await settle()
    current = undefined
  }

  const monotonic = () => {
    const asleep = asleepSince !== undefined && !countsSleep ? now - asleepSince : 0
    return now - uncounted - asleep
  }

  return {
    /** Milliseconds of the world since the run began. */
    now: () => now,
    date: () => START + now,
    monotonic,
    settle,
    /** Of the world: the service and the network between. */
    after: (ms: number, fn: () => void) => add(ms, fn, undefined, 'world'),
    /** To a page: an answer, a frame, a message of another tab. */
    deliver: (owner: Owner, ms: number, fn: () => void) => add(ms, fn, owner, 'delivery'),
    /** Runs what a visitor or the browser does to a page, at once. */
    async act(owner: Owner, fn: () => void): Promise<void> {
      current = owner
      fn()
      await settle()
      current = undefined
    },
    clockOf: (owner: Owner): Clock => ({
      // As coarse and as odd as `performance.now()`: a page never begins at 0.
      now: () => 1_000 + monotonic(),
      wall: () => START + now + wallStep,
      after: (ms, fn) => add(ms, fn, owner, 'timer'),
      frame: (fn) => add(16, fn, owner, 'timer'),
    }),
    stepWall(ms: number) {
      wallStep += ms
    },
    /** Whether the wall clock was ever set: a step back may hide a sleep. */
    isWallSet: () => wallStep !== 0,
    async pass(ms: number): Promise<void> {
      const end = now + ms
      let still = 0
      for (;;) {
        let next: Entry | undefined
        for (const entry of due) {
          if (entry.at > end || held(entry)) continue
          if (!next || entry.at < next.at || (entry.at === next.at && entry.order < next.order)) next = entry
        }
        if (!next) break
        still = next.at > now ? 0 : still + 1
        if (still > MOST_AT_ONCE || ++ran > MOST)
          throw new Error(`the world never comes to rest at ${now} ms`)
        now = Math.max(now, next.at)
        await run(next)
      }
      now = end
    },
    /** The machine sleeps. `counts`: whether its monotonic clock goes on meanwhile. */
    async sleep(ms: number, counts: boolean): Promise<void> {
      asleepSince = now
      countsSleep = counts
      await this.pass(ms)
      asleepSince = undefined
      if (counts) return
      uncounted += ms
      // Timers were set by the monotonic clock: what it did not count, they still wait for.
      for (const entry of due) if (entry.kind === 'timer') entry.at += ms
    },
    /** Replaces the global timers, which reconnecting-websocket uses, until the returned function is called. */
    install(): () => void {
      const { setTimeout: real, clearTimeout: realClear } = globalThis
      const stops = new Map<number, () => void>()
      const fake = (fn: () => void, ms = 0) => {
        const id = ++order
        const owner = current
        const stop = add(
          ms,
          () => {
            stops.delete(id)
            fn()
          },
          owner,
          owner ? 'timer' : 'world',
        )
        stops.set(id, stop)
        return id
      }
      globalThis.setTimeout = fake as unknown as typeof setTimeout
      globalThis.clearTimeout = ((id: number) => {
        stops.get(id)?.()
        stops.delete(id)
      }) as unknown as typeof clearTimeout
      return () => {
        globalThis.setTimeout = real
        globalThis.clearTimeout = realClear
      }
    },
    /** Timers that a page still waits for. */
    pending: (owner: Owner) => due.filter((entry) => entry.owner === owner && entry.kind === 'timer').length,
  }
}

export type Time = ReturnType<typeof createTime>
