// Tells the direction in which a language is written, and a language that is written from right to left by its letters.

export type Direction = 'ltr' | 'rtl'

const RTL_SCRIPTS = ['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo', 'Adlm', 'Rohg']

/** The direction of a BCP 47 tag. */
export function directionOf(tag: string): Direction {
  try {
    return RTL_SCRIPTS.includes(new Intl.Locale(tag).maximize().script ?? '') ? 'rtl' : 'ltr'
  } catch {
    return 'ltr'
  }
}

const LETTERS = { he: /\p{Script=Hebrew}/gu, ar: /\p{Script=Arabic}/gu } as const

/** Hebrew or Arabic, if most letters of the text are; code does not count. */
export function languageOfText(text: string): keyof typeof LETTERS | undefined {
  const prose = text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`|\]\([^)\n]*\)/g, '')
  const count = (letters: RegExp) => prose.match(letters)?.length ?? 0
  const half = count(/\p{L}/gu) / 2
  return (['he', 'ar'] as const).find((tag) => count(LETTERS[tag]) > half)
}
