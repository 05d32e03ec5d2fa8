// Reads hints: words in which visitors ask for a page or for one of its sections, from the list `asked` of the page's front matter.
//
//   asked:
//     - where is my money back                 for the page: its first passage
//     - "#returns: can I send it back"         for the section below the heading with this anchor

import { type Language, languageOf, tellingStemOf, wordsOf } from '../language.ts'

/** `section`: the anchor of a heading; undefined for the page. */
export type Hint = { section: string | undefined; words: string }

const MOST_HINTS = 200
/** Characters. */
const LONGEST_HINT = 500
const LONGEST_SHOWN = 60

/** `language`: of the page. `leftOut` is called with each hint that cannot be used, and why. */
export function readHints(
  asked: readonly string[],
  language: Language,
  leftOut: (hint: string, why: string) => void,
): Hint[] {
  const hints: Hint[] = []
  for (const [index, text] of asked.slice(0, MOST_HINTS).entries()) {
    const [, section, words = ''] = /^(?:#([^\s:]+):?(?:\s+|$))?(.*)$/s.exec(text.trim()) ?? []
    const why = whyNot(text, words, language)
    const shown = text.slice(0, LONGEST_SHOWN).replace(/\s+/g, ' ')
    if (why) leftOut(`item ${index + 1} of asked${shown && `, "${shown}",`}`, why)
    else hints.push({ section, words: words.trim() })
  }
  if (asked.length > MOST_HINTS)
    leftOut(`item ${MOST_HINTS + 1} of asked, and each below it,`, `is more than the ${MOST_HINTS} of a page`)
  return hints
}

function whyNot(text: string, words: string, language: Language): string | undefined {
  if (text.length > LONGEST_HINT) return `is longer than ${LONGEST_HINT} characters`
  if (text === '') return 'is empty (a text that begins with # needs quotes)'
  if (words === '') return 'has no words behind its heading'
  if (words.includes('\n')) return 'has several lines'
  const languages = [language, languageOf(words, language)]
  const isTelling = wordsOf(words).some((word) => languages.some((each) => tellingStemOf(word, each)))
  return isTelling ? undefined : 'has no word to search for, only words that stand in every text'
}
