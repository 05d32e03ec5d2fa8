// Moves the keyboard focus: to the composer, inside the log, and past it.

import type { TargetedKeyboardEvent } from 'preact'

/** Focuses the composer, or the button that stands in its place; `where`: what else in the panel. */
export function focusComposer(panel: Element | null, where = '.composer textarea, .over .primary'): void {
  // A rating has a field and a button of its own.
  panel?.querySelector<HTMLElement>(where)?.focus({ preventScroll: true })
}

/**
 * Moves the focus from a control that is used up to the composer. On a phone it goes to the conversation: a focused field
 * would raise the keyboard over the answer.
 */
export const focusAfterUse = (control: Element): void =>
  focusComposer(control.closest('.content'), control.closest('.phone') ? '.scroll' : undefined)

/** For a button that may go without a press, as when its message is sent: where it has the focus then, the composer takes it. */
export const keepFocus = (button: HTMLButtonElement | null) => () => {
  if (button?.matches(':focus')) focusAfterUse(button)
}

/**
 * Arrow keys inside the log, which is one tab stop: they move from message to message, and scroll inside a message that is
 * taller than the box.
 */
export function moveInLog(event: TargetedKeyboardEvent<HTMLElement>): void {
  const box = event.currentTarget
  const messages = [...box.querySelectorAll<HTMLElement>('article')]
  const from = event.target as HTMLElement
  if (from !== box && from.localName !== 'article') return
  const at = messages.indexOf(from)
  const target = {
    ArrowDown: at === -1 ? undefined : messages[at + 1],
    ArrowUp: at === -1 ? messages.at(-1) : messages[at - 1],
    Home: messages[0],
    End: messages.at(-1),
  }[event.key]
  if (target === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const view = box.getBoundingClientRect()
  const own = from === box ? view : from.getBoundingClientRect()
  const hasMore =
    (event.key === 'ArrowDown' && own.bottom > view.bottom + 1) ||
    (event.key === 'ArrowUp' && own.top < view.top - 1)
  if (hasMore && from !== box) return
  event.preventDefault()
  target.focus({ preventScroll: true })
  target.scrollIntoView({ block: 'nearest' })
}

let restore = () => {}

/**
 * For a press of Tab that the browser is about to handle: takes what stands in older answers out of the order, so that the log
 * is one stop however many links, tables and pieces of code it holds. The newest answer and the focused message keep theirs.
 */
export function skipOlder(panel: Element): void {
  restore()
  const newest = [...panel.querySelectorAll('article:not(.visitor)')].at(-1)
  const stops = panel.querySelectorAll<HTMLElement>('article:not(:focus-within) :is(a, button, [tabindex])')
  const older = [...stops].filter((each) => each.tabIndex === 0 && !newest?.contains(each))
  const set = (tabIndex: number) => {
    for (const each of older) each.tabIndex = tabIndex
  }
  set(-1)
  restore = () => set(0)
  // By then the focus has moved. Where it left the window, no key goes up here.
  for (const type of ['keyup', 'blur']) addEventListener(type, () => restore(), { once: true })
}
