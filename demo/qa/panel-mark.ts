// Keeps the open panel to this page: the demo's other pages begin with a closed one.

/** `key`: of the mark in the tab's storage by which a panel that is open opens on the next page too. It waits under another name. */
export function keepPanelHere(key: string): void {
  const ownKey = `home:${key}`
  const move = (from: string, to: string) => {
    const mark = sessionStorage.getItem(from)
    if (mark !== null) sessionStorage.setItem(to, mark)
    sessionStorage.removeItem(from)
  }
  try {
    move(ownKey, key)
    addEventListener('pagehide', () => move(key, ownKey))
    addEventListener('pageshow', ({ persisted }) => persisted && move(ownKey, key))
  } catch {
    // A browser that denies storage keeps no mark either.
  }
}
