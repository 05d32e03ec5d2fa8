// Tells letters from short cuts, for keys that are pressed while no field is there to take them.

/** A letter, or what changes or sends what was written. AltGr counts as Ctrl and Alt on some systems. */
export function isTyped(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, isComposing } = event
  if (isComposing || metaKey || (ctrlKey && !event.getModifierState('AltGraph'))) return false
  return /^(.|Backspace|Enter)$/u.test(key)
}
