// Brings the keyboard into the composer of a panel in a frame, whose browser may give the frame the focus late or not at all: moves the focus,
// and keeps the first keys until their place is known.

import type { PanelHandle } from '../../../ui/index.ts'
import { listen } from './listen.ts'

export type FieldFocus = {
  /** The composer is to have the focus, or not any more. On phones the `panel` itself has it. */
  want(focus: boolean | 'panel' | undefined): void
  dispose(): void
}

const TRIES = 5
const AGAIN_MS = 200
/** The longest wait, for a page that does not say where the focus goes. */
const HELD_MS = 3_000
const TYPED = /^(.|Backspace|Enter)$/u

/** `panel`: if it is drawn. */
export function createFieldFocus(
  panel: () => Pick<PanelHandle, 'focusComposer' | 'press'> | undefined,
  framed: boolean,
): FieldFocus {
  const focus = () => panel()?.focusComposer()
  const isLost = () => framed && document.activeElement === document.body
  /** On a busy machine the frame itself has the focus later than any of the tries. */
  let wanted = false
  /**
   * Keys that come behind those that the page hands over: browsers may handle a key before a message that came earlier. Undefined once
   * the page has said where the focus goes: the page says so after its last key.
   */
  let held: string[] | undefined = []

  /** Firefox may move the focus into the frame only after the composer took it, and leaves it on the page of the frame then. */
  function enter(tries: number): void {
    focus()
    if (tries)
      setTimeout(() => {
        if (document.hasFocus() && isLost()) enter(tries - 1)
      }, AGAIN_MS)
  }
  function release(): void {
    const keys = held ?? []
    held = undefined
    for (const key of keys) panel()?.press(key)
    if (keys.length && document.hasFocus()) focus()
  }
  /**
   * Handles keys while no control has the focus: typed text goes to the composer, and Escape closes the panel. In a frame of
   * another site WebKit does not let scripts move the focus before the visitor has pressed a key there. What only a field can take, such as
   * an input method or a paste, ends the wait.
   */
  function onKey(event: Event): void {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event as KeyboardEvent
    if (!isLost() || key === 'Shift') return
    const isTyped = TYPED.test(key) && !ctrlKey && !metaKey && !altKey
    if (key === 'Escape') panel()?.press(key)
    else if (held && isTyped && panel()) {
      held.push(shiftKey && key === 'Enter' ? '\n' : key)
      // The timer of the first one releases all.
      setTimeout(release, HELD_MS)
      event.preventDefault()
    } else {
      release()
      if ((isTyped && key.length === 1) || key === 'Process') focus()
    }
  }
  const undo = [
    listen(window, 'focus', () => {
      if (wanted && isLost()) enter(TRIES)
      wanted = false
    }),
    listen(document, 'keydown', onKey),
    // After a press in the panel no more keys come from the page.
    listen(document, 'pointerdown', release),
  ]
  return {
    want(now) {
      wanted = now === true
      if (now) release()
      if (wanted) enter(TRIES)
    },
    dispose() {
      for (const each of undo) each()
    },
  }
}
