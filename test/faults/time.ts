// Time that runs many times faster than life, and waits: a slow machine slows it instead of making everything late.

const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout }
/** Most milliseconds that go by in a turn of the event loop: a machine that stood still did not let time pass. */
const LONGEST_STEP = 60
/** Bytes cross the sockets of this process one turn after the other: after each piece so many turns take little time. */
const CROSSING_TURNS = 6
const CROSSING_STEP = 4
/** What is under way for longer than this (real milliseconds) holds time up no more: it may wait for that time itself. */
const LONGEST_HOLD = 20_000

type Timer = { at: number; order: number; fn: () => void }

export function createFastTime(speed: number) {
  let now = 0
  let order = 0
  let last = performance.now()
  let running = true
  let busy = 0
  let busySince = 0
  let crossing = 0
  const timers = new Map<number, Timer>()

  function after(ms: number, fn: () => void): () => void {
    const id = ++order
    timers.set(id, { at: now + Math.max(0, ms), order: id, fn })
    return () => void timers.delete(id)
  }

  function turn(): void {
    if (!running) return
    const at = performance.now()
    const held = busy > 0 && at - busySince < LONGEST_HOLD
    const longest = crossing > 0 ? CROSSING_STEP : LONGEST_STEP
    const end = now + (held ? 0 : Math.min((at - last) * speed, longest))
    last = at
    crossing--
    for (;;) {
      let next: [number, Timer] | undefined
      for (const entry of timers) if (entry[1].at <= end && (!next || entry[1].at < next[1].at)) next = entry
      if (!next) break
      timers.delete(next[0])
      now = Math.max(now, next[1].at)
      next[1].fn()
    }
    now = Math.max(now, end)
    real.setTimeout(turn, 1)
  }
  turn()

  /** Time stands still while the promise is under way. */
  async function hold<T>(work: Promise<T>): Promise<T> {
    if (busy++ === 0) busySince = performance.now()
    try {
      return await work
    } finally {
      // One after the other is progress, however long all of them take.
      busySince = performance.now()
      busy--
    }
  }

  return {
    now: () => now,
    after,
    /** The process stood still for so long: all that was due in it happens at its end. */
    leap(ms: number) {
      now += ms
    },
    hold,
    /** Bytes are on their way. */
    cross() {
      crossing = CROSSING_TURNS
    },
    /** Has the global timers go by this time, and encryption, in other threads, take none, until the undo is called. */
    install(): () => void {
      const freeThreads = holdThreads(hold)
      const stops = new Map<object, () => void>()
      const set = (fn: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
        const handle = { ref: () => handle, unref: () => handle, hasRef: () => true, refresh: () => handle }
        stops.set(
          handle,
          after(ms, () => {
            stops.delete(handle)
            fn(...given)
          }),
        )
        return handle
      }
      const clear = (handle: unknown) => {
        const stop = stops.get(handle as object)
        if (!stop) return real.clearTimeout(handle as never)
        stop()
        stops.delete(handle as object)
      }
      globalThis.setTimeout = set as unknown as typeof setTimeout
      globalThis.clearTimeout = clear as unknown as typeof clearTimeout
      return () => {
        freeThreads()
        // From here on nobody could take them back: Node's own fetch has a timer for each connection.
        for (const stop of stops.values()) stop()
        stops.clear()
        globalThis.setTimeout = real.setTimeout
        globalThis.clearTimeout = real.clearTimeout
      }
    },
    stop() {
      running = false
    },
  }
}

type Hold = <T>(work: Promise<T>) => Promise<T>

/** Holds time while Web Crypto works. Returns the undo. */
function holdThreads(hold: Hold): () => void {
  const { subtle } = globalThis.crypto
  const names = ['sign', 'verify', 'encrypt', 'decrypt', 'digest', 'importKey', 'deriveBits'] as const
  for (const name of names) {
    const work = subtle[name].bind(subtle) as (...given: unknown[]) => Promise<unknown>
    Object.defineProperty(subtle, name, {
      configurable: true,
      value: (...given: unknown[]) => hold(work(...given)),
    })
  }
  return () => {
    for (const name of names) Reflect.deleteProperty(subtle, name)
  }
}
