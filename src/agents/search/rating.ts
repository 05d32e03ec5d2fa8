// Rates the passages that a search found: how much of the question each covers, and how well its heading fits.

import type { PassageStems } from './passage-stems.ts'
import type { Passage } from './passages.ts'
import type { Concept } from './question.ts'

export type Hit = {
  passage: Passage
  score: number
  /** From 0 to 1: the share of the question's weight that the passage covers. */
  coverage: number
  /** From 0 to 1: how well the heading, or a question of the front matter, matches the question. */
  fit: number
  /** The words of the question that are in the passage. */
  words: ReadonlySet<string>
}

/** The terms that a passage was found by, each with the fields that hold it. */
type TermMatches = Readonly<Record<string, readonly string[]>>

/** The previous question counts less than the current one. */
export const CARRIED = 0.5
const ONLY_IN_CODE = 0.4
/** A hint counts as at least this many words, because one word alone says little. */
const LEAST_TOLD = 3

/** From 0 to 1. Code rarely answers a question, unless the question has a name such as `FOYER_DATA`. */
function present(term: string, word: string, match: TermMatches, density: number): number {
  const fields = (Object.hasOwn(match, term) && match[term]) || []
  if (fields.length === 0) return 0
  if (/[\p{N}_-]/u.test(word) || fields.some((field) => field !== 'code' && field !== 'body')) return 1
  return fields.includes('body') ? density : ONLY_IN_CODE
}

/** Rates one passage as a whole: how much of the question it covers, and how well its heading matches. */
export function rate(
  { passage, headings, asked, density }: PassageStems,
  score: number,
  match: TermMatches,
  now: readonly Concept[],
  carried: readonly Concept[],
): Hit {
  const holds = (concept: Concept): number =>
    Math.max(
      0,
      ...[...concept.terms].map(
        ([term, weight]) => (0.5 + weight / 2) * present(term, concept.word, match, density),
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
  const concepts = [...now, ...lighter].map((concept) => ({
    ...concept,
    terms: new Map([...concept.terms].filter(([term]) => Object.hasOwn(match, term))),
  }))
  const fit = Math.max(
    ...headings.map((heading) => fitOf(heading, concepts, share)),
    ...asked.map((words) => fitOf(words, concepts, share, LEAST_TOLD)),
  )
  return {
    passage,
    score: Math.log1p(score) * all * (0.4 + fit),
    coverage,
    fit,
    words: new Set(now.filter((concept) => holds(concept) > 0).map(({ word }) => word)),
  }
}

/** Harmonic mean of two shares: the heading in the question, and the question in the heading. */
function fitOf(
  heading: ReadonlySet<string>,
  concepts: readonly Concept[],
  share: (concepts: readonly Concept[], of: (concept: Concept) => number) => number,
  least = 1,
): number {
  if (heading.size === 0) return 0
  const foundStems = new Map<string, number>()
  const askedShare = share(concepts, ({ terms }) => {
    let best = 0
    for (const [term, weight] of terms) {
      if (!heading.has(term)) continue
      foundStems.set(term, Math.max(foundStems.get(term) ?? 0, weight))
      best = Math.max(best, weight)
    }
    return best
  })
  const told =
    [...foundStems.values()].reduce((sum, weight) => sum + weight, 0) / Math.max(least, heading.size)
  return askedShare + told === 0 ? 0 : (2 * askedShare * told) / (askedShare + told)
}

/** A passage that covers less of the question is no answer. */
export const LEAST_COVERED = 0.5
/** Least fit of a passage without the rarest word of the question. */
const LEAST_FIT = 0.35

/** Calibrated on the tuned questions of test/answers: below it, “I do not know” is right more often than the passage. */
export function isNear(hit: Hit | undefined, concepts: readonly Concept[]): boolean {
  if (!hit) return false
  // The rarest word names the topic: of “Do you ship to Canada?” a passage about shipping is half an answer.
  const rarest = concepts.reduce((one, other) => (other.idf > one.idf ? other : one))
  return hit.coverage >= LEAST_COVERED && (hit.words.has(rarest.word) || hit.fit >= LEAST_FIT)
}
