// Says why a language model did not answer, and whether another try makes sense.

import { AISDKError, APICallError } from 'ai'
import type { METRICS } from '../../api/index.ts'
import { readRetryAfter } from '../../protocol/index.ts'

/**
 * `refused`: the endpoint does not take the key. `limited`: it gets too many requests. `malformed`: what it sends cannot be read. `cut`: the
 * answer broke off. `request`: it takes no such request, often as the address or the model's name is wrong. `length`: the conversation is
 * too long. `excess`: the answer is.
 */
type ModelFailure = (typeof METRICS.foyer_llm_failures_total.labels.cause)[number]

/** Why the model did not answer. `retryAfterMs`: what the endpoint asked for. */
export class ModelError extends Error {
  override name = 'ModelError'
  readonly kind: 'temporary' | 'too-long' | 'permanent' | 'setup'
  readonly failure: ModelFailure
  readonly retryAfterMs: number | undefined

  /** `setup`: it fails until the operator corrects a setting. */
  constructor(kind: ModelError['kind'], failure: ModelFailure, message: string, retryAfterMs?: number) {
    super(message)
    this.kind = kind
    this.failure = failure
    this.retryAfterMs = retryAfterMs
  }
}

const LONGEST_RETRY_AFTER_MS = 20_000

export function modelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error
  if (!APICallError.isInstance(error))
    return new ModelError('temporary', failureOf(error), 'the endpoint cannot be read')
  const { statusCode, responseHeaders, responseBody = '' } = error
  if (
    (statusCode === 400 || statusCode === 413) &&
    /context|too (?:long|large|many)|maximum|max_tokens/i.test(responseBody)
  )
    return new ModelError('too-long', 'length', 'the conversation is too long for the model')
  if (statusCode === undefined)
    return new ModelError('temporary', 'network', 'the endpoint cannot be reached')
  if (statusCode < 300 && failureOf(error.cause) === 'cut')
    return new ModelError('temporary', 'cut', 'the answer broke off')
  const answered = `the endpoint answered ${statusCode}`
  if (statusCode === 401 || statusCode === 403)
    return new ModelError('setup', 'refused', `${answered}: it does not take the key`)
  if (statusCode < 500 && statusCode !== 408 && statusCode !== 429)
    return new ModelError('permanent', statusCode < 300 ? 'malformed' : 'request', answered)
  const failure =
    statusCode === 429 ? 'limited' : statusCode === 408 || statusCode === 504 ? 'timeout' : 'server'
  const seconds = readRetryAfter(new Headers(responseHeaders), Date.now())
  const wait = seconds && seconds * 1_000
  // A visitor does not wait that long: report the failure instead.
  if (wait !== undefined && wait > LONGEST_RETRY_AFTER_MS)
    return new ModelError('permanent', failure, `${answered}, and asks to wait for ${seconds} seconds`)
  return new ModelError('temporary', failure, answered, wait)
}

/** The cause of an error in the middle of an answer: of its text, of the connection, or one that the endpoint reports in a frame. */
function failureOf(error: unknown): ModelFailure {
  if (AISDKError.isInstance(error)) return 'malformed'
  return error instanceof Error ? 'cut' : 'server'
}
