// Queries a language model over the chat-completions API, and streams its answer as plain events.

import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { jsonSchema, stepCountIs, streamText, tool } from 'ai'
import { type Meter, noMeter, openSpan } from '../../api/index.ts'
import { cleanText, cleanValue } from './clean.ts'
import { ModelError, modelError } from './model-error.ts'
import type { Message } from './prompt.ts'
import { checkedInput, type LlmTool, type ToolContext } from './tools.ts'

export type ModelEvent =
  | { type: 'text'; text: string }
  | { type: 'tool'; name: string }
  | { type: 'usage'; inputTokens: number; outputTokens: number }
  | { type: 'finish'; reason: string }

export type ModelRequest = {
  system: string
  messages: readonly Message[]
  tools: Readonly<Record<string, LlmTool>>
  context: ToolContext
  steps: number
  outputTokens: number
}

/** Most calls of tools that are executed in one step, and in one answer. */
const MOST_CALLS = 8
const MOST_CALLS_IN_ALL = 20
/** An endpoint that asks for more calls in one step, or sends more characters, is not listened to any longer. */
const TOO_MANY_CALLS = 64
const TOO_MUCH_TEXT = 200_000

export type ModelOptions = { url: string; model: string; key?: string; fetch?: typeof fetch; meter?: Meter }

/** Sends one request, and yields the events of its answer. */
export type AskModel = (request: ModelRequest) => AsyncIterable<ModelEvent>

/** Events of one answer. Throws a `ModelError`, which repeats neither the key nor the conversation. */
export function createModel({ url, model, key, fetch, meter = noMeter }: ModelOptions): AskModel {
  const provider = createOpenAICompatible({
    name: 'foyer',
    baseURL: url.replace(/\/+$/, '').replace(/\/chat\/completions$/, ''),
    includeUsage: true,
    ...(key && { apiKey: key }),
    fetch: checkedFetch(fetch),
  })
  return async function* ask(request: ModelRequest): AsyncIterable<ModelEvent> {
    const { system, messages, tools, context, steps, outputTokens } = request
    /** Calls of this step, and of those before it. */
    const calls = { asked: 0, run: 0, before: 0 }
    let written = 0
    /** Ends the request of an answer that is not listened to any longer. */
    const stop = new AbortController()
    /** Counts one more call, and tells whether it may be executed. */
    const mayRun = () => {
      const may = calls.run < MOST_CALLS && calls.before + calls.run < MOST_CALLS_IN_ALL
      if (may) calls.run++
      return may
    }
    const { fullStream } = streamText({
      model: provider(model),
      system,
      messages: [...messages],
      tools: Object.fromEntries(
        Object.entries(tools).map(([name, each]) => [name, sdkTool(each, context, mayRun)]),
      ),
      // Without tools the model answers from what it has.
      prepareStep: () => (calls.before >= MOST_CALLS_IN_ALL ? { toolChoice: 'none' } : {}),
      stopWhen: stepCountIs(steps),
      maxOutputTokens: outputTokens,
      // The agent retries itself, with the runtime's clock and only before the first word.
      maxRetries: 0,
      abortSignal: AbortSignal.any([context.signal, stop.signal]),
      onError: () => {},
    })
    let reason = ''
    let failure: unknown
    const span = openSpan('model', { 'gen_ai.request.model': model })
    const used = { input: 0, output: 0 }
    try {
      for await (const part of fullStream) {
        if (part.type === 'text-delta') {
          written += part.text.length
          if (written > TOO_MUCH_TEXT) throw new ModelError('permanent', 'excess', 'the model wrote too much')
          yield { type: 'text', text: cleanText(part.text) }
        } else if (part.type === 'tool-call') {
          if (++calls.asked > TOO_MANY_CALLS)
            throw new ModelError('permanent', 'excess', 'the model called too many tools')
          if (calls.asked <= MOST_CALLS) yield { type: 'tool', name: cleanText(part.toolName) }
        } else if (part.type === 'finish-step') {
          calls.before += calls.run
          calls.asked = calls.run = 0
          const { inputTokens = 0, outputTokens = 0 } = part.usage
          meter.count('foyer_llm_tokens_total', inputTokens, { direction: 'in' })
          meter.count('foyer_llm_tokens_total', outputTokens, { direction: 'out' })
          used.input += inputTokens
          used.output += outputTokens
          yield { type: 'usage', inputTokens, outputTokens }
          reason = part.finishReason
        } else if (part.type === 'error') throw part.error
        else if (part.type === 'abort')
          throw new ModelError('temporary', 'timeout', 'there was no answer in time')
      }
      // A stream that ends without a finish reason was cut.
      if (reason === 'other' || reason === 'unknown' || reason === '')
        throw new ModelError('temporary', 'cut', 'the answer broke off')
    } catch (error) {
      const known = modelError(error)
      // The visitor stopped the answer: nothing failed.
      if (!context.turn.signal.aborted) meter.count('foyer_llm_failures_total', 1, { cause: known.failure })
      failure = known
      throw known
    } finally {
      span.setAttributes({
        'gen_ai.usage.input_tokens': used.input,
        'gen_ai.usage.output_tokens': used.output,
      })
      span.end(failure)
      stop.abort()
    }
    yield { type: 'finish', reason }
  }
}

function sdkTool({ description, input, execute }: LlmTool, context: ToolContext, mayRun: () => boolean) {
  return tool({
    description,
    inputSchema: jsonSchema<Record<string, unknown>>(input, {
      validate: (value) => {
        const checked = checkedInput(input, value)
        return checked
          ? { success: true, value: checked }
          : { success: false, error: new Error('The input does not match the schema of the tool.') }
      },
    }),
    execute: async (value) => {
      if (!mayRun()) return 'Not executed: too many calls. Answer with what you have.'
      const result = await execute(cleanValue(value) as Record<string, unknown>, context)
      return result === undefined ? null : result
    },
  })
}

/** Follows no redirect, which would take the conversation to another host, and reads no page. */
const checkedFetch =
  (fetch = globalThis.fetch): typeof globalThis.fetch =>
  async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual' })
    if (response.ok && response.headers.get('content-type')?.includes('text/html')) {
      await response.body?.cancel()
      throw new ModelError('temporary', 'malformed', 'the endpoint answered with a page of HTML')
    }
    return response
  }
