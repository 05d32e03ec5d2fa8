// Adopts the panel's styles: constructed sheets for each root, with the tokens on its element.

import first from './first.css?inline'
import intro from './intro.css?inline'
import panel from './panel.css?inline'
import transcript from './transcript.css?inline'

const PANEL = [first, panel, transcript, intro].join('\n')

const adopted = new WeakMap<Document | ShadowRoot, Set<string>>()

/** Adopts styles in `root`, once: the panel's, or those of a part. Constructed sheets need no permission from any policy. */
export function adoptStyles(root: Document | ShadowRoot, text: string = PANEL): void {
  const known = adopted.get(root) ?? new Set()
  if (known.has(text)) return
  adopted.set(root, known.add(text))
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text)
  root.adoptedStyleSheets = [...(root.adoptedStyleSheets ?? []), sheet]
}
