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

type Rule = readonly string[] | 'boolean' | 'text' | RegExp

const RULES: Readonly<Record<keyof Options, Rule>> = {
  origin: /^https?:\/\/[^/]+$/,
  connector: /^[\w-]+$/,
  isolation: ['frame', 'none'],
  layout: ['float', 'embedded', 'fullscreen'],
  target: 'text',
  platform: ['web', 'ios', 'android'],
  streaming: 'boolean',
  autoOpen: 'boolean',
  launcher: ['auto', 'hidden'],
  showHeader: 'boolean',
  position: ['right', 'left'],
  theme: ['auto', 'light', 'dark'],
  accent: 'text',
  locale: 'text',
}

/** Names of the service's own snippet, for those who come from it. */
const ALIASES: Readonly<Record<string, [name: keyof Options, values: Readonly<Record<string, string>>]>> = {
  renderMode: ['layout', { inline: 'embedded', widget: 'float' }],
  showIcon: ['launcher', { true: 'auto', false: 'hidden' }],
}

/** Reads what was given, whatever it is. Later sources count more. */
export function readOptions(
  sources: readonly (Readonly<Record<string, unknown>> | undefined)[],
  warn: (text: string) => void,
): Options {
  const read: Record<string, unknown> = {}
  for (const source of sources) {
    for (const given of Object.keys(source ?? {})) {
      const [name, values] = (Object.hasOwn(ALIASES, given) && ALIASES[given]) || [
        given,
        {} as Record<string, string>,
      ]
      if (!Object.hasOwn(RULES, name)) continue
      const raw = source?.[given]
      if (raw === undefined || raw === null) continue
      const rule = RULES[name as keyof Options]
      const text = String(raw)
      const value = check(rule, Object.hasOwn(values, text) ? values[text] : text)
      if (value === undefined)
        warn(
          `Foyer: ${given} cannot be used as given; ${Array.isArray(rule) ? `use ${rule.join(' or ')}` : 'see the docs'}`,
        )
      else read[name] = value
    }
  }
  return read
}

function check(rule: Rule, text: string | undefined): unknown {
  if (text === undefined) return undefined
  if (rule === 'text') return text && text.length < 200 ? text : undefined
  if (rule === 'boolean') return { true: true, '': true, false: false }[text]
  if (rule instanceof RegExp) return rule.test(text) ? text : undefined
  return rule.includes(text) ? text : undefined
}
