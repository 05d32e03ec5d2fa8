// Paints the panel in the page's accent.

import { css, paletteOf, type Rgb, type Theme } from './accent.ts'

/** Sets the tokens that depend on the accent; without one takes them away. An invalid colour changes nothing. */
export function paint(element: HTMLElement, accent: string | undefined, theme: Theme): void {
  const colour = accent ? readColour(accent) : undefined
  if (colour) setTokens(element, tokensOf(colour, theme))
  // The names are the same for every colour.
  else if (!accent) for (const name in tokensOf([0, 0, 0], theme)) element.style.removeProperty(`--${name}`)
}

/**
 * A colour from outside as sRGB. The canvas parses it, which knows colours and nothing else: no `var()`, no `url()`.
 * Undefined if it is not a colour.
 */
function readColour(text: string): Rgb | undefined {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  if (!context) return undefined
  // An invalid colour leaves the style as it was: two different initial values reveal that.
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

function tokensOf(accent: Rgb, theme: Theme): Readonly<Record<string, Rgb>> {
  const { surface, surface2, surface3, fill, onFill, link, focus } = paletteOf(accent, theme)
  return {
    accent: fill,
    'on-accent': onFill,
    surface,
    'surface-2': surface2,
    'surface-3': surface3,
    link,
    focus,
  }
}

function setTokens(element: HTMLElement, tokens: Readonly<Record<string, Rgb>>): void {
  for (const [name, colour] of Object.entries(tokens)) {
    // What the site chose itself stays.
    const value = name === 'surface' ? `var(--foyer-${name}, ${css(colour)})` : css(colour)
    element.style.setProperty(`--${name}`, value)
  }
}
