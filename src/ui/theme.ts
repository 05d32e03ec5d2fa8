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

/**
 * A colour from outside, and black or white, whichever can be read better on it. The canvas parses it, which
 * knows colours and nothing else: no `var()`, no `url()`. What comes back is what the browser wrote, never
 * the text that was given. Undefined where it is no colour.
 */
export function readColour(text: string): { colour: string; on: string } | undefined {
  const context = document.createElement('canvas').getContext?.('2d', { willReadFrequently: true })
  if (!context) return undefined
  // What is no colour leaves the style as it was: two starts tell it from a colour.
  const [colour, again] = ['#000', '#fff'].map((before) => {
    context.fillStyle = before
    context.fillStyle = text
    return context.fillStyle
  })
  if (colour === undefined || colour !== again) return undefined
  context.fillRect(0, 0, 1, 1)
  const [r = 0, g = 0, b = 0] = context.getImageData(0, 0, 1, 1).data
  const linear = (part: number) => (part <= 10.3 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4)
  const light = 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
  return { colour, on: 1.05 / (light + 0.05) >= (light + 0.05) / 0.05 ? '#fff' : '#111' }
}
