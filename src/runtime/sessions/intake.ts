// Takes in the frames of one socket: counts them, queues them within bounds, and handles them one at a time.
//
//   frame ─▶ gate ─ pass or drop ─▶ queue ─▶ handle          full queue: the socket is not read
//              └─── close ─▶ cut: nothing more is handled

const WINDOW_MS = 10_000
const DROP_ABOVE = { frames: 100, bytes: 1024 * 1024 }
const CLOSE_ABOVE = { frames: 500, bytes: 4 * 1024 * 1024 }
const FULL = { frames: 32, bytes: 256 * 1024 }

export type Verdict = 'pass' | 'drop' | 'close'

/** Counts frames and bytes in windows of ten seconds, at a constant cost a frame. */
export function createGate(now: () => number): (bytes: number) => Verdict {
  let start = Number.NEGATIVE_INFINITY
  let count = { frames: 0, bytes: 0 }
  return (bytes) => {
    const at = now()
    // A clock that was set back starts a new window too; otherwise the old one could last for hours.
    if (at - start >= WINDOW_MS || at < start) {
      start = at
      count = { frames: 0, bytes: 0 }
    }
    count.frames++
    count.bytes += bytes
    if (isAbove(count, CLOSE_ABOVE)) return 'close'
    return isAbove(count, DROP_ABOVE) ? 'drop' : 'pass'
  }
}

const isAbove = (count: typeof FULL, limit: typeof FULL): boolean =>
  count.frames > limit.frames || count.bytes > limit.bytes

/** A frame that waits to be handled. Without a text it was binary; a dropped frame is answered and not handled. */
export type QueuedFrame = { text: string | undefined; bytes: number; dropped: boolean }

export interface Source {
  pause(): void
  resume(): void
}

export type IntakeOptions = {
  now: () => number
  source: Source
  handle(frame: QueuedFrame): Promise<void>
  /** Called once, when a client sends too much. */
  cut(): void
  failed(error: unknown): void
}

export interface Intake {
  /** Handles frames from now on; until then they wait. */
  start(): void
  stop(): void
  /** Takes a message. `decode` returns its text, and is called only if the text is needed. */
  take(bytes: number, decode: () => string | undefined): void
  /** Counts a control frame like any other frame. True if it may be answered. */
  control(bytes: number): boolean
}

export function createIntake({ now, source, handle, cut, failed }: IntakeOptions): Intake {
  const gate = createGate(now)
  const queue: QueuedFrame[] = []
  let held = 0
  let state: 'waiting' | 'idle' | 'busy' | 'stopped' = 'waiting'
  let paused = false
  let overrun = false

  function stop(): void {
    state = 'stopped'
    queue.length = 0
    held = 0
  }

  async function work(): Promise<void> {
    state = 'busy'
    for (let frame = queue.shift(); frame; frame = queue.shift()) {
      try {
        await handle(frame)
      } catch (error) {
        failed(error)
      }
      if (isStopped()) return
      held -= frame.bytes
      if (paused && queue.length <= FULL.frames / 2 && held <= FULL.bytes / 2) {
        paused = false
        source.resume()
      }
    }
    state = 'idle'
  }
  const isStopped = (): boolean => state === 'stopped'

  /** Once the client has exceeded the limit no frame is handled, however long the socket takes to close. */
  function count(bytes: number): Verdict {
    const verdict = gate(bytes)
    if (verdict === 'close' && !overrun) {
      overrun = true
      stop()
      cut()
    }
    return verdict
  }

  return {
    start() {
      if (state === 'waiting') void work()
    },
    stop,

    take(bytes, decode) {
      const verdict = count(bytes)
      if (verdict === 'close' || isStopped()) return
      queue.push({ text: decode(), bytes, dropped: verdict === 'drop' })
      held += bytes
      if (!paused && (queue.length >= FULL.frames || held >= FULL.bytes)) {
        paused = true
        source.pause()
      }
      if (state === 'idle') void work()
    },

    control: (bytes) => count(bytes) === 'pass' && !isStopped(),
  }
}
