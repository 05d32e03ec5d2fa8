// Reads a question into concepts: the terms of the index that each of its words may stand for.

import { isStopWord, type Language, languageOf, stemOf, wordsOf } from './language.ts'
import { nearestWord, partsOf, type Vocabulary } from './spelling.ts'
import type { Synonyms } from './synonyms.ts'

/** What the index knows of its words. */
export type Lexicon = {
  /** Passages in which a stem occurs. */
  frequency(stem: string): number
  passages: number
  /** Every word of the passages as it is written, with how often. */
  vocabulary: Vocabulary
  /** Languages of the files, the most frequent first. */
  languages: readonly Language[]
  synonyms: Synonyms
}

/** A word of the question. `terms` are stems of the index with a weight from 0 to 1, the best first. */
export type Concept = {
  word: string
  terms: ReadonlyMap<string, number>
  /** Whether passages with longer words that begin with a term match too. */
  isPrefix: boolean
  /** How much the concept tells: rare words tell most, and a word that no passage has as much as the rarest. */
  idf: number
}

export type Question = { language: Language; concepts: readonly Concept[] }

const MOST_CONCEPTS = 16
const SYNONYM = 0.45
const TRANSLATION = 0.85
const CORRECTED = 0.9
const PREFIX_LETTERS = 4

export function readQuestion(text: string, lexicon: Lexicon): Question {
  const home = lexicon.languages[0] ?? 'en'
  const language = languageOf(text, home)
  const words = wordsOf(withoutAddresses(text).slice(0, 1_000))
  const concepts: Concept[] = []
  const seen = new Set<string>()
  const add = (concept: Concept) => {
    const key = [...concept.terms.keys()].sort().join(' ') || concept.word
    if (!seen.has(key) && concepts.length < MOST_CONCEPTS) concepts.push(concept)
    seen.add(key)
  }
  let skip = 0
  for (const [index, word] of words.entries()) {
    if (skip-- > 0) continue
    skip = 0
    const joined = joinedWord(words, index, lexicon)
    if (joined) {
      skip = 1
      add(conceptOf(joined, language, lexicon))
      continue
    }
    const parts = /[_-]/.test(word) ? word.split(/[_-]+/) : []
    if (parts.length > 1) {
      // A name such as data-accent is followed by its parts: they count where nobody knows the whole.
      if (isKnown(word, language, lexicon)) {
        add(conceptOf(word, language, lexicon))
        skip = parts.filter((part) => part.length > 1).length
      }
      continue
    }
    if (word.length < 2 || isStopWord(word, language)) continue
    for (const each of expand(word, language, lexicon)) add(each)
  }
  return { language, concepts }
}

const withoutAddresses = (text: string): string => text.replace(/\bhttps?:\/\/\S+/g, ' ')

/** “web chat” where the passages say “webchat”. */
function joinedWord(words: readonly string[], index: number, lexicon: Lexicon): string | undefined {
  const [first = '', second = ''] = [words[index], words[index + 1]]
  const joined = first + second
  if (first.length < 2 || second.length < 2 || joined.length < 6) return undefined
  if ((lexicon.vocabulary.get(joined) ?? 0) < 2) return undefined
  return (lexicon.vocabulary.get(first) ?? 0) + (lexicon.vocabulary.get(second) ?? 0) <
    3 * (lexicon.vocabulary.get(joined) ?? 0)
    ? joined
    : undefined
}

function stemsOf(word: string, language: Language, { languages }: Lexicon): string[] {
  return [...new Set([language, ...languages].map((each) => stemOf(word, each)))]
}

/** Whether the passages, or the synonyms of a word in them, hold it. */
function isKnown(word: string, language: Language, lexicon: Lexicon): boolean {
  return stemsOf(word, language, lexicon).some(
    (stem) =>
      lexicon.frequency(stem) > 0 || lexicon.synonyms.of(stem).some((other) => lexicon.frequency(other) > 0),
  )
}

/** The concept of a word; of the word it was meant to be; or those of its parts. */
function expand(word: string, language: Language, lexicon: Lexicon): Concept[] {
  if (isKnown(word, language, lexicon)) return [conceptOf(word, language, lexicon)]
  const begins = word.length >= PREFIX_LETTERS ? beginningOf(word, language, lexicon) : undefined
  if (begins)
    return [{ ...conceptOf(word, language, lexicon), terms: new Map([[begins, 0.8]]), isPrefix: true }]
  const parts = partsOf(word, (part) => isKnown(part, language, lexicon))
  if (parts.length > 0) return parts.map((part) => conceptOf(part, language, lexicon))
  const meant = nearestWord(word, lexicon.vocabulary)
  if (meant && isStopWord(meant, language)) return []
  return [meant ? conceptOf(meant, language, lexicon, CORRECTED) : conceptOf(word, language, lexicon)]
}

function beginningOf(word: string, language: Language, { frequency, vocabulary, languages }: Lexicon) {
  const stem = stemOf(word, language)
  for (const candidate of vocabulary.keys())
    if (candidate.startsWith(word))
      for (const each of languages) {
        const full = stemOf(candidate, each)
        if (full.startsWith(stem) && frequency(full) > 0) return stem
      }
  return undefined
}

function conceptOf(word: string, language: Language, lexicon: Lexicon, weight = 1): Concept {
  const terms = new Map<string, number>()
  const stems = stemsOf(word, language, lexicon)
  const isForeign = !lexicon.languages.includes(language)
  const isMissing = !stems.some((stem) => lexicon.frequency(stem) > 0)
  for (const stem of stems) if (lexicon.frequency(stem) > 0) terms.set(stem, weight)
  for (const stem of stems)
    for (const other of lexicon.synonyms.of(stem))
      if (!terms.has(other) && lexicon.frequency(other) > 0)
        terms.set(other, weight * (isForeign || isMissing ? TRANSLATION : SYNONYM))
  const most = Math.max(
    0,
    ...[...terms].map(([term, each]) => (each >= weight * TRANSLATION ? lexicon.frequency(term) : 0)),
  )
  return { word, terms, isPrefix: false, idf: idfOf(most, lexicon.passages) }
}

const idfOf = (frequency: number, passages: number): number =>
  Math.log(1 + (passages - frequency + 0.5) / (frequency + 0.5))
