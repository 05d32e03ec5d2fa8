// Time that runs many times faster than life, and waits: a slow machine slows it instead of making everything late.

const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout }
/** Most milliseconds that go by at once: a machine that stood still did not let time pass. */
const LONGEST_STEP = 60
/** A database that is busy for longer than this (real milliseconds) holds time up no more. */
const LONGEST_HOLD = 3_000

type Timer = { at: number; order: number; fn: () => void }

export function createFastTime(speed: number) {
  let now = 0
  let order = 0
  let last = performance.now()
  let running = true
  let busy = 0
  let busySince = 0
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
    const end = now + (held ? 0 : Math.min((at - last) * speed, LONGEST_STEP))
    last = at
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

  return {
    now: () => now,
    after,
    /** The process stood still for so long: all that was due in it happens at its end. */
    leap(ms: number) {
      now += ms
    },
    /** Time stands still while the promise is under way. */
    async hold<T>(work: Promise<T>): Promise<T> {
      if (busy++ === 0) busySince = performance.now()
      try {
        return await work
      } finally {
        busy--
      }
    },
    /** Has the global timers go by this time, until the returned function is called. */
    install(): () => void {
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
        globalThis.setTimeout = real.setTimeout
        globalThis.clearTimeout = real.clearTimeout
      }
    },
    stop() {
      running = false
    },
  }
}
