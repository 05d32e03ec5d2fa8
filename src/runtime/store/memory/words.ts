// How text is found. PostgreSQL's dictionaries know whole languages; these few endings serve a store that is
// gone with the process. Every word is also found as it was written, in any language.

import { folded, operandsOf, spaced } from '../language.ts'
import { EMPTY_WORDS } from '../passages.ts'

/** The words of a text, as they were written and by their stems. A word that says nothing has an empty stem. */
export type Forms = { words: readonly string[]; stems: readonly string[] }
export type Utterance = Forms & { side: 'user' | 'agent' }

/** One word, or a phrase: each form with its distance from the first. */
type Phrase = readonly { form: string; offset: number }[]
/** By its stems, and by the words as they are. Empty where none of them tells anything. */
type Wanted = { stems: Phrase; words: Phrase; not: boolean }
/** One of these has to hold; in each of them all. */
export type Asked = readonly (readonly Wanted[])[]

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

/** The same words, read in another language. */
export const readAgain = ({ words }: Forms, dictionary: string): Forms => formsOf(words, dictionary)

/** Text to be looked through for the beginnings of words. */
export const readPassage = (text: string): Forms => formsOf(wordsOf(text), 'english')

/** Reads what is asked for, by the stems of a dictionary and by the words as they are. */
export const readQuery = (text: string, dictionary: string): Asked =>
  operandsOf(text).map((all) =>
    all
      .map(({ text: operand, not }) => {
        const { words, stems } = readText(operand, dictionary)
        return { stems: phraseOf(stems), words: phraseOf(words), not }
      })
      .filter(({ stems, words }) => stems.length + words.length > 0),
  )

function phraseOf(forms: readonly string[]): Phrase {
  const telling = forms.flatMap((form, at) => (form === '' ? [] : [{ form, at }]))
  return telling.map(({ form, at }) => ({ form, offset: at - (telling[0]?.at ?? 0) }))
}

/** What is wanted is found by stems or as it is written, all of it in the same way; what is not is absent in both. */
export function holds(asked: Asked, said: readonly Utterance[]): boolean {
  const found = (phrase: Phrase) =>
    phrase.length > 0 && said.some((one) => has(one.words, phrase) || has(one.stems, phrase))
  return asked.some((all) => {
    const wanted = all.filter(({ not }) => !not)
    const ways = [wanted.map(({ stems }) => stems), wanted.map(({ words }) => words)]
      .map((phrases) => phrases.filter((phrase) => phrase.length > 0))
      .filter((phrases) => phrases.length > 0)
    return (
      all.length > 0 &&
      (ways.length === 0 || ways.some((phrases) => phrases.every(found))) &&
      !all.some(({ stems, words, not }) => not && (found(stems) || found(words)))
    )
  })
}

const has = (words: readonly string[], phrase: Phrase): boolean =>
  words.some((_, start) => phrase.every(({ form, offset }) => words[start + offset] === form))

const WEIGHTS = { user: 1, agent: 0.4 }

/** How well it fits: more of the words, more often, from the user, in less text. */
export function rank(asked: Asked, said: readonly Utterance[]): number {
  const forms = new Set(
    asked
      .flat()
      .filter(({ not }) => !not)
      .flatMap(({ stems, words }) => [...stems, ...words].map(({ form }) => form)),
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
