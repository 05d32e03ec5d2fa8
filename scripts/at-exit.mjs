// Ends what a script has started, together with the script.

/** Runs `end` when this process ends, also by a signal; returns the undo. @param {() => void} end */
export function atExit(end) {
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
  const heard = signals.map((signal) => {
    const listener = () => {
      process.off(signal, listener)
      end()
      // Without other listeners, repeat the signal's default action.
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal)
    }
    process.on(signal, listener)
    return () => process.off(signal, listener)
  })
  process.on('exit', end)
  return () => {
    process.off('exit', end)
    for (const forget of heard) forget()
  }
}
