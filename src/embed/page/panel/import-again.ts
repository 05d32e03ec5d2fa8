// Imports a part of the page's side or of the panel, and once more where that failed.

let tries = 0

/**
 * A browser may remember for as long as the page stands that a module failed, so it is asked for by another address. Firefox and Chromium
 * name the address in the error. WebKit does not, and requests the same again.
 */
export async function importAgain<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    const [, address] = /imported module: (\S+)/.exec(`${error}`) ?? []
    if (!address) return load()
    return import(
      /* @vite-ignore */
      /* webpackIgnore: true */
      /* turbopackIgnore: true */
      `${address}?${++tries}`
    )
  }
}
