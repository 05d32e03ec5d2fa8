// Adopts the panel's styles: constructed sheets for each root, with the tokens on its element.

import panel from './panel.css?inline'

const adopted = new WeakMap<Document | ShadowRoot, Map<string, CSSStyleSheet>>()

/**
 * Adopts styles in `root`, once: the panel's, or those of a part. `first`: right behind the panel's, also where other parts came earlier,
 * whose rules stand above these. Constructed sheets need no permission from any policy.
 */
export function adoptStyles(root: Document | ShadowRoot, text: string = panel, first = false): void {
  const known = adopted.get(root) ?? new Map<string, CSSStyleSheet>()
  if (known.has(text)) return
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text)
  adopted.set(root, known.set(text, sheet))
  const sheets = [...(root.adoptedStyleSheets ?? [])]
  const own = known.get(panel) as CSSStyleSheet
  sheets.splice(first ? sheets.indexOf(own) + 1 : sheets.length, 0, sheet)
  root.adoptedStyleSheets = sheets
}
