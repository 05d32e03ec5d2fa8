// Takes in the frames of one socket: counts them, queues them within bounds, and handles them one at a time.
//
//   frame ─▶ gate ─ pass, or the first drop ─▶ queue ─▶ handle          full queue: the socket is not read
//              └─── close ─▶ cut: nothing more is handled

const WINDOW_MS = 10_000
const DROP_ABOVE = { frames: 100, bytes: 1024 * 1024 }
const CLOSE_ABOVE = { frames: 500, bytes: 4 * 1024 * 1024 }
const FULL_QUEUE = { frames: 32, bytes: 256 * 1024 }

export type Verdict = 'pass' | 'drop' | 'close'

/** Counts frames and bytes in windows of ten seconds, at a constant cost a frame. */
export function createGate(now: () => number): (bytes: number) => Verdict {
  let start = Number.NEGATIVE_INFINITY
  let windowCount = { frames: 0, bytes: 0 }
  return (bytes) => {
    const at = now()
    // A clock that was set back starts a new window too; otherwise the old window could last for hours.
    if (at - start >= WINDOW_MS || at < start) {
      start = at
      windowCount = { frames: 0, bytes: 0 }
    }
    windowCount.frames++
    windowCount.bytes += bytes
    if (isAbove(windowCount, CLOSE_ABOVE)) return 'close'
    return isAbove(windowCount, DROP_ABOVE) ? 'drop' : 'pass'
  }
}

const isAbove = (counted: typeof FULL_QUEUE, limit: typeof FULL_QUEUE): boolean =>
  counted.frames > limit.frames || counted.bytes > limit.bytes

/**
 * A frame that waits to be handled. Without a text it was binary. `dropped`: the first message that a window drops; it is answered
 * with a warning and not handled. The others are not even read.
 */
export type QueuedFrame = { text: string | undefined; bytes: number; dropped: boolean }

export interface Source {
  pause(): void
  resume(): void
}

export type IntakeOptions = {
  now: () => number
  source: Source
  handle(frame: QueuedFrame): Promise<void>
  /** Called with each frame that is not handled because of its number or size. */
  refused?(): void
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

export function createIntake({ now, source, handle, refused, cut, failed }: IntakeOptions): Intake {
  const gate = createGate(now)
  const frameQueue: QueuedFrame[] = []
  let queuedBytes = 0
  let state: 'waiting' | 'idle' | 'busy' | 'stopped' = 'waiting'
  let sourcePaused = false
  let overrun = false
  let warned = false

  function stop(): void {
    state = 'stopped'
    frameQueue.length = 0
    queuedBytes = 0
  }

  async function handleQueue(): Promise<void> {
    state = 'busy'
    for (let frame = frameQueue.shift(); frame; frame = frameQueue.shift()) {
      try {
        await handle(frame)
      } catch (error) {
        failed(error)
      }
      if (isStopped()) return
      queuedBytes -= frame.bytes
      if (sourcePaused && frameQueue.length <= FULL_QUEUE.frames / 2 && queuedBytes <= FULL_QUEUE.bytes / 2) {
        sourcePaused = false
        source.resume()
      }
    }
    state = 'idle'
  }
  const isStopped = (): boolean => state === 'stopped'

  /** Once the client has exceeded the limit no frame is handled, however long the socket takes to close. */
  function countFrame(bytes: number): Verdict {
    const verdict = gate(bytes)
    // Frames pass again: a new window has begun.
    if (verdict === 'pass') warned = false
    else refused?.()
    if (verdict === 'close' && !overrun) {
      overrun = true
      stop()
      cut()
    }
    return verdict
  }

  return {
    start() {
      if (state === 'waiting') void handleQueue()
    },
    stop,

    take(bytes, decode) {
      const verdict = countFrame(bytes)
      if (verdict === 'close' || isStopped()) return
      if (verdict === 'drop') {
        if (warned) return
        warned = true
      }
      frameQueue.push({ text: decode(), bytes, dropped: verdict === 'drop' })
      queuedBytes += bytes
      if (!sourcePaused && (frameQueue.length >= FULL_QUEUE.frames || queuedBytes >= FULL_QUEUE.bytes)) {
        sourcePaused = true
        source.pause()
      }
      if (state === 'idle') void handleQueue()
    },

    control: (bytes) => countFrame(bytes) === 'pass' && !isStopped(),
  }
}
