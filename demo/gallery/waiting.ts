// Counts what the page itself has put off for a moment: frames, idle time, and timers that are short. Imported before everything
// else, so that nothing keeps the functions of before.

/** In milliseconds. What waits longer than any such timer belongs to another state of the chat. */
const SHORT = 200

/** The browser's own functions, for whoever waits without being waited for. */
export const own = {
  setTimeout: window.setTimeout.bind(window),
  requestAnimationFrame: window.requestAnimationFrame.bind(window),
}

/** Ids by what gave them: the same number of two functions is not the same wait. */
const waits = { timer: new Set<number>(), frame: new Set<number>(), idle: new Set<number>() }

/** Whether a frame, an idle moment or a short timer is still to come. */
export const isWaiting = (): boolean => Object.values(waits).some(({ size }) => size > 0)

const { setTimeout, clearTimeout, requestAnimationFrame, cancelAnimationFrame } = window
const { requestIdleCallback, cancelIdleCallback } = window

window.setTimeout = ((handler: (...given: unknown[]) => void, delay = 0, ...given: unknown[]) => {
  const id = setTimeout(() => {
    waits.timer.delete(id)
    handler(...given)
  }, delay) as unknown as number
  if (delay <= SHORT) waits.timer.add(id)
  return id
}) as typeof window.setTimeout
window.clearTimeout = (id) => {
  waits.timer.delete(Number(id))
  clearTimeout(id)
}
window.requestAnimationFrame = (draw) => {
  const id = requestAnimationFrame((now) => {
    waits.frame.delete(id)
    draw(now)
  })
  waits.frame.add(id)
  return id
}
window.cancelAnimationFrame = (id) => {
  waits.frame.delete(id)
  cancelAnimationFrame(id)
}
if (typeof requestIdleCallback === 'function') {
  window.requestIdleCallback = (run, options) => {
    const id = requestIdleCallback((deadline) => {
      waits.idle.delete(id)
      run(deadline)
    }, options)
    waits.idle.add(id)
    return id
  }
  window.cancelIdleCallback = (id) => {
    waits.idle.delete(id)
    cancelIdleCallback(id)
  }
}
