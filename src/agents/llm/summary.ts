// Has the language model sum up the messages that are too old to be sent with a question.

import type { AgentEvent, Turn } from '../../runtime/index.ts'
import type { AskModel } from './model.ts'
import {
  keptOf,
  type LlmMemory,
  LONGEST_SUMMARY,
  MOST_TRANSCRIPT,
  SUMMARY_RULES,
  summaryRequest,
} from './prompt.ts'
import type { createSpending } from './spending.ts'
import { countUsage, guessTokens, noUsage, tokensIn, tokensOf } from './usage.ts'

/** Fewer messages are not worth a request. */
const FEWEST_SUMMED = 6
const LONGEST_SUMMARY_TOKENS = 400

/** Remembers a summary of the messages that requests leave out, once there are enough. */
export async function* sumUp(
  turn: Turn,
  ask: AskModel,
  mask: (text: string) => string,
  spend: ReturnType<typeof createSpending>,
): AsyncIterable<AgentEvent> {
  const usage = noUsage()
  const { llm_summary: former, llm_summed: done = 0 } = turn.memory as LlmMemory
  const kept = keptOf(turn.history, mask, MOST_TRANSCRIPT)
  const unsummed = turn.history.slice(done, turn.history.length - kept)
  if (unsummed.length < FEWEST_SUMMED) return
  let summaryText = ''
  let guess = 0
  try {
    const request = {
      system: SUMMARY_RULES,
      messages: [{ role: 'user' as const, content: summaryRequest(former, unsummed, mask) }],
      tools: {},
      context: { turn, signal: turn.signal },
      steps: 1,
      outputTokens: LONGEST_SUMMARY_TOKENS,
    }
    guess = guessTokens(request)
    await spend(guess)
    for await (const event of ask(request))
      if (event.type === 'text') summaryText += event.text
      else countUsage(event, usage, guess, summaryText.length)
  } catch {
    await spend(summaryText === '' && !turn.signal.aborted ? 0 : guess + tokensIn(summaryText.length))
    // The next answer tries again.
    return
  }
  await spend(tokensOf(usage))
  yield { type: 'metric', name: 'llm_summary_tokens', value: String(tokensOf(usage)) }
  const memory = {
    llm_summary: summaryText.trim().slice(0, LONGEST_SUMMARY),
    llm_summed: done + unsummed.length,
  }
  if (summaryText.trim() !== '') yield { type: 'remember', memory }
}
