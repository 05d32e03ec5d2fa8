// Counts the tokens of an answer while the model writes it, so that a stopped answer is counted too.

import type { Turn } from '../../runtime/index.ts'
import type { LlmLimits } from './options.ts'

/** The name under which usage counts tokens. */
const TOKENS = 'llm tokens'

type DailyLimits = Pick<LlmLimits, 'tokensPerDay' | 'connectorTokensPerDay'>

/** Whose tokens of this day are used up: those of the visitor, or those of all visitors of the connector. */
export async function usedUp(turn: Turn, limits: DailyLimits): Promise<'visitor' | 'connector' | undefined> {
  if ((await turn.addUsage(TOKENS, 0)) >= limits.tokensPerDay) return 'visitor'
  return (await turn.addUsage(TOKENS, 0, 'connector')) >= limits.connectorTokensPerDay
    ? 'connector'
    : undefined
}

/** Returns a function that corrects the tokens counted for one answer to `total`. */
export function createSpending(turn: Turn): (total: number) => Promise<void> {
  let counted = 0
  return async (total) => {
    const more = total - counted
    counted = total
    if (more === 0) return
    await turn.addUsage(TOKENS, more)
    await turn.addUsage(TOKENS, more, 'connector')
  }
}
