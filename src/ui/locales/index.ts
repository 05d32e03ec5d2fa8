// Finds the words for a language tag, and the words that a site puts in their place.

import { attempt, persist } from '../persist.ts'
import { en, type Words } from './en.ts'

export type { Words }
export { en }

type Load<T> = () => Promise<T>

/** By language, or by language and script. All but English come when they are asked for. */
const LANGUAGES: Readonly<Record<string, Load<Words>>> = {
  en: async () => en,
  ar: () => import('./ar.ts').then((locale) => locale.ar),
  de: () => import('./de.ts').then((locale) => locale.de),
  es: () => import('./es.ts').then((locale) => locale.es),
  fr: () => import('./fr.ts').then((locale) => locale.fr),
  he: () => import('./he.ts').then((locale) => locale.he),
  hi: () => import('./hi.ts').then((locale) => locale.hi),
  it: () => import('./it.ts').then((locale) => locale.it),
  ja: () => import('./ja.ts').then((locale) => locale.ja),
  ko: () => import('./ko.ts').then((locale) => locale.ko),
  nl: () => import('./nl.ts').then((locale) => locale.nl),
  pl: () => import('./pl.ts').then((locale) => locale.pl),
  pt: () => import('./pt.ts').then((locale) => locale.pt),
  sv: () => import('./sv.ts').then((locale) => locale.sv),
  tr: () => import('./tr.ts').then((locale) => locale.tr),
  'zh-Hans': () => import('./zh-Hans.ts').then((locale) => locale.zhHans),
  'zh-Hant': () => import('./zh-Hant.ts').then((locale) => locale.zhHant),
}

/** What a region says differently from its language. */
const REGIONS: Readonly<Record<string, Load<Partial<Words>>>> = {
  'en-GB': () => import('./en-GB.ts').then((locale) => locale.enGB),
  'es-US': () => import('./es-US.ts').then((locale) => locale.esUS),
  'fr-CA': () => import('./fr-CA.ts').then((locale) => locale.frCA),
}

/**
 * The words for a well-formed BCP 47 tag: those of the region, if they can be loaded, over those of the language; English where
 * there is no such language. Tries until the language is loaded, or `gone` is aborted: then it never resolves.
 */
export async function loadWords(tag: string, gone: AbortSignal): Promise<Words> {
  // Says that Taiwan and Hong Kong write traditional Chinese, and that `fr-Latn-CA` is `fr-CA`.
  const { language, script, region } = new Intl.Locale(tag).maximize()
  const load = LANGUAGES[`${language}-${script}`] ?? LANGUAGES[language]
  const loadChanges = REGIONS[`${language}-${region}`]
  const [words, changes] = await Promise.all([
    load ? persist(load, gone) : en,
    loadChanges && attempt(loadChanges).catch(() => undefined),
  ])
  return { ...words, ...changes }
}

type PlainWord = Exclude<
  { [K in keyof Words]: Words[K] extends string ? K : never }[keyof Words],
  'language' | 'direction'
>

/** Words of a site's own, by the names of `en.ts`. Those with a name or a number in them cannot be replaced. */
export type OwnWords = { readonly [K in PlainWord]?: string | undefined }

/** The longest word of a site's own, in UTF-16 code units. */
const MAX_LENGTH = 200

/** What may be used of a site's own words: known names, and texts that are neither blank nor longer than 200. */
export function checkWords(given: unknown): Partial<Words> {
  const known: Readonly<Record<string, unknown>> = en
  const usable = ([name, text]: [string, unknown]) =>
    name !== 'language' &&
    name !== 'direction' &&
    Object.hasOwn(known, name) &&
    typeof known[name] === 'string' &&
    typeof text === 'string' &&
    text.length <= MAX_LENGTH &&
    text.trim() !== ''
  return Object.fromEntries(Object.entries(Object(given)).filter(usable))
}
