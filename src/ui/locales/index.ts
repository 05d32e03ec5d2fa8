// All words of the panel for a language tag, and the words that a site puts in their place.

import { loadLanguage, usableWords } from '../languages.ts'
import { en, type Words } from './en.ts'

export type { Words }
export { en }

/** The words for a well-formed BCP 47 tag, English where there is no such language. Never resolves once `gone` is aborted. */
export const loadWords = async (tag: string, gone: AbortSignal): Promise<Words> => ({
  ...en,
  ...(await loadLanguage(tag, gone)),
})

type PlainWord = Exclude<
  { [K in keyof Words]: Words[K] extends string ? K : never }[keyof Words],
  'language' | 'direction'
>

/** Words of a site's own, by the names of `en.ts`. Those with a name or a number in them cannot be replaced. */
export type OwnWords = { readonly [K in PlainWord]?: string | undefined }

/** What may be used of a site's own words. */
export const checkWords = (given: unknown): Partial<Words> => usableWords(given, en)
