// Finds the words of other languages than English, and of regions, for a language tag.

import type { Words } from './locales/en.ts'
import { attempt, persist } from './persist.ts'

type Load<T> = () => Promise<T>

/** By language, or by language and script. They come when they are asked for. */
const LANGUAGES: Readonly<Record<string, Load<Words>>> = {
  ar: () => import('./locales/ar.ts').then((locale) => locale.ar),
  de: () => import('./locales/de.ts').then((locale) => locale.de),
  es: () => import('./locales/es.ts').then((locale) => locale.es),
  fr: () => import('./locales/fr.ts').then((locale) => locale.fr),
  he: () => import('./locales/he.ts').then((locale) => locale.he),
  hi: () => import('./locales/hi.ts').then((locale) => locale.hi),
  it: () => import('./locales/it.ts').then((locale) => locale.it),
  ja: () => import('./locales/ja.ts').then((locale) => locale.ja),
  ko: () => import('./locales/ko.ts').then((locale) => locale.ko),
  nl: () => import('./locales/nl.ts').then((locale) => locale.nl),
  pl: () => import('./locales/pl.ts').then((locale) => locale.pl),
  pt: () => import('./locales/pt.ts').then((locale) => locale.pt),
  sv: () => import('./locales/sv.ts').then((locale) => locale.sv),
  tr: () => import('./locales/tr.ts').then((locale) => locale.tr),
  'zh-Hans': () => import('./locales/zh-Hans.ts').then((locale) => locale.zhHans),
  'zh-Hant': () => import('./locales/zh-Hant.ts').then((locale) => locale.zhHant),
}

/** What a region says differently from its language. */
const REGIONS: Readonly<Record<string, Load<Partial<Words>>>> = {
  'en-GB': () => import('./locales/en-GB.ts').then((locale) => locale.enGB),
  'es-US': () => import('./locales/es-US.ts').then((locale) => locale.esUS),
  'fr-CA': () => import('./locales/fr-CA.ts').then((locale) => locale.frCA),
}

/**
 * What a well-formed BCP 47 tag says differently from English: the words of its region, if they can be loaded, over those of its
 * language. Tries until the language is loaded, or `gone` is aborted: then it never resolves.
 */
export async function loadLanguage(tag: string, gone: AbortSignal): Promise<Partial<Words>> {
  // Says that Taiwan and Hong Kong write traditional Chinese, and that `fr-Latn-CA` is `fr-CA`.
  const { language, script, region } = new Intl.Locale(tag).maximize()
  const load = LANGUAGES[`${language}-${script}`] ?? LANGUAGES[language]
  const loadChanges = REGIONS[`${language}-${region}`]
  const [words, changes] = await Promise.all([
    load && persist(load, gone),
    loadChanges && attempt(loadChanges).catch(() => undefined),
  ])
  return { ...words, ...changes }
}

/** The longest word of a site's own, in UTF-16 code units. */
const MAX_LENGTH = 200

/** What may be used of a site's own words: names of `known`, and texts that are neither blank nor longer than 200. */
export function usableWords<T extends object>(given: unknown, known: T): Partial<T> {
  const usable = ([name, text]: [string, unknown]) =>
    name !== 'language' &&
    name !== 'direction' &&
    Object.hasOwn(known, name) &&
    typeof known[name as keyof T] === 'string' &&
    typeof text === 'string' &&
    text.length <= MAX_LENGTH &&
    text.trim() !== ''
  return Object.fromEntries(Object.entries(Object(given)).filter(usable)) as Partial<T>
}
