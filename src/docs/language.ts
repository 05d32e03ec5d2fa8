// Checks the tag of a language, tells its direction, and recognizes Hebrew and Arabic by their letters.

export type Direction = 'ltr' | 'rtl'

const RTL_SCRIPTS = ['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo', 'Adlm', 'Rohg']

/** Whether a text is a BCP 47 tag that begins with a language of ISO 639, such as `en` or `pt-BR`. */
export function isLanguageTag(text: string): boolean {
  try {
    return /^[a-z]{2,3}$/i.test(new Intl.Locale(text).language)
  } catch {
    return false
  }
}

/** `tag`: a language tag. */
export const directionOf = (tag: string): Direction =>
  RTL_SCRIPTS.includes(new Intl.Locale(tag).maximize().script ?? '') ? 'rtl' : 'ltr'

const LETTERS = { he: /\p{Script=Hebrew}/gu, ar: /\p{Script=Arabic}/gu } as const

/** Hebrew or Arabic, if most letters of the prose are. */
export function languageOfProse(prose: string): keyof typeof LETTERS | undefined {
  const count = (letters: RegExp) => prose.match(letters)?.length ?? 0
  const half = count(/\p{L}/gu) / 2
  return (['he', 'ar'] as const).find((tag) => count(LETTERS[tag]) > half)
}
