// Reads options from the attributes of the script tag, `window.foyerSettings`, the query of the script's address, or the
// argument of `mount`, by the same rules: unknown names are ignored; an invalid value gives a warning and its default.

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
}

const SWITCH = 'true|false'
/** Checked further where it is used. */
const TEXT = '.{1,200}'

/** The valid values of each option, as patterns. Every page loads this table, so it is terse. */
const RULES: Readonly<Record<string, string | undefined>> = {
  // Without a prototype, so that names such as `constructor` are not in it.
  __proto__: null as never,
  origin: 'https?://[^/]+',
  connector: '[\\w-]+',
  isolation: 'frame|none',
  layout: 'float|embedded|fullscreen',
  target: TEXT,
  platform: 'web|ios|android',
  streaming: SWITCH,
  autoOpen: SWITCH,
  launcher: 'auto|hidden',
  showHeader: SWITCH,
  position: 'right|left',
  theme: 'auto|light|dark',
  // No nested functions: a colour can neither load an address nor read a variable of the page.
  accent: '#?\\w+|(rgb|hsl|hwb|lab|lch|ok|color)[a-z]*\\([\\w %,./+-]+\\)',
  locale: '[\\w-]+',
  teaser: TEXT,
  teaserWhen: TEXT,
  notify: TEXT,
} satisfies Record<keyof Options | '__proto__', string>

/** Names and values of the service's own snippet, as aliases. */
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
 * Reads options from sources of any type; later sources win. Reads only own properties of plain objects: a page's HTML can
 * put an element or a window under any name, and a page's script can extend `Object.prototype`. The result inherits nothing
 * either.
 */
export function readOptions(...sources: unknown[]): Options {
  const read: Record<string, unknown> = Object.create(null)
  for (const source of sources.map(Object).filter(isPlain))
    for (const [given, raw] of Object.entries(source)) {
      const name = RULES[given] ? given : (ALIASES[given] ?? '')
      const rule = RULES[name]
      if (!rule || raw == null) continue
      const text = `${raw}`
      const value = (name !== given && ALIASES[text]) || text
      if (!RegExp(`^(${rule})$`).test(value)) console.warn(`Foyer: ${given} must be ${rule}`)
      else read[name] = rule === SWITCH ? value === 'true' : value
    }
  return read
}

const isPlain = (value: object): boolean => [null, Object.prototype].includes(Object.getPrototypeOf(value))
