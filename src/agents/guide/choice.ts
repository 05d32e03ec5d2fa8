// Chooses the passages of an answer, and decides whether the guide is sure of them.

import type { Hit } from '../search/rating.ts'
import type { Found } from '../search/search-index.ts'

const MOST_JOINED = 3
/** A passage that covers this share of a question answers it alone. */
const SPANNED = 0.75

/** Calibrated on the tuned questions of test/answers; its unseen questions check the result. Values near these do as well. */
const WEIGHT_OF_LEAD = 0.5
const LEAST_SURE = 0.85
const LEAST_COVERED = 0.6

/** The best passage, and up to two more. Each heading has words of the question that the passages before it lack. */
export function spanning({ hits, question }: Found): Hit[] {
  const [best, ...others] = hits
  if (!best) return []
  const joined = [best]
  const askedConcepts = question.concepts.filter(({ terms }) => terms.size > 0)
  const missing = () => askedConcepts.filter(({ word }) => !joined.some(({ words }) => words.has(word)))
  while (best.coverage < SPANNED && joined.length < MOST_JOINED) {
    const lacks = missing()
    const nextHit = others.find(
      (hit) =>
        !joined.includes(hit) &&
        hit.score > best.score * 0.35 &&
        hit.fit > 0.3 &&
        lacks.some(({ word }) => hit.named.has(word)),
    )
    if (!nextHit) break
    joined.push(nextHit)
  }
  return joined
}

export const SURE = 2
const IN_DOUBT = 1
const NOT_KNOWN = 0

/**
 * Sure is an answer whose heading has the question's words, or whose score is far above that of the next hit. Coverage says
 * little here: a long passage has most words somewhere.
 */
export function surenessOf(found: Found): number {
  const [best, ...joined] = spanning(found)
  if (!best || !found.isAnswer) return NOT_KNOWN
  const nextHit = found.hits.find((hit) => hit !== best && !joined.includes(hit))
  if (found.standsOut || !nextHit || nextHit.score === 0) return SURE
  const lead = Math.log(best.score / nextHit.score)
  const isSure = best.coverage >= LEAST_COVERED && best.fit + WEIGHT_OF_LEAD * lead >= LEAST_SURE
  return isSure ? SURE : IN_DOUBT
}
