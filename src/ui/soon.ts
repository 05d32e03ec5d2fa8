// Delays drawing to the next frame.

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
