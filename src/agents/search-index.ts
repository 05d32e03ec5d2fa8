// Indexes passages and searches them: BM25 over weighted fields, then a second rating of the best matches.

import MiniSearch, { type MatchInfo } from 'minisearch'
import {
  isNegative,
  kindAskedFor,
  type Language,
  languageOf,
  tellingStemOf,
  troubleIn,
  wordsOf,
} from './language.ts'
import { type Passage, plainText, readPassages } from './passages.ts'
import {
  type Concept,
  foreignStem,
  idfOf,
  type Lexicon,
  phrasalWords,
  type Question,
  readQuestion,
} from './question.ts'
import { createVocabulary } from './spelling.ts'
import { createSynonyms } from './synonyms.ts'

export type Hit = {
  passage: Passage
  score: number
  /** From 0 to 1: the share of the question's weight that the passage covers. */
  coverage: number
  /** From 0 to 1: how well the heading, or a question of the front matter, matches the question. */
  fit: number
  /** The words of the question that are in the passage. */
  words: ReadonlySet<string>
  /** Those of them that are in its heading. */
  named: ReadonlySet<string>
}

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

/** Stems of a passage. */
type Fields = { heading: string[]; asked: string[]; above: string[]; body: string[]; code: string[] }
type Entry = {
  passage: Passage
  language: Language
  /** Stems of the heading, and of each question of the front matter. */
  headings: readonly ReadonlySet<string>[]
  /** Stems of each of the other words for the passage. */
  asked: readonly ReadonlySet<string>[]
  /** From 0 to 1: how much a word in the body says. In a long passage any word stands somewhere. */
  density: number
}

const BOOST = { heading: 3, asked: 2, above: 1.2, body: 1, code: 0.3 }
const LOOKED_AT_TWICE = 60
/** The previous question counts less than the current one. */
const CARRIED = 0.5
const MANY_PASSAGES = 3_000
const FREQUENT = 0.1
const ONLY_IN_CODE = 0.4
/** Other words shorter than this fit no better than those of this length: one word alone says little. */
const LEAST_TOLD = 3
/** Stems of a passage in whose body every word counts fully, and how fast it counts less in longer ones. */
const DENSE_STEMS = 100
const SPARSENESS = 0.3
const EXCLUDED = 0.6
const SAME_KIND = 1.25
const OTHER_KIND = 0.85

export function createSearchIndex({ synonyms: own = '' } = {}): SearchIndex {
  const synonyms = createSynonyms(own)
  const entries = new Map<number, Entry>()
  const idsOf = new Map<string, number[]>()
  /** Passages in which a stem occurs; `last`: the newest of them, so that no passage counts twice. */
  const frequencies = new Map<string, { count: number; last: number }>()
  const vocabulary = createVocabulary()
  const languages = new Map<Language, number>()
  let nextId = 1
  const index = new MiniSearch<Fields & { id: number }>({
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
    const language = languageOf(text, 'en')
    const ids: number[] = []
    const words = new Set<string>()
    for (const passage of readPassages(text, file)) {
      const id = nextId++
      const { fields, headings, asked, written } = termsOf(passage, language, synonyms.phrasesIn)
      index.add({ id, ...fields, ...(asked.length === 0 && { asked: undefined }) })
      entries.set(id, { passage, language, headings, asked, density: densityOf(fields.body) })
      ids.push(id)
      for (const stems of Object.values(fields))
        for (const stem of stems) {
          const known = frequencies.get(stem)
          if (!known) frequencies.set(stem, { count: 1, last: id })
          else if (known.last !== id) {
            known.count++
            known.last = id
          }
        }
      for (const word of written) words.add(word)
      count(languages, language, 1)
    }
    for (const word of words) vocabulary.add(word)
    idsOf.set(file, ids)
  }

  /** Works out again what `put` counted: to keep it would take as much memory as the index. */
  function remove(file: string): void {
    const words = new Set<string>()
    for (const id of idsOf.get(file) ?? []) {
      const entry = entries.get(id)
      if (!entry) continue
      const { fields, written } = termsOf(entry.passage, entry.language, synonyms.phrasesIn)
      index.discard(id)
      entries.delete(id)
      for (const stem of new Set(Object.values(fields).flat())) {
        const known = frequencies.get(stem)
        if (known && --known.count === 0) frequencies.delete(stem)
      }
      for (const word of written) words.add(word)
      count(languages, entry.language, -1)
    }
    for (const word of words) vocabulary.remove(word)
    idsOf.delete(file)
  }

  function lexicon(): Lexicon {
    const total = entries.size
    const spoken = [...languages].filter(([, each]) => each >= total / 50).sort(([, a], [, b]) => b - a)
    return {
      frequency: (stem) => frequencies.get(stem)?.count ?? 0,
      passages: total,
      vocabulary,
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
    const prefixes = new Set<string>()
    for (const [concepts, share] of [
      [now, 1],
      [carried, CARRIED],
    ] as const)
      for (const { terms, isPrefix } of concepts)
        for (const [term, weight] of terms) {
          weights.set(term, Math.max(weights.get(term) ?? 0, weight * share))
          if (isPrefix) prefixes.add(term)
        }
    const telling = withoutFrequent(weights, known)
    if (telling.length === 0) return { question, hits: [], isAnswer: false, standsOut: false }
    const results = index.search(telling.join(' '), {
      boostTerm: (term) => weights.get(term) ?? 1,
      prefix: (term) => prefixes.has(term),
      weights: { prefix: 0.7, fuzzy: 0 },
    })
    const hits: Hit[] = []
    for (const { id, score, match } of results.slice(0, LOOKED_AT_TWICE)) {
      const entry = entries.get(id)
      if (entry)
        hits.push(
          judge(entry, score * distinct(match, [...now, ...carried], known), match, question, carried),
        )
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

type Title = { text: string; words: string[]; full: string[] }

/** Stems and words of a passage. Stop words are never searched for, and make up half of any text. */
function termsOf(passage: Passage, language: Language, phrasesIn: (text: string) => string[]) {
  const stems = (words: readonly string[], spoken = language) => {
    const found: string[] = []
    for (const word of words) {
      const stem = tellingStemOf(word, spoken)
      if (stem !== undefined) found.push(stem)
    }
    return found
  }
  const { blocks } = passage
  const prose = wordsOf(
    blocks.map(({ kind, source }) => (kind === 'code' ? '' : plainText(source))).join(' '),
  )
  const code = wordsOf(blocks.map(({ kind, source }) => (kind === 'code' ? source : '')).join(' '))
  // Each of the other words may be of another language than the file.
  const [titles, asked] = [[passage.heading, ...passage.questions], passage.asked].map((texts) =>
    texts.map((text) => {
      const words = wordsOf(troubleIn(text))
      return { text, words, full: [...words, ...phrasalWords(words)] }
    }),
  ) as [Title[], Title[]]
  const askedStems = asked.flatMap(({ text, full }) => {
    const spoken = languageOf(text, language)
    return spoken === language
      ? [stems(full)]
      : [stems(full), stems(full, spoken).map((stem) => foreignStem(stem, spoken))]
  })
  const phrases = [...titles, ...asked].flatMap(({ text }) => phrasesIn(text))
  const above = wordsOf(
    troubleIn([passage.title, ...passage.above, passage.file.replace(/\.\w+$/, '')].join(' ')),
  )
  const fields: Fields = {
    heading: stems(titles.flatMap(({ full }) => full)),
    asked: askedStems.flat(),
    above: stems(above),
    body: stems(prose),
    code: stems(code),
  }
  return {
    fields,
    headings: titles.map(({ full }) => new Set(stems(full.filter((word) => !/[_-]/.test(word))))),
    asked: askedStems.map((each) => new Set(each)),
    written: [
      ...[...titles, ...asked].flatMap(({ words }) => words),
      ...phrases,
      ...above,
      ...prose,
      ...code,
    ],
  }
}

/** In a large folder words in every other passage cost most and weigh least. */
function withoutFrequent(weights: ReadonlyMap<string, number>, { frequency, passages }: Lexicon): string[] {
  const terms = [...weights.keys()]
  if (passages < MANY_PASSAGES) return terms
  const telling = terms.filter((term) => frequency(term) < passages * FREQUENT)
  return telling.length > 0 ? telling : terms.slice(0, 1)
}

const sharesTerm = (concept: Concept, others: readonly Concept[]): boolean =>
  others.some((other) => [...concept.terms.keys()].some((term) => other.terms.has(term)))

const densityOf = (body: readonly string[]): number =>
  Math.min(1, (DENSE_STEMS / Math.max(1, body.length)) ** SPARSENESS)

/** From 0 to 1. Code rarely answers a question, unless the question has a name such as `FOYER_DATA`. */
function present(term: string, { isPrefix, word }: Concept, match: MatchInfo, density: number): number {
  const fields = isPrefix
    ? Object.entries(match).flatMap(([found, each]) => (found.startsWith(term) ? each : []))
    : (Object.hasOwn(match, term) && match[term]) || []
  if (fields.length === 0) return 0
  if (/[\p{N}_-]/u.test(word) || fields.some((field) => field !== 'code' && field !== 'body')) return 1
  return fields.includes('body') ? density : ONLY_IN_CODE
}

/**
 * From 0 to 1: the share of a score that is left if of each concept only the best term counts. A passage that holds five
 * words of one meaning says no more than a passage that holds one.
 */
function distinct(match: MatchInfo, concepts: readonly Concept[], { frequency, passages }: Lexicon): number {
  let best = 0
  let all = 0
  for (const { terms } of concepts) {
    let most = 0
    for (const [term, weight] of terms)
      if (Object.hasOwn(match, term)) {
        const value = weight * idfOf(frequency(term), passages)
        most = Math.max(most, value)
        all += value
      }
    best += most
  }
  return all === 0 ? 1 : best / all
}

/** Rates one passage as a whole: how much of the question it covers, and how well its heading matches. */
function judge(
  { passage, headings, asked, density }: Entry,
  score: number,
  match: MatchInfo,
  { concepts: now, isNegative: asksForNot, kind }: Question,
  carried: readonly Concept[],
): Hit {
  const holds = (concept: Concept): number =>
    Math.max(
      0,
      ...[...concept.terms].map(
        ([term, weight]) => (0.5 + weight / 2) * present(term, concept, match, density),
      ),
    )
  const share = (concepts: readonly Concept[], of: (concept: Concept) => number): number => {
    const total = concepts.reduce((sum, { idf }) => sum + idf, 0)
    return total === 0 ? 0 : concepts.reduce((sum, concept) => sum + concept.idf * of(concept), 0) / total
  }
  const coverage = share(now, holds)
  const all = carried.length === 0 ? coverage : (coverage + CARRIED * share(carried, holds)) / (1 + CARRIED)
  const lighter = carried.map((concept) => ({ ...concept, idf: concept.idf * CARRIED }))
  // Only terms of the passage can be in its headings.
  const concepts = [...now, ...lighter].map((concept) =>
    concept.isPrefix
      ? concept
      : { ...concept, terms: new Map([...concept.terms].filter(([term]) => Object.hasOwn(match, term))) },
  )
  const fit = Math.max(
    ...headings.map((heading) => fitOf(heading, concepts, share)),
    ...asked.map((words) => fitOf(words, concepts, share, LEAST_TOLD)),
  )
  return {
    passage,
    score:
      score *
      (0.2 + 0.8 * all ** 1.5) *
      (1 + 2.5 * fit) *
      // “Which things cannot be returned” answers no question about returning them.
      (isNegative(passage.heading) && !asksForNot ? EXCLUDED : 1) *
      kindFactor(kind, kindAskedFor(passage.heading)),
    coverage,
    fit,
    words: new Set(now.filter((concept) => holds(concept) > 0).map(({ word }) => word)),
    named: new Set(
      now
        .filter(({ terms }) =>
          headings.some((heading) => [...terms.keys()].some((term) => heading.has(term))),
        )
        .map(({ word }) => word),
    ),
  }
}

/** “Where are they kept?” asks for a place, not a duration. A “How to” heading may answer any question. */
function kindFactor(asked: string | undefined, told: string | undefined): number {
  if (asked === undefined || told === undefined) return 1
  if (asked === told) return asked === 'way' ? 1.1 : SAME_KIND
  return told === 'way' || told === 'meaning' ? 1 : OTHER_KIND
}

/** Harmonic mean of two shares: the heading in the question, and the question in the heading. */
function fitOf(
  heading: ReadonlySet<string>,
  concepts: readonly Concept[],
  share: (concepts: readonly Concept[], of: (concept: Concept) => number) => number,
  least = 1,
): number {
  if (heading.size === 0) return 0
  const found = new Map<string, number>()
  const asked = share(concepts, ({ terms, isPrefix }) => {
    let best = 0
    const find = (stem: string, weight: number) => {
      found.set(stem, Math.max(found.get(stem) ?? 0, weight))
      best = Math.max(best, weight)
    }
    for (const [term, weight] of terms) {
      if (heading.has(term)) find(term, weight)
      if (isPrefix) for (const stem of heading) if (stem.startsWith(term)) find(stem, weight)
    }
    return best
  })
  const told = [...found.values()].reduce((sum, weight) => sum + weight, 0) / Math.max(least, heading.size)
  return asked + told === 0 ? 0 : (2 * asked * told) / (asked + told)
}

/** Calibrated by test/answers: below it, “I do not know” is right more often than the passage. */
function isNear(hit: Hit | undefined, concepts: readonly Concept[]): boolean {
  if (!hit) return false
  // “Who made you?” has no word that says what it is about.
  if (concepts.every(({ isWeak }) => isWeak) && (concepts.length === 1 || hit.fit < 0.5)) return false
  // Without the rarest word of the question (“Do you ship to Canada?”) the rest has to fit better.
  const rarest = concepts.reduce((one, other) => (other.idf > one.idf ? other : one))
  const hasRarest = hit.words.has(rarest.word)
  const least = hasRarest ? 0.62 : 0.87
  return (hit.coverage >= 0.55 && hasRarest) || (hit.coverage >= 0.3 && hit.coverage + hit.fit >= least)
}
