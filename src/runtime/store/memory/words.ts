// How text is found. PostgreSQL's dictionaries know whole languages; these few endings serve a store that is
// gone with the process. Every word is also found as it was written, in any language.

import { folded, spaced, spacedQuery } from '../language.ts'
import { EMPTY_WORDS } from '../passages.ts'

/** The words of a text, as they were written and by their stems. A word that says nothing has an empty stem. */
export type Forms = { words: readonly string[]; stems: readonly string[] }
export type Utterance = Forms & { side: 'user' | 'agent' }

/** One word, or a phrase: each form with its distance from the first. */
type Phrase = readonly { form: string; offset: number }[]
/** One of these has to hold; in each of them all. */
export type Asked = readonly (readonly { phrase: Phrase; not: boolean }[])[]

const ROMANCE = /(?:amente|mente|ando|endo|iendo|a[dt][oaie]s?|i[dt][oaie]s?|[oaie]s|[oaies])$/
const NORDIC = /(?:erne|arna|orna|erna|ene|ens|ets|ar|er|or|en|et|na|[aesnt])$/
const ENDINGS: Readonly<Record<string, RegExp>> = {
  german: /(?:ern|em|en|er|es|[ens])$/,
  dutch: /(?:en|[est])$/,
  french: /(?:ements?|ment|ees?|er|ez|es|[esx])$/,
  spanish: ROMANCE,
  portuguese: ROMANCE,
  italian: ROMANCE,
  catalan: ROMANCE,
  swedish: NORDIC,
  danish: NORDIC,
  norwegian: NORDIC,
}
const SHORTEST_STEM = 3

export function stem(word: string, dictionary: string): string {
  if (dictionary === 'english') return stemEnglish(word)
  const ending = ENDINGS[dictionary]?.exec(word)
  return ending && ending.index >= SHORTEST_STEM ? word.slice(0, ending.index) : word
}

/** The regular endings: bicycles, parties, booked, planning, quickly. */
function stemEnglish(word: string): string {
  if (word.length <= SHORTEST_STEM) return word
  const one = word
    .replace(/(..)ie[sd]$/, '$1y')
    .replace(/(ss|x|ch|sh)es$/, '$1')
    .replace(/([^su])s$/, '$1')
  const bare = one
    .replace(/^(?=.*[aeiouy].*(?:ed|ing)$)(.{3,}?)(?:ed|ing)$/, '$1')
    .replace(/(..)ly$/, '$1')
    .replace(/(..)([^aeiouylsz])\2$/, '$1$2')
  return bare.replace(/(..)e$/, '$1').replace(/([^aeiou])y$/, '$1i')
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .normalize('NFC')
    .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []

const formsOf = (words: readonly string[], dictionary: string): Forms => ({
  words,
  stems: words.map((word) => (EMPTY_WORDS.has(word) ? '' : stem(word, dictionary))),
})

/** Text to be looked through for words in any form, accents or not. */
export const readText = (text: string, dictionary: string): Forms =>
  formsOf(wordsOf(folded(spaced(text))), dictionary)

/** Text to be looked through for the beginnings of words. */
export const readPassage = (text: string): Forms => formsOf(wordsOf(text), 'english')

/** Words, "phrases", or, and -not. What is written together is a phrase too: `well-known`. */
const OPERAND = /(-*)\s*(?:"([^"]*)"?|([^\s"!&|()<>:*-][^\s"!&|()<>:*]*))/g

/** Reads what is asked for, by stems of a dictionary, or (without one) by the words as they are. */
export function readQuery(text: string, dictionary?: string): Asked {
  const query = folded(spacedQuery(text))
  const alternatives: { phrase: Phrase; not: boolean }[][] = [[]]
  const found = [...query.matchAll(OPERAND)]
  for (const [index, [, minus = '', quoted, bare = '']] of found.entries()) {
    const between = index > 0 && index < found.length - 1
    if (between && minus === '' && bare === 'or') {
      alternatives.push([])
      continue
    }
    const words = wordsOf(quoted ?? bare)
    const { stems } = dictionary === undefined ? { stems: words } : formsOf(words, dictionary)
    const telling = stems.flatMap((form, at) => (form === '' ? [] : [{ form, at }]))
    const first = telling[0]?.at ?? 0
    if (telling.length > 0)
      alternatives.at(-1)?.push({
        phrase: telling.map(({ form, at }) => ({ form, offset: at - first })),
        not: minus.length % 2 === 1,
      })
  }
  return alternatives.filter((all) => all.length > 0)
}

export const holds = (asked: Asked, said: readonly Utterance[]): boolean =>
  asked.some((all) =>
    all.every(
      ({ phrase, not }) => not !== said.some((one) => has(one.words, phrase) || has(one.stems, phrase)),
    ),
  )

const has = (words: readonly string[], phrase: Phrase): boolean =>
  words.some((_, start) => phrase.every(({ form, offset }) => words[start + offset] === form))

const WEIGHTS = { user: 1, agent: 0.4 }

/** How well it fits: more of the words, more often, from the user, in less text. */
export function rank(asked: readonly Asked[], said: readonly Utterance[]): number {
  const forms = new Set(
    asked
      .flat(2)
      .filter(({ not }) => !not)
      .flatMap(({ phrase }) => phrase.map(({ form }) => form)),
  )
  const length = said.reduce((sum, { words }) => sum + words.length, 0)
  const sum = [...forms].reduce((so, form) => {
    const hits = said.flatMap(({ words, stems, side }) =>
      words.filter((word, at) => word === form || stems[at] === form).map(() => WEIGHTS[side]),
    )
    return so + fading(hits)
  }, 0)
  return sum / (1 + Math.log(Math.max(1, length)))
}

/** The second time counts a quarter, the third a ninth. */
export const fading = (weights: readonly number[]): number =>
  [...weights].sort((a, b) => b - a).reduce((sum, weight, index) => sum + weight / (index + 1) ** 2, 0)
