// Moves the keyboard focus when its control disappears.

/** Focuses the composer, or the button that stands in its place. */
export function focusComposer(panel: Element | null): void {
  // A rating has a field and a button of its own.
  panel?.querySelector<HTMLElement>('.composer textarea, .over .primary')?.focus({ preventScroll: true })
}

/**
 * Moves the focus from a control that is used up to the composer. On a phone it goes to the conversation: a focused field
 * would raise the keyboard over the answer.
 */
export function focusAfterUse(control: Element): void {
  const panel = control.closest('.content')
  if (control.closest('.phone')) panel?.querySelector<HTMLElement>('.scroll')?.focus({ preventScroll: true })
  else focusComposer(panel)
}
