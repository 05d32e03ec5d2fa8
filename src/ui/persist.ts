// Loads the parts of the panel, again and again where that fails.

const FIRST_MS = 1_000
const LONGEST_MS = 27_000

/** The addresses of files that came whole. */
const here = new Set([import.meta.url])
/** Says that this file came. */
export const arrived = (url: string): unknown => here.add(url)

/**
 * Loads a part of the panel. Where that fails it tries again: after 1, 3, 9 and then every 27 seconds, and as soon as the browser is
 * online. Never rejects; once `gone` is aborted it stops, and never resolves.
 */
export async function persist<T>(load: () => Promise<T>, gone: AbortSignal): Promise<T> {
  for (let wait = FIRST_MS; !gone.aborted; wait = Math.min(3 * wait, LONGEST_MS)) {
    const part = await attempt(load).catch(() => undefined)
    if (gone.aborted) break
    if (part) return part
    await new Promise<void>((resolve) => {
      const go = () => {
        clearTimeout(timer)
        removeEventListener('online', go)
        gone.removeEventListener('abort', go)
        resolve()
      }
      const timer = setTimeout(go, wait)
      addEventListener('online', go)
      gone.addEventListener('abort', go)
    })
  }
  return new Promise(() => {})
}

/**
 * Loads a part once. Firefox never asks again for a module whose request failed, nor for one that imports it: so the part's file, and
 * those it imports, are fetched first, and imported from the browser's cache. The build puts the file's address into `load`.
 */
export async function attempt<T>(load: () => Promise<T>): Promise<T> {
  // A bundler of the site's own has addresses of its own.
  const path = import.meta.url.includes('/foyer/assets/') && /import\(.(\.[\w./-]+)/.exec(`${load}`)?.[1]
  if (path) await fetched(path)
  return load()
}

/** All files stand in one folder. */
async function fetched(path: string): Promise<void> {
  const { href } = new URL(path, import.meta.url)
  if (here.has(href)) return
  const answer = await fetch(href)
  if (!answer.ok) throw 0
  const imports = (await answer.text()).matchAll(/(?:from|import).(\.[\w./-]+)/g)
  await Promise.all(Array.from(imports, ([, name = '']) => fetched(name)))
  here.add(href)
}
