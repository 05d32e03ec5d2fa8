// Counts what an answer of the language model used, and reports it as metrics of the conversation.

import type { AgentEvent } from '../../runtime/index.ts'
import type { Passage } from '../search/passages.ts'
import type { ModelEvent, ModelRequest } from './model.ts'
import type { LlmAgentOptions } from './options.ts'

/** Tokens of the requests for one answer, and the names of the tools that the model called. */
export type LlmUsage = { input: number; output: number; tools: string[] }

const CHARACTERS_PER_TOKEN = 4

export const noUsage = (): LlmUsage => ({ input: 0, output: 0, tools: [] })

export const tokensOf = ({ input, output }: LlmUsage): number => input + output

/** Estimates the least tokens of a request: the endpoint reports the true number only after its answer. */
export function guessTokens({ system, messages, tools }: ModelRequest): number {
  const described = Object.values(tools).map(({ description, input }) => ({ description, input }))
  return tokensIn(JSON.stringify({ system, messages, described }).length)
}

/** The tokens that a text has at least. */
export const tokensIn = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN)

/**
 * Adds what an event of the model reports to `usage`. Where the endpoint reports no positive number, the guess for the request and
 * the text that came count.
 */
export function countUsage(event: ModelEvent, usage: LlmUsage, guess: number, written: number): void {
  if (event.type === 'tool') usage.tools.push(event.name)
  if (event.type === 'usage') {
    usage.input += event.inputTokens > 0 ? event.inputTokens : guess
    usage.output += event.outputTokens > 0 ? event.outputTokens : tokensIn(written)
  }
}

type Answered = {
  usage: LlmUsage
  firstTokenMs: number | undefined
  sources: readonly Passage[]
}

export function* usageMetrics(
  { usage: { input, output, tools }, firstTokenMs, sources }: Answered,
  { model, price }: Pick<LlmAgentOptions, 'model' | 'price'>,
): Iterable<AgentEvent> {
  const values: Record<string, string | undefined> = {
    llm_model: model,
    llm_input_tokens: String(input),
    llm_output_tokens: String(output),
    llm_first_token_ms: firstTokenMs === undefined ? undefined : String(Math.round(firstTokenMs)),
    llm_tools: tools.join(' ') || undefined,
    llm_sources:
      [...new Set(sources.map(({ file, slug }) => (slug ? `${file}#${slug}` : file)))].join(' ') || undefined,
    llm_cost: price && ((input * price.input + output * price.output) / 1e6).toFixed(6),
  }
  for (const [name, value] of Object.entries(values))
    if (value !== undefined) yield { type: 'metric', name, value }
}
