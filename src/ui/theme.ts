// How the panel gets its looks: a constructed sheet for each root, tokens on its element.

import { css, paletteOf, type Rgb, type Theme } from './accent.ts'
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

/**
 * A colour from outside as sRGB. The canvas parses it, which knows colours and nothing else: no `var()`, no `url()`.
 * Undefined where it is no colour.
 */
export function readColour(text: string): Rgb | undefined {
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
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
  return [red, green, blue]
}

/** Sets the tokens that depend on the accent, for one theme. */
export function paint(element: HTMLElement, accent: Rgb, theme: Theme): void {
  const { surface, surface2, surface3, fill, onFill, link, focus } = paletteOf(accent, theme)
  const tokens = {
    accent: fill,
    'on-accent': onFill,
    surface,
    'surface-2': surface2,
    'surface-3': surface3,
    link,
    focus,
  }
  for (const [name, colour] of Object.entries(tokens)) element.style.setProperty(`--${name}`, css(colour))
}
