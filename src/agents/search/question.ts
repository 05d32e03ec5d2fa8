// Reads a question into concepts: the terms of the index that each of its words may stand for.

import { isStopWord, type Language, languageOf, stemOf, tokensOf } from '../language.ts'
import type { Synonyms } from './synonyms.ts'

/** The vocabulary of the index. */
export type Lexicon = {
  /** Passages in which a stem occurs. */
  frequency(stem: string): number
  passages: number
  /** Stems of the index that begin with a stem or differ from it by a typing mistake. */
  like(stem: string): readonly string[]
  /** Languages of the files, the most frequent first. */
  languages: readonly Language[]
  synonyms: Synonyms
}

/** A word of the question. `terms` are stems of the index with a weight from 0 to 1, the best first. */
export type Concept = {
  word: string
  terms: ReadonlyMap<string, number>
  /**
   * Weight of the concept: the rarest words weigh most, and a word that no passage has weighs as much as the
   * rarest.
   */
  idf: number
}

export type Question = {
  language: Language
  concepts: readonly Concept[]
}

const MOST_CONCEPTS = 16
const SYNONYM = 0.45
/** Another word for the same thing, such as color for colour. */
const VARIANT = 0.9
const TRANSLATION = 0.85
/** A word that begins with the asked one, or differs from it by a typing mistake. */
const LIKE = 0.8

export function readQuestion(text: string, lexicon: Lexicon): Question {
  const home = lexicon.languages[0] ?? 'en'
  const language = languageOf(text, home)
  const tokens = tokensOf(withoutAddresses(text).slice(0, 1_000))
  const concepts: Concept[] = []
  const seen = new Set<string>()
  const addConcept = (concept: Concept) => {
    const key = bestTerm(concept) ?? concept.word
    if (!seen.has(key) && concepts.length < MOST_CONCEPTS) concepts.push(concept)
    seen.add(key)
  }
  for (const { word, parts } of tokens) {
    const spoken = parts.length > 0 && !isKnown(word, language, lexicon) ? parts : [word]
    for (const each of spoken)
      if (each.length > 1 && !isStopWord(each, language)) addConcept(conceptOf(each, language, lexicon))
  }
  return { language, concepts }
}

/** The term by which equal concepts are recognised. Synonyms stay different concepts: “nginx reverse proxy” says more than “proxy”. */
const bestTerm = ({ terms }: Concept): string | undefined =>
  [...terms].sort(([, one], [, other]) => other - one)[0]?.[0]

const withoutAddresses = (text: string): string => text.replace(/\bhttps?:\/\/\S+/g, ' ')

function stemsOf(word: string, language: Language, { languages }: Lexicon): string[] {
  const stems = [language, ...languages].map((each) => stemOf(word, each))
  return [...new Set([...stems, foreignStem(stemOf(word, language), language)])]
}

/** The stem of a word in a text of another language than its file: French `cookies` has the stem of English `cook`. */
export const foreignStem = (stem: string, language: Language): string => `${language}:${stem}`

/** Whether a passage contains the word, or a synonym of the word. */
function isKnown(word: string, language: Language, lexicon: Lexicon): boolean {
  return (
    stemsOf(word, language, lexicon).some((stem) => lexicon.frequency(stem) > 0) ||
    [...lexicon.synonyms.of(word, language).keys()].some((other) => lexicon.frequency(other) > 0)
  )
}

function conceptOf(word: string, language: Language, lexicon: Lexicon): Concept {
  const terms = new Map<string, number>()
  const stems = stemsOf(word, language, lexicon)
  const isForeign = !lexicon.languages.includes(language)
  const isMissing = !stems.some((stem) => lexicon.frequency(stem) > 0)
  for (const stem of stems) if (lexicon.frequency(stem) > 0) terms.set(stem, 1)
  for (const [other, near] of lexicon.synonyms.of(word, language)) {
    if (lexicon.frequency(other) === 0) continue
    const share = near === 1 ? VARIANT : isForeign || isMissing ? TRANSLATION : SYNONYM
    terms.set(other, Math.max(terms.get(other) ?? 0, share))
  }
  if (terms.size === 0) for (const like of lexicon.like(stemOf(word, language))) terms.set(like, LIKE)
  const most = Math.max(
    0,
    ...[...terms].map(([term, weight]) => (weight >= LIKE ? lexicon.frequency(term) : 0)),
  )
  return { word, terms, idf: idfOf(most, lexicon.passages) }
}

/** Least number of passages to assume, so that in a small folder common words still count. */
const LEAST_PASSAGES = 50

function idfOf(frequency: number, passages: number): number {
  const passageCount = Math.max(passages, LEAST_PASSAGES)
  return Math.log(1 + (passageCount - frequency + 0.5) / (frequency + 0.5))
}
