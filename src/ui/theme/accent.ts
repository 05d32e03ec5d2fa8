// Derives every use of the accent from one colour, in OKLCH: the hue stays, the lightness moves until the contrast
// passes WCAG 2.2 AA against each surface that the use stands on.

/** sRGB, each part 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number]
export type Theme = 'light' | 'dark'

/** Colours of one theme. `fill` carries `onFill`; the others stand on any of the surfaces. */
export type Palette = {
  surface: Rgb
  surface2: Rgb
  surface3: Rgb
  /** The visitor's bubble and filled buttons. The launcher uses the accent as it is given. */
  fill: Rgb
  /** Words and icons on `fill`: at least 4.5:1. */
  onFill: Rgb
  /** Links and the words of chips: at least 4.5:1. */
  link: Rgb
  /** The focus ring: at least 3:1. */
  focus: Rgb
}

const TEXT = 4.5
const SHAPE = 3
const WHITE: Rgb = [255, 255, 255]
const INK: Rgb = [17, 17, 17]

/** Neutral surfaces and the share of the accent that is mixed into each, in OKLab. */
const SURFACES: Readonly<
  Record<Theme, readonly [readonly [Rgb, number], readonly [Rgb, number], readonly [Rgb, number]]>
> = {
  light: [
    [WHITE, 0.01],
    [[251, 251, 250], 0.05],
    [[244, 244, 242], 0.09],
  ],
  dark: [
    [[23, 24, 27], 0.07],
    [[32, 34, 38], 0.09],
    [[43, 45, 51], 0.11],
  ],
}

/** The most of an accent in dark, in OKLCH: what is lighter or more vivid glares there. */
const SOFT = { lightness: 0.82, chroma: 0.15 }

export function paletteOf(given: Rgb, theme: Theme): Palette {
  const accent = theme === 'dark' ? soften(given) : given
  const [surface, surface2, surface3] = SURFACES[theme].map(([base, share]) => mix(base, accent, share)) as [
    Rgb,
    Rgb,
    Rgb,
  ]
  const surfaces = [surface, surface2, surface3]
  const onFill = contrast(accent, WHITE) >= contrast(accent, INK) ? WHITE : INK
  return {
    surface,
    surface2,
    surface3,
    fill: reach(accent, [onFill], TEXT, onFill === WHITE ? -1 : 1),
    onFill,
    link: reach(accent, surfaces, TEXT, theme === 'light' ? -1 : 1),
    focus: reach(accent, surfaces, SHAPE, theme === 'light' ? -1 : 1),
  }
}

/** The WCAG contrast ratio of two colours, 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

/** OKLCH lightness, 0 to 1. */
export const lightnessOf = (colour: Rgb): number => toLab(colour)[0]

/** OKLCH chroma, 0 to about 0.4. */
export const chromaOf = (colour: Rgb): number => Math.hypot(...toLab(colour).slice(1))

export const css = (colour: Rgb): string => `rgb(${colour.join(' ')})`

/** The nearest colour of the same hue, darker (-1) or lighter (1), that has `ratio` against all of `grounds`. */
function reach(colour: Rgb, grounds: readonly Rgb[], ratio: number, direction: -1 | 1): Rgb {
  const passes = (candidate: Rgb) => grounds.every((ground) => contrast(candidate, ground) >= ratio)
  if (passes(colour)) return colour
  const [lightness, a, b] = toLab(colour)
  const end = direction === 1 ? 1 : 0
  let [failing, passing] = [lightness, end]
  for (let step = 0; step < 14; step++) {
    const middle = (failing + passing) / 2
    if (passes(inGamut(middle, a, b))) passing = middle
    else failing = middle
  }
  return inGamut(passing, a, b)
}

function soften(colour: Rgb): Rgb {
  const [lightness, a, b] = toLab(colour)
  const chroma = chromaOf(colour)
  if (lightness <= SOFT.lightness && chroma <= SOFT.chroma) return colour
  const share = Math.min(1, SOFT.chroma / (chroma || 1))
  return inGamut(Math.min(lightness, SOFT.lightness), a * share, b * share)
}

const luminance = (colour: Rgb): number => {
  const [red, green, blue] = colour.map(linear) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const linear = (part: number): number => {
  const share = part / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}
const gamma = (share: number): number => {
  const part = share <= 0.0031308 ? share * 12.92 : 1.055 * share ** (1 / 2.4) - 0.055
  return part * 255
}

type Lab = readonly [lightness: number, a: number, b: number]

/** sRGB to OKLab, by the matrices of CSS Color 4. */
function toLab(colour: Rgb): Lab {
  const [red, green, blue] = colour.map(linear) as [number, number, number]
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

/** OKLab to sRGB, not rounded and not clipped. */
function fromLab([lightness, a, b]: Lab): [number, number, number] {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    gamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ]
}

const clip = (colour: readonly number[]): Rgb =>
  colour.map((part) => Math.min(255, Math.max(0, Math.round(part)))) as unknown as Rgb

/** A colour of this lightness and hue, with as much of the chroma as sRGB can show. */
function inGamut(lightness: number, a: number, b: number): Rgb {
  for (let chroma = 1; chroma > 0; chroma -= 0.1) {
    const colour = fromLab([lightness, a * chroma, b * chroma])
    if (colour.every((part) => part > -0.5 && part < 255.5)) return clip(colour)
  }
  return clip(fromLab([lightness, 0, 0]))
}

function mix(base: Rgb, colour: Rgb, share: number): Rgb {
  const [from, to] = [toLab(base), toLab(colour)]
  return clip(fromLab(from.map((part, index) => part + ((to[index] ?? 0) - part) * share) as unknown as Lab))
}
