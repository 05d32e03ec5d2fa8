// How the panel gets its looks: a constructed sheet for each root, tokens on its element.

import sheetText from './panel.css?inline'

const adopted = new WeakMap<Document | ShadowRoot, Set<string>>()

/** Adopts the panel's styles, or those of a part, in `root`, once. Constructed sheets need no permission from any policy. */
export function adoptStyles(root: Document | ShadowRoot, text = sheetText): void {
  const texts = adopted.get(root) ?? new Set()
  if (texts.has(text)) return
  adopted.set(root, texts.add(text))
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text)
  root.adoptedStyleSheets = [...(root.adoptedStyleSheets ?? []), sheet]
}
