// Decides whether the guide is sure of its best passage.

import { LEAST_COVERED } from '../search/rating.ts'
import type { Found } from '../search/search-index.ts'

/** Calibrated on the tuned questions of test/answers; its unseen questions check the result. Values near it do as well. */
const LEAST_SURE = 1

export const SURE = 2
const IN_DOUBT = 1
const NOT_KNOWN = 0

/**
 * Sure is an answer whose heading has the question's words, or whose score is far above that of the next hit. Coverage says
 * little here: a long passage has most words somewhere.
 */
export function surenessOf({ hits: [best, next], isAnswer, standsOut }: Found): number {
  if (!best || !isAnswer) return NOT_KNOWN
  if (standsOut || !next || next.score === 0) return SURE
  const lead = Math.log(best.score / next.score)
  const isSure = best.coverage >= LEAST_COVERED && best.fit + lead >= LEAST_SURE
  return isSure ? SURE : IN_DOUBT
}
