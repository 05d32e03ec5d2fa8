// Moves the keyboard focus into the composer of a panel in a frame, whose browser may give the frame the focus late or not at all.

import type { PanelHandle } from '../../../ui/index.ts'
import { listen } from './listen.ts'

export type FieldFocus = {
  /** The composer is to have the focus, or not any more. On phones the `panel` itself has it. */
  want(focus: boolean | 'panel' | undefined): void
  dispose(): void
}

const TRIES = 5
const AGAIN_MS = 200
/** For a page that does not say where the focus is to go. */
const HELD_MS = 1_000
const TYPED = /^(.|Backspace|Enter)$/u

/** `panel`: if it is drawn. `close`: false where the visitor cannot close it. */
export function createFieldFocus(
  panel: () => Pick<PanelHandle, 'focusComposer' | 'press'> | undefined,
  framed: boolean,
  close: false | (() => void),
): FieldFocus {
  const focus = () => panel()?.focusComposer()
  const isLost = () => framed && document.activeElement === document.body
  /** On a busy machine the frame itself has the focus later than any of the tries. */
  let wanted = false
  /**
   * Keys that wait behind those of the page's ground: browsers handle a key before messages that came earlier, and the last of these
   * says where the focus goes. Undefined from then on.
   */
  let held: string[] | undefined = []

  /** Firefox may move the focus into the frame only after the composer took it, and leaves it on the page of the frame then. */
  function enter(tries: number): void {
    focus()
    if (framed && tries)
      setTimeout(() => {
        if (document.hasFocus() && isLost()) enter(tries - 1)
      }, AGAIN_MS)
  }
  function release(): void {
    const keys = held ?? []
    held = undefined
    for (const key of keys) panel()?.press(key)
    if (keys.length) focus()
  }
  /**
   * Handles keys while no control has the focus: typed text goes to the composer, and Escape closes the panel. In a frame of
   * another site WebKit does not let scripts move the focus before the visitor has pressed a key there.
   */
  function onKey(event: Event): void {
    const { key, ctrlKey, metaKey, altKey, isComposing } = event as KeyboardEvent
    if (!isLost() || ctrlKey || metaKey || altKey || isComposing) return
    if (key === 'Escape' && close) close()
    else if (held && TYPED.test(key)) {
      if (held.push(key) === 1) setTimeout(release, HELD_MS)
      event.preventDefault()
    } else if (key.length === 1 || key === 'Process') focus()
  }
  const undo = [
    listen(window, 'focus', () => {
      if (wanted && isLost()) enter(TRIES)
      wanted = false
    }),
    listen(document, 'keydown', onKey),
    // Who presses something in the panel types nothing on the page any more.
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
