// Adopts the panel's styles: a constructed sheet for each root, with the tokens on its element.

import sheetText from './panel.css?inline'

const sheets = new WeakMap<Document | ShadowRoot, CSSStyleSheet>()

/** Adopts the panel's styles in `root`, once. Constructed sheets need no permission from any policy. */
export function adoptStyles(root: Document | ShadowRoot): void {
  if (sheets.has(root)) return
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(sheetText)
  sheets.set(root, sheet)
  root.adoptedStyleSheets = [...(root.adoptedStyleSheets ?? []), sheet]
}
