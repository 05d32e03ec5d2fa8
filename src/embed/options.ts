// Options: attributes of the script tag, `window.foyerSettings`, the query of the script's address, or the
// argument of `mount`. All are read by the same rules: unknown names are ignored, a bad value is its default
// and a warning.

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
  /** Any CSS colour. */
  accent?: string
  /** BCP 47. Default: the page's language, then the browser's. */
  locale?: string
}

const SWITCH = 'true|false'

/** What each may be, as a pattern of the whole value. Every page pays for this table, so it is terse. */
const RULES: Readonly<Record<keyof Options, string>> = {
  origin: 'https?://[^/]+',
  connector: '[\\w-]+',
  isolation: 'frame|none',
  layout: 'float|embedded|fullscreen',
  target: '.{1,200}',
  platform: 'web|ios|android',
  streaming: SWITCH,
  autoOpen: SWITCH,
  launcher: 'auto|hidden',
  showHeader: SWITCH,
  position: 'right|left',
  theme: 'auto|light|dark',
  accent: '.{1,200}',
  locale: '[\\w-]+',
}

/** Names and values of the service's own snippet, for those who come from it. */
const ALIASES: Readonly<Record<string, string>> = {
  renderMode: 'layout',
  inline: 'embedded',
  widget: 'float',
  showIcon: 'launcher',
  true: 'auto',
  false: 'hidden',
}

type Source = Readonly<Record<string, unknown>> | undefined

/** Reads what was given, whatever it is. Later sources count more. */
export function readOptions(...sources: Source[]): Options {
  const read: Record<string, unknown> = {}
  for (const source of sources)
    for (const given in source) {
      const isOwn = Object.hasOwn(RULES, given)
      const name = isOwn ? given : (Object.hasOwn(ALIASES, given) && ALIASES[given]) || ''
      if (!Object.hasOwn(RULES, name) || source[given] == null) continue
      const rule = RULES[name as keyof Options]
      const text = String(source[given])
      const value = isOwn ? text : (ALIASES[text] ?? text)
      if (!RegExp(`^(${rule})$`).test(value)) console.warn(`Foyer: ${given} must be ${rule}`)
      else read[name] = rule === SWITCH ? value === 'true' : value
    }
  return read
}
