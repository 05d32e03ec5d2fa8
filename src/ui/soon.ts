// Delays work to the next frame, or until the browser has nothing better to do.

/** Calls `fn` at the next frame, or after 100 ms: a hidden page gets no frames. Returns the undo. */
export function soon(fn: () => void): () => void {
  const stop = () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
  const run = () => {
    stop()
    fn()
  }
  const frame = requestAnimationFrame(run)
  const timer = setTimeout(run, 100)
  return stop
}

/** Calls `fn` when the browser has nothing better to do. Returns the undo. */
export function whenIdle(fn: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const id = requestIdleCallback(fn, { timeout: 1_000 })
    return () => cancelIdleCallback(id)
  }
  const id = setTimeout(fn, 50)
  return () => clearTimeout(id)
}
