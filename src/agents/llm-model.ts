// Queries a language model over the chat-completions API, and streams its answer as plain events.

import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, jsonSchema, stepCountIs, streamText, tool } from 'ai'
import { readRetryAfter } from '../protocol/index.ts'
import type { Message } from './llm-prompt.ts'
import { checkedInput, type LlmTool, type ToolContext } from './llm-tools.ts'

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

/** Why the model did not answer. `retryAfterMs`: what the endpoint asked for. */
export class ModelError extends Error {
  override name = 'ModelError'
  readonly kind: 'temporary' | 'too-long' | 'permanent'
  readonly retryAfterMs: number | undefined

  constructor(kind: ModelError['kind'], message: string, retryAfterMs?: number) {
    super(message)
    this.kind = kind
    this.retryAfterMs = retryAfterMs
  }
}

export type ModelOptions = { url: string; model: string; key?: string; fetch?: typeof fetch }

/** Sends one request, and yields the events of its answer. */
export type AskModel = (request: ModelRequest) => AsyncIterable<ModelEvent>

/** Events of one answer. Throws a `ModelError`, which repeats neither the key nor the conversation. */
export function createModel({ url, model, key, fetch }: ModelOptions): AskModel {
  const provider = createOpenAICompatible({
    name: 'foyer',
    baseURL: url.replace(/\/+$/, '').replace(/\/chat\/completions$/, ''),
    includeUsage: true,
    ...(key && { apiKey: key }),
    ...(fetch && { fetch }),
  })
  return async function* ask(request: ModelRequest): AsyncIterable<ModelEvent> {
    const { system, messages, tools, context, steps, outputTokens } = request
    const { fullStream } = streamText({
      model: provider(model),
      system,
      messages: [...messages],
      tools: Object.fromEntries(Object.entries(tools).map(([name, each]) => [name, sdkTool(each, context)])),
      stopWhen: stepCountIs(steps),
      maxOutputTokens: outputTokens,
      // The agent retries itself, with the runtime's clock and only before the first word.
      maxRetries: 0,
      abortSignal: context.signal,
      onError: () => {},
    })
    let reason = ''
    try {
      for await (const part of fullStream) {
        if (part.type === 'text-delta') yield { type: 'text', text: part.text }
        else if (part.type === 'tool-call') yield { type: 'tool', name: part.toolName }
        else if (part.type === 'finish-step') {
          const { inputTokens = 0, outputTokens = 0 } = part.usage
          yield { type: 'usage', inputTokens, outputTokens }
          reason = part.finishReason
        } else if (part.type === 'error') throw part.error
        else if (part.type === 'abort') throw new ModelError('temporary', 'the answer took too long')
      }
    } catch (error) {
      throw modelError(error)
    }
    // A stream that ends without a finish reason was cut.
    if (reason === 'other' || reason === 'unknown' || reason === '')
      throw new ModelError('temporary', 'the answer broke off')
    yield { type: 'finish', reason }
  }
}

function sdkTool({ description, input, execute }: LlmTool, context: ToolContext) {
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
      const result = await execute(value, context)
      return result === undefined ? null : result
    },
  })
}

const LONGEST_RETRY_AFTER_MS = 20_000

function modelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error
  if (!APICallError.isInstance(error))
    return new ModelError('temporary', 'the endpoint cannot be reached or read')
  const { statusCode, responseHeaders, responseBody = '' } = error
  if (
    (statusCode === 400 || statusCode === 413) &&
    /context|too (?:long|large|many)|maximum|max_tokens/i.test(responseBody)
  )
    return new ModelError('too-long', 'the conversation is too long for the model')
  if (statusCode !== undefined && statusCode < 500 && statusCode !== 408 && statusCode !== 429)
    return new ModelError('permanent', `the endpoint answered ${statusCode}`)
  const seconds = readRetryAfter(new Headers(responseHeaders), Date.now())
  const wait = seconds && seconds * 1_000
  // A visitor does not wait that long: report the failure instead.
  if (wait !== undefined && wait > LONGEST_RETRY_AFTER_MS)
    return new ModelError('permanent', 'the endpoint is busy')
  return new ModelError('temporary', `the endpoint answered ${statusCode ?? 'nothing'}`, wait)
}
