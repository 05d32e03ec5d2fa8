// Finds the words for a language tag, and what a site may put in their place.

import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { languagesOf } from '../../protocol/index.ts'
import { persist } from '../load.ts'
import { en, type Register, type Words } from '../locales/en.ts'

type Load<T> = () => Promise<{ readonly words: T }>

/** By language, or by language and script. English is always here. */
const LANGUAGES: Readonly<Record<string, Load<Words>>> = {
  ar: () => import('../locales/ar.ts'),
  de: () => import('../locales/de.ts'),
  en: async () => ({ words: en }),
  es: () => import('../locales/es.ts'),
  fr: () => import('../locales/fr.ts'),
  he: () => import('../locales/he.ts'),
  hi: () => import('../locales/hi.ts'),
  it: () => import('../locales/it.ts'),
  ja: () => import('../locales/ja.ts'),
  ko: () => import('../locales/ko.ts'),
  nl: () => import('../locales/nl.ts'),
  pl: () => import('../locales/pl.ts'),
  pt: () => import('../locales/pt.ts'),
  sv: () => import('../locales/sv.ts'),
  tr: () => import('../locales/tr.ts'),
  'zh-Hans': () => import('../locales/zh-Hans.ts'),
  'zh-Hant': () => import('../locales/zh-Hant.ts'),
}

/** What a region says differently from its language. */
const REGIONS: Readonly<Record<string, Load<Partial<Words>>>> = {
  'en-GB': () => import('../locales/en-GB.ts'),
  'es-US': () => import('../locales/es-US.ts'),
  'fr-CA': () => import('../locales/fr-CA.ts'),
}

/** What a register says differently from its language. */
const REGISTERS: Readonly<Record<string, Load<Partial<Words>>>> = {
  'de-informal': () => import('../locales/de-du.ts'),
}

/** The languages and regions that the panel speaks, as BCP 47 tags in alphabetical order. */
export const TAGS: readonly string[] = [...Object.keys(LANGUAGES), ...Object.keys(REGIONS)].sort()

/** Whether it is a language tag by its form; anything else makes `Intl` throw. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

/** Whether the panel has words for a tag; not for one that is malformed. */
const isSpoken = (tag: string): boolean =>
  isLocale(tag) && languagesOf(tag).some((each) => Object.hasOwn(LANGUAGES, each))

/** The language, and the region if it has words of its own, that speak for a well-formed BCP 47 tag; English where there is none. */
export function languageOf(tag: string): { language: string; region: string | undefined } {
  const find = (known: object) => languagesOf(tag).find((each) => Object.hasOwn(known, each))
  return { language: find(LANGUAGES) ?? 'en', region: find(REGIONS) }
}

/**
 * The words for a well-formed BCP 47 tag: those of its region or register, if they can be loaded, over those of its language. Tries until the
 * language is loaded, or `gone` is aborted: then it never resolves.
 */
export async function loadWords(tag: string, gone: AbortSignal, register?: Register): Promise<Words> {
  const { language, region = '' } = languageOf(tag)
  const load = REGIONS[region] ?? REGISTERS[`${language}-${register}`]
  const [{ words }, changes] = await Promise.all([
    persist(LANGUAGES[language] as Load<Words>, gone),
    load?.().catch(() => undefined),
  ])
  return { ...words, ...changes?.words }
}

/** The longest word of a site's own, in UTF-16 code units. */
const MAX_LENGTH = 500

/** What may be used of a site's own words: known names, and texts that are neither blank nor longer than 500. */
export function checkWords(given: unknown): Partial<Words> {
  const usable = ([name, text]: [string, unknown]) =>
    name !== 'language' &&
    name !== 'direction' &&
    Object.hasOwn(en, name) &&
    typeof en[name as keyof Words] === 'string' &&
    typeof text === 'string' &&
    text.length <= MAX_LENGTH &&
    text.trim() !== ''
  return Object.fromEntries(Object.entries(Object(given)).filter(usable)) as Partial<Words>
}

/** The language that a panel speaks. */
export type Language = {
  /** The tag that was asked for. */
  readonly locale: ReadonlySignal<string>
  /** The words of the last tag that could be loaded, with the site's own in their place. */
  readonly words: ReadonlySignal<Words>
  /** Changes the language. A tag for which there are no words leaves it as it is. */
  speak(tag: string): void
  /** Addresses the visitor otherwise, in this language and all later ones. */
  address(register: Register | undefined): void
  /** Puts the site's own words in the place of the language's. */
  replace(own: unknown): void
  /** Resolves once the words of the tag that was asked for last are here. */
  loaded(): Promise<void>
}

/** Speaks English until another language is asked for. */
export function createLanguage(gone: AbortSignal): Language {
  const locale = signal('en')
  const spoken = signal<Words>(en)
  const own = signal<Partial<Words>>({})
  let register: Register | undefined
  let loading = Promise.resolve()
  function speak(asked: string): void {
    if (!isSpoken(asked)) return
    const address = register
    locale.value = asked
    loading = loadWords(asked, gone, address).then((words) => {
      // Others may have been asked for since.
      if (asked === locale.peek() && address === register) spoken.value = words
    })
  }
  return {
    locale,
    words: computed(() => ({ ...spoken.value, ...own.value })),
    speak,
    address(asked) {
      if (asked === register) return
      register = asked
      speak(locale.peek())
    },
    replace(given) {
      own.value = checkWords(given)
    },
    loaded: () => loading,
  }
}
