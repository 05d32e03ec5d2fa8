// Counts the tokens of an answer while the model writes it, so that a stopped answer is counted too.

import type { Turn } from '../runtime/index.ts'

/** The name of the tally that counts the tokens of a visitor. */
const TOKENS = 'llm tokens'

/** Resolves to the tokens that the visitor has used on this day. */
export const spentToday = (turn: Turn): Promise<number> => turn.tally(TOKENS, 0)

/** Returns a function that corrects the tokens counted for one answer to `total`. */
export function createSpending(turn: Turn): (total: number) => Promise<void> {
  let counted = 0
  return async (total) => {
    const more = total - counted
    counted = total
    if (more !== 0) await turn.tally(TOKENS, more)
  }
}
