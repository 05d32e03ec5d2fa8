// Reads options from the attributes of the script tag, `window.foyerSettings`, the query of the script's address, or the
// argument of `mount`, by the same rules: an invalid value gives a warning and its default. The panel checks the options that this file does not know.

import type { Feature, FormField, OwnWords, Register } from '../ui/index.ts'

/** Options that the loader passes on as they are. The panel checks them: they change the presentation only, since the page is not trusted. */
export type Details = {
  /** The agent's name, in place of the one that the service gives; a person keeps their own. Up to 60 characters. */
  agentName?: string
  /** Address of that agent's picture. It loads by itself only from where the BFF allows. */
  avatar?: string
  /** The greeting, in place of the agent's first message. Up to 500 characters. */
  greeting?: string
  /**
   * A text of the site's own, for instance on how long a chat is kept; or one for each language tag, of which the first is also for all
   * other languages. `[words](https://…)` in it is a link. Up to 1,000 characters.
   */
  disclaimer?: string | Readonly<Record<string, string>>
  /** Where the disclaimer stands: above or below the field. Default: above the first message. */
  disclaimerPlace?: 'above' | 'below'
  /** Whether the disclaimer is gone once the visitor has written. Default false. */
  disclaimerOnce?: boolean
  /** Address of the privacy policy: https, or http on this machine. */
  privacyUrl?: string
  /** Address of the terms of use: https, or http on this machine. */
  termsUrl?: string
  /** Words in place of the locale's, by their names; as an attribute JSON. */
  words?: OwnWords | string
  /** How German addresses the visitor: Sie or du. Default `formal`. */
  register?: Register
  /** Features that are switched off, separated by spaces, such as `search download`. */
  without?: Feature | (string & {})
  /**
   * Values of the panel's custom properties, by their names without `--foyer-`, such as `{"surface": "#fffaf0"}`; as an
   * attribute JSON.
   */
  tokens?: Readonly<Record<string, string>> | string
  /** How a chat is rated at its end. Default: only where the service asks, by stars. */
  rating?: 'stars' | 'thumbs'
  /** Whether Enter sends and Shift+Enter breaks the line. Default true; false: the other way round. */
  enterSends?: boolean
  /** `required`: nothing is stored or contacted before the visitor agrees. `given`, `refused`: what the page knows of it. */
  consent?: 'required' | 'given' | 'refused'
  /** The form before a new chat: up to 8 fields; as an attribute JSON. */
  form?: readonly FormField[] | string
  /** Hours of the office, such as `Mon-Fri 09:00-17:00; Sat 10:00-14:00`. */
  hours?: string
  /** The time zone of the hours, such as `Europe/Berlin`. Default: the visitor's. */
  timeZone?: string
  /** Outside of the hours: a line above the chat (`notice`), or no new chat (`closed`). Default `notice`. */
  outsideHours?: 'notice' | 'closed'
  /** Tells visitors of a closed chat where to leave a message: a text with links, or a text for each language, as `disclaimer`. */
  contact?: string | Readonly<Record<string, string>>
  /** Questions on a first screen, separated by `|` or as a list; a press sends one. Up to 6. */
  starters?: readonly string[] | string
}

/** The options of a chat. An invalid value counts as missing, with a warning in the console. */
export type Options = {
  /** The BFF's origin, such as `https://chat.example.com`. Default: the script's; for `mount` the page's. */
  origin?: string
  /** Public name of a connector, where the BFF has several. */
  connector?: string
  /** `frame`: scripts of the page reach neither token nor messages. `none`: the chat is part of the page. Default `frame`. */
  isolation?: 'frame' | 'none'
  /** Where the chat is: floating above the page, inside an element of it, or over the whole window. Default `float`; `fullscreen` on `ios`. */
  layout?: 'float' | 'embedded' | 'fullscreen'
  /** Selector of the element for `embedded`, which may stand below the script. Default: the end of the page. */
  target?: string
  /** The app whose web view shows the page. `ios`: the default layout is `fullscreen`, and the header is hidden by default. Default `web`. */
  platform?: 'web' | 'ios' | 'android'
  /** Whether answers appear while they are written. Default true. */
  streaming?: boolean
  /** Opens the chat once the page has loaded, without taking the focus; never on phones. Default false. */
  autoOpen?: boolean
  /** `hidden`: there is no launcher, and the page opens the chat. Default `auto`. */
  launcher?: 'auto' | 'hidden'
  /** `webchat`: the script tag also provides `window.WebchatAPI`, the calls of the service's own snippet. `mount` ignores it. */
  compat?: 'webchat'
  /** `idle`: the page prepares the panel out of sight once it has loaded and has nothing to do. Default: loading begins when the visitor presses the launcher. */
  prepare?: 'idle'
  /** Whether the panel has the bar with the agent's name and the menu. Default true; false on `ios`. */
  showHeader?: boolean
  /** The side of the page on which launcher and panel are. Default `right`. */
  position?: 'right' | 'left'
  /** `auto`: as the page's `color-scheme`, else light. Default `auto`. */
  theme?: 'auto' | 'light' | 'dark'
  /** A CSS colour by name, in hexadecimal or of one function such as `oklch(0.5 0.1 260)`. Default: blue. */
  accent?: string
  /** The language of the chat, a BCP 47 tag such as `de-CH`. Default: the page's language, then the browser's. */
  locale?: string
  /** A sentence on a card beside the launcher, until the visitor opens the chat or dismisses it for good. */
  teaser?: string
  /** When the teaser appears: after seconds (`10`), once so much is scrolled (`50%`), or on paths that begin so (`/prices`). */
  teaserWhen?: string
  /** How a message that arrives while the chat is closed is pointed out: `preview`, `title`, `sound`, `none`. Default `preview`. */
  notify?: string
  /** Distance of launcher and panel from the side, a CSS length such as `24px`. Default: 16px. */
  offsetX?: string
  /** Distance of the launcher from the lower edge, a CSS length. Default: 16px. */
  offsetY?: string
  /** Has no effect any more: visitors make the panel wider in its menu. */
  movable?: boolean
} & Details

/** All other options are texts, checked where they are used. */
const TEXT = '[^]{1,20000}'

/** The valid values of each option, as patterns. Every page loads this table, so it is terse. */
const RULES: Readonly<Record<string, string | undefined>> = {
  // Without a prototype, so that names such as `constructor` are not in it.
  __proto__: null as never,
  origin: 'https?://[^/]+',
  connector: '[\\w-]+',
  isolation: 'frame|none',
  layout: 'float|embedded|fullscreen',
  compat: 'webchat',
  launcher: 'auto|hidden',
  position: 'right|left',
  theme: 'auto|light|dark',
  // No nested functions: a colour can neither load an address nor read a variable of the page.
  accent: '#?\\w+|[chlor][a-z-]+\\([\\w #%,./+-]+\\)',
  locale: '[\\w-]+',
} satisfies Partial<Record<keyof Options | '__proto__', string>>

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
 * either. Options that are not in the table become texts (objects become JSON).
 */
export function readOptions(...sources: unknown[]): Options {
  const read: Record<string, unknown> = Object.create(null)
  for (const [given, raw] of sources.map(Object).filter(isPlain).flatMap(Object.entries)) {
    const name = ALIASES[given] ?? given
    const rule = RULES[name] ?? TEXT
    const text = attempt(() => (raw instanceof Object ? JSON.stringify(raw) : `${raw ?? ''}`))
    const value = (name !== given && ALIASES[text as string]) || text
    if (!value) continue
    if (RegExp(`^(${rule})$`).test(value)) read[name] = value === 'true' || (value !== 'false' && value)
    else console.warn(`Foyer: ${given} must be ${rule}`)
  }
  if (read.platform === 'ios') {
    read.layout ??= 'fullscreen'
    read.showHeader ??= false
  }
  return read
}

/** The visitor's consent is still missing, or was refused. */
export const lacksConsent = ({ consent }: { consent?: unknown }): boolean =>
  consent === 'required' || consent === 'refused'

/** Where the BFF at `origin` answers for a connector: for the one of this public name, or the one that needs none. */
export const bffAddress = (origin: string, connector: string | undefined, endpoint: string): string =>
  `${origin}/foyer/${connector ? `${connector}/` : ''}${endpoint}`

/** Undefined where it throws: storage may be denied, a selector none, an object circular. */
export function attempt<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    // Nothing is returned.
  }
}

/** Its prototype has none, or it has none itself. */
const isPlain = (value: object): boolean => !Object.getPrototypeOf(Object.getPrototypeOf(value) ?? value)
