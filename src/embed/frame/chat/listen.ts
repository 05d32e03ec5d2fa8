// Adds listeners to event targets, with an undo.

/** Listens until the undo that it returns is called. */
export function listen(target: EventTarget, type: string, fn: (event: Event) => void): () => void {
  target.addEventListener(type, fn)
  return () => target.removeEventListener(type, fn)
}
