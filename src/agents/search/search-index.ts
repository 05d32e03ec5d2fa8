// Indexes passages and searches them: BM25 over weighted fields, then a second rating of the best matches.

import MiniSearch from 'minisearch'
import type { Log } from '../../api/index.ts'
import type { Language } from '../language.ts'
import { densityOf, type PassageStems, type StemFields, stemsOfPassage } from './passage-stems.ts'
import { type Passage, readPassages } from './passages.ts'
import { type Concept, type Lexicon, type Question, readQuestion } from './question.ts'
import { CARRIED, type Hit, isNear, rate } from './rating.ts'
import { createSynonyms } from './synonyms.ts'

export type Found = {
  question: Question
  /** Best first. */
  hits: readonly Hit[]
  /** Whether the first hit is near enough to be the answer. */
  isAnswer: boolean
  /** Whether the first hit stands out by its meaning. */
  standsOut: boolean
}

export interface SearchIndex {
  /** Replaces the passages of a file. */
  put(file: string, text: string): void
  remove(file: string): void
  /** `before`: the previous question, if `text` continues it. */
  search(text: string, options?: { before?: string; limit?: number }): Found
  /** Every passage, in the order of files and headings. */
  passages(): readonly Passage[]
  /** Names of the files. */
  files(): readonly string[]
}

const BOOST = { heading: 3, asked: 2, above: 1.2, body: 1, code: 0.3 }
/** How many of the best BM25 matches are rated as a whole. */
const RATED = 60
/** A shorter word begins like too many others. */
const FEWEST_LETTERS = 5
/** Typing mistakes to allow, as a share of the letters. */
const MISTAKES = 0.25
const MOST_MISTAKES = 2
const MANY_PASSAGES = 3_000
const FREQUENT = 0.1

type IndexOptions = { synonyms?: string; log?: Log }

export function createSearchIndex({ synonyms: own = '', log = () => {} }: IndexOptions = {}): SearchIndex {
  const synonyms = createSynonyms(own)
  const entries = new Map<number, PassageStems>()
  const idsOf = new Map<string, number[]>()
  /** Passages in which a stem occurs; `last`: the newest of them, so that no passage counts twice. */
  const frequencies = new Map<string, { count: number; last: number }>()
  const languages = new Map<Language, number>()
  let nextId = 1
  const index = new MiniSearch<StemFields & { id: number }>({
    fields: Object.keys(BOOST),
    // The fields are lists of terms already: to join and split them again would take as long as to index them.
    stringifyField: (stems) => stems as string,
    tokenize: (stems) => stems as unknown as string[],
    processTerm: (term) => term,
    searchOptions: { boost: BOOST, tokenize: (text) => text.split(' ') },
  })

  function count<K>(map: Map<K, number>, key: K, by: 1 | -1): void {
    const now = (map.get(key) ?? 0) + by
    if (now > 0) map.set(key, now)
    else map.delete(key)
  }

  function put(file: string, text: string): void {
    remove(file)
    const ids: number[] = []
    for (const passage of readPassages(text, file, (flaw) => log(flaw, 'warn'))) {
      const id = nextId++
      const { fields, headings, asked } = stemsOfPassage(passage)
      index.add({ id, ...fields, ...(asked.length === 0 && { asked: undefined }) })
      entries.set(id, { passage, headings, asked, density: densityOf(fields.body) })
      ids.push(id)
      for (const stems of Object.values(fields))
        for (const stem of stems) {
          const frequency = frequencies.get(stem)
          if (!frequency) frequencies.set(stem, { count: 1, last: id })
          else if (frequency.last !== id) {
            frequency.count++
            frequency.last = id
          }
        }
      count(languages, passage.language, 1)
    }
    idsOf.set(file, ids)
  }

  /** Computes again what `put` has counted: to store the counts would take as much memory as the index. */
  function remove(file: string): void {
    for (const id of idsOf.get(file) ?? []) {
      const entry = entries.get(id)
      if (!entry) continue
      const { fields } = stemsOfPassage(entry.passage)
      index.discard(id)
      entries.delete(id)
      for (const stem of new Set(Object.values(fields).flat())) {
        const frequency = frequencies.get(stem)
        if (frequency && --frequency.count === 0) frequencies.delete(stem)
      }
      count(languages, entry.passage.language, -1)
    }
    idsOf.delete(file)
  }

  function like(stem: string): string[] {
    if (stem.length < FEWEST_LETTERS || /\p{N}/u.test(stem)) return []
    const found = index.search(stem, { prefix: true, fuzzy: MISTAKES, maxFuzzy: MOST_MISTAKES })
    // Typing mistakes seldom change the first letter.
    return [...new Set(found.flatMap(({ terms }) => terms))].filter((term) => term[0] === stem[0])
  }

  function lexicon(): Lexicon {
    const total = entries.size
    const spoken = [...languages].filter(([, each]) => each >= total / 50).sort(([, a], [, b]) => b - a)
    return {
      frequency: (stem) => frequencies.get(stem)?.count ?? 0,
      passages: total,
      like,
      languages: spoken.map(([language]) => language),
      synonyms,
    }
  }

  function search(text: string, { before, limit = 8 }: { before?: string; limit?: number } = {}): Found {
    const known = lexicon()
    const question = readQuestion(text, known)
    const now = question.concepts
    const carried = before
      ? readQuestion(before, known).concepts.filter((each) => !sharesTerm(each, now))
      : []
    const weights = new Map<string, number>()
    for (const [concepts, share] of [
      [now, 1],
      [carried, CARRIED],
    ] as const)
      for (const { terms } of concepts)
        for (const [term, weight] of terms)
          weights.set(term, Math.max(weights.get(term) ?? 0, weight * share))
    const telling = withoutFrequent(weights, known)
    if (telling.length === 0) return { question, hits: [], isAnswer: false, standsOut: false }
    const results = index.search(telling.join(' '), {
      boostTerm: (term) => weights.get(term) ?? 1,
    })
    const hits: Hit[] = []
    for (const { id, score, match } of results.slice(0, RATED)) {
      const entry = entries.get(id)
      if (entry) hits.push(rate(entry, score, match, now, carried))
    }
    hits.sort((a, b) => b.score - a.score)
    const isAnswer = isNear(hits[0], [...now, ...carried])
    return { question, hits: hits.slice(0, limit), isAnswer, standsOut: false }
  }

  return {
    put,
    remove,
    search,
    passages: () => [...entries.values()].map(({ passage }) => passage),
    files: () => [...idsOf.keys()],
  }
}

const sharesTerm = (concept: Concept, others: readonly Concept[]): boolean =>
  others.some((other) => [...concept.terms.keys()].some((term) => other.terms.has(term)))

/** In a large folder words in every other passage cost most and weigh least. */
function withoutFrequent(weights: ReadonlyMap<string, number>, { frequency, passages }: Lexicon): string[] {
  const terms = [...weights.keys()]
  if (passages < MANY_PASSAGES) return terms
  const telling = terms.filter((term) => frequency(term) < passages * FREQUENT)
  return telling.length > 0 ? telling : terms.slice(0, 1)
}
