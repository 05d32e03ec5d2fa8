// Moves the keyboard focus inside the log.

/**
 * Arrow keys inside the log, which is one tab stop: they move from message to message, and scroll inside a message that is
 * taller than the box.
 */
export function moveInLog(event: KeyboardEvent, box: HTMLElement): void {
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
  target.scrollIntoView?.({ block: 'nearest' })
}
