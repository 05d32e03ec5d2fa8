// Moves the keyboard focus into the composer of a panel in a frame, whose browser may give the frame the focus late or not at all.

import { listen } from './listen.ts'

export type FieldFocus = {
  /** The composer is to have the focus, or not any more. */
  want(wanted: boolean): void
  dispose(): void
}

const TRIES = 5
const AGAIN_MS = 200

/** `focus`: focuses the composer, if it is drawn. */
export function createFieldFocus(focus: () => void, framed: boolean): FieldFocus {
  /** On a busy machine the frame itself has the focus later than any of the tries. */
  let wanted = false
  /** Firefox may move the focus into the frame only after the composer took it, and leaves it on the page of the frame then. */
  function enter(tries: number): void {
    focus()
    if (framed && tries)
      setTimeout(() => {
        if (document.hasFocus() && isLost()) enter(tries - 1)
      }, AGAIN_MS)
  }
  const isLost = () => framed && document.activeElement === document.body
  return {
    want(now) {
      wanted = now
      if (now) enter(TRIES)
    },
    dispose: listen(window, 'focus', () => {
      if (wanted && isLost()) enter(TRIES)
      wanted = false
    }),
  }
}

/**
 * Handles keys while no control has the focus: typed text goes to the composer, and Escape closes the panel. In a frame of
 * another site WebKit does not let scripts move the focus before the visitor has pressed a key there. `close`: false where the visitor
 * cannot close it. Returns the undo.
 */
export const keysFromNowhere = (focus: () => void, close: false | (() => void)): (() => void) =>
  listen(document, 'keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, isComposing } = event as KeyboardEvent
    const at = document.activeElement
    if ((at && at !== document.body) || ctrlKey || metaKey || altKey || isComposing) return
    if (key === 'Escape' && close) close()
    else if (key.length === 1 || key === 'Process') focus()
  })
