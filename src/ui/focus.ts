// Moves the keyboard focus inside the log, and past it.

import type { TargetedKeyboardEvent } from 'preact'

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
