// Options: attributes of the script tag, `window.foyerSettings`, the query of the script's address, or the
// argument of `mount`. All are read by the same rules: unknown names are ignored, a bad value is its default
// and a warning.

import type { Details } from './details.ts'

export type Options = {
  /** The BFF's origin. Default: the script's. */
  origin?: string
  /** Public name of a connector, where the BFF has several. */
  connector?: string
  isolation?: 'frame' | 'none'
  layout?: 'float' | 'embedded' | 'fullscreen'
  /** Selector of the element for `embedded`. */
  target?: string
  platform?: 'web' | 'ios' | 'android'
  streaming?: boolean
  /** Opens by itself, without taking the focus; never on phones. */
  autoOpen?: boolean
  launcher?: 'auto' | 'hidden'
  showHeader?: boolean
  position?: 'right' | 'left'
  theme?: 'auto' | 'light' | 'dark'
  /** A CSS colour by name, in hexadecimal or of one function such as `oklch(0.5 0.1 260)`. */
  accent?: string
  /** BCP 47. Default: the page's language, then the browser's. */
  locale?: string
  /** A sentence on a card beside the launcher, until the visitor opens the chat or dismisses it for good. */
  teaser?: string
  /** When the teaser appears: after seconds (`10`), once so much is scrolled (`50%`), or on paths that begin so (`/prices`). */
  teaserWhen?: string
  /** How a message that arrives while the chat is closed is pointed out: `preview` (default), `title`, `sound`, `none`. */
  notify?: string
  /** Distance of launcher and panel from the side, a CSS length such as `24px`. */
  offsetX?: string
  /** Distance of the launcher from the lower edge, a CSS length. */
  offsetY?: string
} & Details

/** All that is not in the table is read more closely where it is used, which is later. */
const TEXT = '[^]{1,20000}'

/** What each may be, as a pattern of the whole value. Every page pays for this table, so it is terse. */
const RULES: Readonly<Record<string, string | undefined>> = {
  // Names that every object has, such as `constructor`, are not in it.
  __proto__: null as never,
  origin: 'https?://[^/]+',
  connector: '[\\w-]+',
  isolation: 'frame|none',
  layout: 'float|embedded|fullscreen',
  launcher: 'auto|hidden',
  position: 'right|left',
  theme: 'auto|light|dark',
  // No function in a function: a colour neither names an address nor reads a variable of the page.
  accent: '#?\\w+|(rgb|hsl|hwb|lab|lch|ok|color)[a-z]*\\([\\w %,./+-]+\\)',
  locale: '[\\w-]+',
} satisfies Partial<Record<keyof Options | '__proto__', string>>

/** Names and values of the service's own snippet, for those who come from it. */
const ALIASES: Readonly<Record<string, string | undefined>> = {
  __proto__: null as never,
  renderMode: 'layout',
  inline: 'embedded',
  widget: 'float',
  showIcon: 'launcher',
  true: 'auto',
  false: 'hidden',
}

/**
 * Reads what was given, whatever it is. Later sources count more. Only own properties of plain objects are
 * read: a page's HTML can put an element or a window under any name, and a page's script can add to
 * `Object.prototype`. The result inherits nothing either. What is not in the table stays a text (an object as JSON).
 */
export function readOptions(...sources: unknown[]): Options {
  const read: Record<string, unknown> = Object.create(null)
  for (const source of sources.map(Object).filter(isPlain))
    for (const [given, raw] of Object.entries(source)) {
      const name = RULES[given] ? given : (ALIASES[given] ?? given)
      const rule = RULES[name] ?? TEXT
      const text = raw != null && attempt(() => (raw instanceof Object ? JSON.stringify(raw) : `${raw}`))
      if (!text) continue
      const value = (name !== given && ALIASES[text]) || text
      if (!RegExp(`^(${rule})$`).test(value)) console.warn(`Foyer: ${given} must be ${rule}`)
      else read[name] = value === 'true' || (value !== 'false' && value)
    }
  return read
}

/** Undefined where it throws: storage may be denied, a selector none, an object circular. */
export function attempt<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}

const isPlain = (value: object): boolean => [null, Object.prototype].includes(Object.getPrototypeOf(value))
