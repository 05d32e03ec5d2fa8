// How the panel gets its looks: a constructed sheet for each root, tokens on its element.

import css from './panel.css?inline'

const sheets = new WeakMap<Document | ShadowRoot, CSSStyleSheet>()

/** Adopts the panel's styles in `root`, once. Constructed sheets need no permission from any policy. */
export function adoptStyles(root: Document | ShadowRoot): void {
  if (sheets.has(root)) return
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  sheets.set(root, sheet)
  root.adoptedStyleSheets = [...(root.adoptedStyleSheets ?? []), sheet]
}

/** Whether `text` is a colour that the browser knows. */
export function isColour(text: string): boolean {
  return typeof CSS !== 'undefined' && CSS.supports('color', text)
}

/** Black or white, whichever can be read better on `colour`; undefined where that cannot be told. */
export function readableOn(colour: string): string | undefined {
  const context = document.createElement('canvas').getContext?.('2d', { willReadFrequently: true })
  if (!context) return undefined
  context.fillStyle = colour
  context.fillRect(0, 0, 1, 1)
  const [r = 0, g = 0, b = 0] = context.getImageData(0, 0, 1, 1).data
  const linear = (part: number) => (part <= 10.3 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4)
  const light = 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
  return 1.05 / (light + 0.05) >= (light + 0.05) / 0.05 ? '#fff' : '#111'
}
