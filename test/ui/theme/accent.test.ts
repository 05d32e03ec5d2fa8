// Any accent can be read in every use, in both themes.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { chromaOf, contrast, lightnessOf, paletteOf, type Rgb } from '../../../src/ui/theme/accent.ts'

/** mulberry32: the same colours in every run. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
const next = random(7)
const part = () => Math.floor(next() * 256)
const CORNERS: Rgb[] = [
  [0, 0, 0],
  [255, 255, 255],
  [255, 238, 0],
  [0, 0, 255],
  [98, 127, 62],
  [128, 128, 128],
]
const ACCENTS: Rgb[] = [...CORNERS, ...Array.from({ length: 1000 }, (): Rgb => [part(), part(), part()])]

describe.each(['light', 'dark'] as const)('the palette of any accent in the %s theme', (theme) => {
  const failing = (test: (accent: Rgb) => boolean) => ACCENTS.filter((accent) => !test(accent))
  const onSurfaces = (use: 'link' | 'focus', ratio: number) =>
    failing((accent) => {
      const { surface, surface2, surface3, ...uses } = paletteOf(accent, theme)
      return [surface, surface2, surface3].every((ground) => contrast(uses[use], ground) >= ratio)
    })

  it('has words on the fill at 4.5:1', () => {
    expect(
      failing((accent) => contrast(paletteOf(accent, theme).fill, paletteOf(accent, theme).onFill) >= 4.5),
    ).toEqual([])
  })

  it('has links and chips at 4.5:1 on every surface', () => {
    expect(onSurfaces('link', 4.5)).toEqual([])
  })

  it('has the focus ring at 3:1 on every surface', () => {
    expect(onSurfaces('focus', 3)).toEqual([])
  })

  it('leaves an accent alone that can be read already', () => {
    const accent: Rgb = theme === 'light' ? [52, 88, 157] : [122, 162, 247]
    const { fill, link } = paletteOf(accent, theme)
    expect([fill, link]).toEqual([accent, accent])
  })
})

describe('the dark theme', () => {
  const fills = ACCENTS.map((accent) => paletteOf(accent, 'dark').fill)
  it('softens every accent that would glare', () => {
    // A step of sRGB is up to 0.01 of either.
    expect(fills.filter((fill) => lightnessOf(fill) > 0.83 || chromaOf(fill) > 0.16)).toEqual([])
  })
  it('keeps the hue', () => {
    const { fill } = paletteOf([57, 255, 20], 'dark')
    expect(fill[1]).toBe(Math.max(...fill))
    expect(chromaOf(fill)).toBeGreaterThan(0.1)
  })
  it('alone does so, and the light one does not', () => {
    expect(paletteOf([255, 230, 0], 'light').fill).toEqual([255, 230, 0])
  })
})

it('contrast is measured as WCAG does', () => {
  expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21)
  expect(contrast([119, 119, 119], [255, 255, 255])).toBeCloseTo(4.48, 2)
})

describe('the launcher, whose icon the style sheet makes white or dark by the lightness of the accent', () => {
  const sheet = readFileSync('src/embed/page/host/launcher.css', 'utf8')
  const threshold = Number(/\((0\.\d+) - l\) \* 1000/.exec(sheet)?.[1])

  it('has its icon at 3:1 on any accent', () => {
    expect(threshold).toBeGreaterThan(0)
    const failing = ACCENTS.filter((accent) => {
      const icon: Rgb = lightnessOf(accent) < threshold ? [255, 255, 255] : [0, 0, 0]
      return contrast(accent, icon) < 3
    })
    expect(failing).toEqual([])
  })
})
