// Keys that the page passes on. WebKit moves the keyboard into a frame of another site only when a person does: until then it gives
// the keys to the page, which has no field for them.

type Target = {
  panel: HTMLElement
  draft: { value: string; peek(): string }
  close(): void
}

/** Does with a key, by its `KeyboardEvent.key`, what it would have done in the composer. */
export function press(key: string, { panel, draft, close }: Target): void {
  const signs = [...key]
  if (key === 'Escape') close()
  else if (key === 'Enter') panel.querySelector<HTMLFormElement>('form.composer')?.requestSubmit()
  else if (key === 'Backspace') draft.value = [...draft.peek()].slice(0, -1).join('')
  else if (signs.length === 1) draft.value += key
}
