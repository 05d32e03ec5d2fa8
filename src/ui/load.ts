// Loads files of the panel's code, again and again where that fails.

const FIRST_MS = 1_000
const LONGEST_MS = 27_000

/** Of all files: no address that failed is asked for a second time. */
let again = 0

/**
 * Loads a file. Where that fails it tries again: after 1, 3, 9 and then every 27 seconds, and as soon as the browser is online. Never
 * rejects; once `gone` is aborted it stops, and never resolves. `onFail` is called each time. `importAt` is there for tests.
 */
export async function persist<T>(
  load: () => Promise<T>,
  gone: AbortSignal,
  importAt = (url: string): Promise<T> => import(/* @vite-ignore */ url),
  onFail = () => {},
): Promise<T> {
  let failed: string | undefined
  for (let wait = FIRST_MS; !gone.aborted; wait = Math.min(3 * wait, LONGEST_MS)) {
    try {
      const part = await (failed ? importAt(`${failed}?${++again}`) : load())
      if (gone.aborted) break
      return part
    } catch (error) {
      onFail()
      // Firefox never requests a module again whose request failed, by the same address. It says which that was, as Chromium does.
      failed = /\bhttps?:\/\/[^\s?#]+/.exec(`${error}`)?.[0]
    }
    await pause(wait, gone)
  }
  return new Promise(() => {})
}

/** Resolves after so many milliseconds, as soon as the browser is online, or once `gone` is aborted. */
const pause = (ms: number, gone: AbortSignal) =>
  new Promise<void>((resolve) => {
    const go = () => {
      clearTimeout(timer)
      removeEventListener('online', go)
      gone.removeEventListener('abort', go)
      resolve()
    }
    const timer = setTimeout(go, ms)
    addEventListener('online', go)
    gone.addEventListener('abort', go)
  })
