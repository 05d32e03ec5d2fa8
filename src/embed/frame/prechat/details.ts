// Reads the options that only some sites use: names, words, the consent rule, the steps before a chat. They
// change the presentation only, since the page is not trusted.

import {
  type Feature,
  type FormField,
  type OwnWords,
  type PrechatSettings,
  type Register,
  readHours,
  type SiteSettings,
} from '../../../ui/index.ts'

/** The checked options for the panel's side. */
export type ReadDetails = {
  site: SiteSettings
  words: OwnWords | undefined
  register: Register | undefined
  tokens: readonly (readonly [name: string, value: string])[]
  rating: 'stars' | 'thumbs' | undefined
  enterSends: boolean
  prechat: PrechatSettings
}

const FEATURES: readonly Feature[] = [
  'suggestions',
  'feedback',
  'rating',
  'search',
  'download',
  'copy',
  'stop',
  'sound',
  'languages',
  'announcements',
  'restart',
  'end',
  'delete',
]
const LONGEST = 500
const LONGEST_JSON = 20_000
const MOST_FIELDS = 8
const MOST_CHOICES = 20
const MOST_STARTERS = 6

/** The options that the console has named, with the value that could not be used. */
const named = new Map<string, unknown>()

/** Never throws: invalid values count as missing, and the console names their options, once until the value changes. */
export function readDetails(given: Readonly<Record<string, unknown>>): ReadDetails {
  const text = (name: string, longest = LONGEST) => readText(given[name], longest)
  const links = [
    { name: 'privacyPolicy' as const, url: readUrl(given.privacyUrl) },
    { name: 'terms' as const, url: readUrl(given.termsUrl) },
  ].flatMap(({ name, url }) => (url ? [{ name, url }] : []))
  const words = readJson(given.words) as OwnWords | undefined
  const register = given.register === 'formal' || given.register === 'informal' ? given.register : undefined
  const [hours, timeZone] = [text('hours'), text('timeZone', 60)]
  const asked = text('without')?.split(/[\s,]+/) ?? []
  const without = FEATURES.filter((feature) => asked.includes(feature))
  const greeting = text('greeting')
  const agentName = text('agentName', 60)
  const disclaimer = text('disclaimer', LONGEST_JSON)
  const read: ReadDetails = {
    site: {
      agentName,
      avatar: readUrl(given.avatar),
      greeting,
      disclaimer: disclaimer
        ? { text: disclaimer, place: given.disclaimerPlace, once: given.disclaimerOnce }
        : undefined,
      links,
      hours,
      timeZone,
      without,
    },
    words,
    register,
    tokens: readTokens(given.tokens),
    rating: given.rating === 'stars' || given.rating === 'thumbs' ? given.rating : undefined,
    enterSends: given.enterSends !== false,
    prechat: {
      agentName,
      greeting,
      links,
      words,
      register,
      form: readForm(given.form),
      hours,
      timeZone,
      contact: text('contact', LONGEST_JSON),
      closes: given.outsideHours === 'closed',
      starters: readStarters(given.starters),
    },
  }
  function complain(name: string): void {
    if (named.get(name) === given[name]) return
    named.set(name, given[name])
    console.warn(`Foyer: ${name} holds a value that cannot be used`)
  }
  for (const [name, isUsed] of Object.entries({
    privacyUrl: links.some((link) => link.name === 'privacyPolicy'),
    termsUrl: links.some((link) => link.name === 'terms'),
    avatar: read.site.avatar,
    words: Object(words) === words,
    tokens:
      read.tokens.length === Object.keys(Object(readJson(given.tokens))).length && read.tokens.length > 0,
    form: read.prechat.form.length === Object(readJson(given.form)).length,
    without: asked.every((each) => (without as readonly string[]).includes(each)),
    rating: read.rating,
    disclaimerPlace: given.disclaimerPlace === 'above' || given.disclaimerPlace === 'below',
    register,
    outsideHours: given.outsideHours === 'closed' || given.outsideHours === 'notice',
    timeZone: isZone(timeZone),
    starters: read.prechat.starters.length === countStarters(given.starters),
  }))
    if (given[name] !== undefined && !isUsed) complain(name)
  if (hours?.split(/[;,]/).some((part) => part.trim() && !readHours(part))) complain('hours')
  return read
}

/** The first `Intl` of a page takes long, so that none is made for a zone that no page gave. */
function isZone(name: string | undefined): boolean {
  if (name === undefined) return true
  try {
    return !!new Intl.DateTimeFormat('en', { timeZone: name })
  } catch {
    return false
  }
}

function readText(value: unknown, longest: number): string | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined
  return [...value.trim()].slice(0, longest).join('')
}

/** An address to follow: https, or http of this machine. */
function readUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 2_000 || !URL.canParse(value)) return undefined
  const { protocol, hostname, href } = new URL(value)
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1'
  return protocol === 'https:' || (protocol === 'http:' && isLocal) ? href : undefined
}

/** Attributes are texts, and so is what the loader passed on of an object. */
function readJson(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

/** Each question once. */
function listStarters(value: unknown): unknown[] {
  const parsed = readJson(value)
  return [...new Set(Array.isArray(parsed) ? parsed : typeof value === 'string' ? value.split('|') : [])]
}
const countStarters = (value: unknown): number => listStarters(value).length
const readStarters = (value: unknown): string[] =>
  listStarters(value)
    .flatMap((each) => readText(each, 120) ?? [])
    .slice(0, MOST_STARTERS)

/** Each token of the panel, and a property that takes the same values. */
const TOKENS: Readonly<Record<string, string>> = {
  surface: 'color',
  text: 'color',
  font: 'font-family',
  scale: 'scale',
  space: 'top',
  'bubble-radius': 'border-radius',
}
/** Neither an address nor another custom property. */
const PLAIN = /^(?!.*(url|var|env|attr|image)\()[\w\s#%.,/'"()+-]{1,200}$/i
const SCALES = [0.8, 1.6] as const

function readTokens(value: unknown): [name: string, value: string][] {
  const given = Object(readJson(value)) as Record<string, unknown>
  return Object.entries(TOKENS).flatMap(([name, property]): [string, string][] => {
    const text = Object.hasOwn(given, name) ? `${given[name]}` : ''
    if (!PLAIN.test(text) || !CSS.supports(property, text)) return []
    const isScale = name !== 'scale' || (Number(text) >= SCALES[0] && Number(text) <= SCALES[1])
    return isScale ? [[name, text]] : []
  })
}

const KINDS: readonly FormField['type'][] = ['text', 'email', 'tel', 'select', 'textarea', 'checkbox']

/** Fields that are of no known type or have no label are left out. */
function readForm(value: unknown): FormField[] {
  const list = readJson(value)
  if (!Array.isArray(list)) return []
  return list.slice(0, MOST_FIELDS).flatMap((each: unknown): FormField[] => {
    const { label, type, required, options, maxLength, autocomplete } = Object(each) as Record<
      string,
      unknown
    >
    const name = readText(label, 80)
    const kind = KINDS.find((known) => known === (type ?? 'text'))
    if (!name || !kind) return []
    const choices = Array.isArray(options)
      ? options.flatMap((choice) => readText(choice, 80) ?? []).slice(0, MOST_CHOICES)
      : []
    if (kind === 'select' && choices.length === 0) return []
    const most = typeof maxLength === 'number' && maxLength > 0 ? Math.min(Math.ceil(maxLength), 2_000) : 500
    const filled = readText(autocomplete, 30)
    return [
      {
        label: name,
        type: kind,
        required: required === true,
        options: choices,
        maxLength: most,
        ...(filled && /^[a-z][a-z -]*$/.test(filled) && { autocomplete: filled }),
      },
    ]
  })
}
