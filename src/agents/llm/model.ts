// Queries a language model over the chat-completions API, and streams its answer as plain events.

import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, jsonSchema, stepCountIs, streamText, tool } from 'ai'
import { type Meter, noMeter, openSpan } from '../../api/index.ts'
import { readRetryAfter } from '../../protocol/index.ts'
import { cleanText, cleanValue } from './clean.ts'
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

/** Why the model did not answer. `retryAfterMs`: what the endpoint asked for. */
export class ModelError extends Error {
  override name = 'ModelError'
  readonly kind: 'temporary' | 'too-long' | 'permanent' | 'setup'
  readonly retryAfterMs: number | undefined

  /** `setup`: it fails until the operator corrects a setting. */
  constructor(kind: ModelError['kind'], message: string, retryAfterMs?: number) {
    super(message)
    this.kind = kind
    this.retryAfterMs = retryAfterMs
  }
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
          if (written > TOO_MUCH_TEXT) throw new ModelError('permanent', 'the model wrote too much')
          yield { type: 'text', text: cleanText(part.text) }
        } else if (part.type === 'tool-call') {
          if (++calls.asked > TOO_MANY_CALLS)
            throw new ModelError('permanent', 'the model called too many tools')
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
        else if (part.type === 'abort') throw new ModelError('temporary', 'there was no answer in time')
      }
    } catch (error) {
      failure = modelError(error)
      throw failure
    } finally {
      span.setAttributes({
        'gen_ai.usage.input_tokens': used.input,
        'gen_ai.usage.output_tokens': used.output,
      })
      span.end(failure)
      stop.abort()
    }
    // A stream that ends without a finish reason was cut.
    if (reason === 'other' || reason === 'unknown' || reason === '')
      throw new ModelError('temporary', 'the answer broke off')
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
      throw new ModelError('temporary', 'the endpoint answered with a page of HTML')
    }
    return response
  }

const LONGEST_RETRY_AFTER_MS = 20_000

function modelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error
  if (!APICallError.isInstance(error)) return new ModelError('temporary', 'the endpoint cannot be read')
  const { statusCode, responseHeaders, responseBody = '' } = error
  if (
    (statusCode === 400 || statusCode === 413) &&
    /context|too (?:long|large|many)|maximum|max_tokens/i.test(responseBody)
  )
    return new ModelError('too-long', 'the conversation is too long for the model')
  if (statusCode === undefined) return new ModelError('temporary', 'the endpoint cannot be reached')
  if (statusCode === 401 || statusCode === 403)
    return new ModelError('setup', `the endpoint answered ${statusCode}: it does not take the key`)
  if (statusCode < 500 && statusCode !== 408 && statusCode !== 429)
    return new ModelError('permanent', `the endpoint answered ${statusCode}`)
  const seconds = readRetryAfter(new Headers(responseHeaders), Date.now())
  const wait = seconds && seconds * 1_000
  // A visitor does not wait that long: report the failure instead.
  if (wait !== undefined && wait > LONGEST_RETRY_AFTER_MS)
    return new ModelError(
      'permanent',
      `the endpoint answered ${statusCode}, and asks to wait for ${seconds} seconds`,
    )
  return new ModelError('temporary', `the endpoint answered ${statusCode}`, wait)
}
