// Counts the tokens of an answer while the model writes it, so that a stopped answer is counted too.

import type { Turn } from '../../runtime/index.ts'
import type { ModelEvent, ModelRequest } from './model.ts'
import type { LlmLimits } from './options.ts'
import { countUsage, guessTokens, type LlmUsage, noUsage, tokensIn, tokensOf } from './usage.ts'

/** The name under which usage counts tokens. */
const TOKENS = 'llm tokens'
/** Text that comes is counted in steps of so many characters. */
const COUNTED_STEP = 4_000

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

/** Counts the tokens of the requests for one answer: a guess for the request that runs, which remains if the visitor stops the answer. */
export interface Counting {
  readonly usage: LlmUsage
  /** Text has come whose tokens the endpoint has not reported. */
  hasWritten(): boolean
  sent(request: ModelRequest): Promise<void>
  wrote(characters: number): Promise<void>
  reported(event: ModelEvent): Promise<void>
  /** Counts what the endpoint has reported, and nothing else. */
  settle(): Promise<void>
  keepGuess(): Promise<void>
}

export function createCounting(turn: Turn): Counting {
  const spend = createSpending(turn)
  const usage = noUsage()
  let guess = 0
  let written = 0
  let counted = 0
  async function keepGuess(): Promise<void> {
    counted = written
    await spend(tokensOf(usage) + guess + tokensIn(written))
  }
  return {
    usage,
    hasWritten: () => written > 0,
    async sent(request) {
      guess = guessTokens(request)
      written = 0
      await keepGuess()
    },
    async wrote(characters) {
      written += characters
      if (written - counted > COUNTED_STEP) await keepGuess()
    },
    async reported(event) {
      countUsage(event, usage, guess, written)
      if (event.type !== 'usage') return
      written = 0
      await keepGuess()
    },
    settle: () => spend(tokensOf(usage)),
    keepGuess,
  }
}
