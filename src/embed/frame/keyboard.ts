// Brings the keyboard into the field of a panel in a frame, whose browser may give the frame the focus late or not at all. This file finds
// the field by its selector, so it serves the first screen and the panel alike.

import type { Start, ToPage } from '../channel.ts'

export type Keyboard = {
  /** The field is to have the focus, or not any more. On phones the `panel` itself has it. */
  want(focus: boolean | 'panel' | undefined): void
  /**
   * A key that was pressed on the frame's element. WebKit moves the keyboard into a frame of another site only when a person does: until then
   * it gives the keys to the page.
   */
  press(key: string): void
  /** For a key in the field of the first screen: sends, as the panel's own field does. */
  sends(event: KeyboardEvent): void
  /** For a key on the first screen: closes the panel. */
  closes(event: KeyboardEvent): void
}

const TRIES = 5
const AGAIN_MS = 200

export function createKeyboard(start: Start, post: (message: ToPage) => void, signal: AbortSignal): Keyboard {
  const find = <T extends HTMLElement>(selector: string) => document.querySelector<T>(selector)
  const field = () => find<HTMLTextAreaElement>('.composer textarea')
  const box = () => find('[role="dialog"]')
  const focus = () => (field() ?? find('.over .primary') ?? box())?.focus({ preventScroll: true })
  const isLost = () => document.activeElement === document.body
  const close = () => start.closable !== false && post({ type: 'close' })
  const submit = () => find<HTMLFormElement>('form.composer')?.requestSubmit()
  /** On a busy machine the frame itself has the focus later than any of the tries. */
  let wanted = false

  /** Firefox may move the focus into the frame only after the field took it, and leaves it on the page of the frame then. */
  function enter(tries: number): void {
    focus()
    if (tries)
      setTimeout(() => {
        if (document.hasFocus() && isLost()) enter(tries - 1)
      }, AGAIN_MS)
  }
  const entered = () => {
    if (wanted && isLost()) enter(TRIES)
    wanted = false
  }
  addEventListener('focus', entered, { signal })
  // A key while no control has the focus: the field takes it. In a frame of another site WebKit does not let scripts move the focus before
  // the visitor has pressed a key there.
  function onKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): void {
    // A browser that fills in a form sends events of keys without a key.
    if (key === undefined || !isLost()) return
    if (key === 'Escape') close()
    else if (([...key].length === 1 && !ctrlKey && !metaKey && !altKey) || key === 'Process') focus()
  }
  document.addEventListener('keydown', onKey, { signal })
  return {
    want(now) {
      wanted = now === true
      if (wanted) enter(TRIES)
      else if (now) box()?.focus({ preventScroll: true })
    },
    press(key) {
      const input = field()
      if (key === 'Escape') close()
      else if (key === 'Enter') submit()
      else if (input && (key === 'Backspace' || [...key].length === 1)) {
        input.value = key === 'Backspace' ? [...input.value].slice(0, -1).join('') : input.value + key
        input.dispatchEvent(new Event('input', { bubbles: true }))
        focus()
      }
    },
    sends(event) {
      const { key, shiftKey, isComposing, keyCode } = event
      // 229: what some browsers say while an input method still composes.
      if (key !== 'Enter' || isComposing || keyCode === 229 || shiftKey === (start.enterSends !== false))
        return
      event.preventDefault()
      submit()
    },
    closes(event) {
      if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return
      event.preventDefault()
      close()
    },
  }
}
