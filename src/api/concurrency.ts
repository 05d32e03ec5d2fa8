// Describes part 3 of the API: how many conversations were open at once.

import * as v from 'valibot'
import { isBackwards } from './conversations.ts'
import type { Route } from './route.ts'
import { AnswerTime, DateTime, ENVIRONMENTS, readDateTime, WholeNumber } from './values.ts'

const WEEK_MS = 7 * 24 * 3600_000

export const ConcurrencyInterval = v.object({
  /** UTC, the lower bound of a window of 5 minutes. */
  time: AnswerTime,
  /** The peak of the window: the highest number of conversations open at one instant. */
  max_concurrent_conversations: WholeNumber,
  /** The variant; only when sliced by variant. */
  variant_id: v.optional(v.string()),
  /** The name of the variant; only when sliced by variant. */
  variant_name: v.optional(v.string()),
})
export type ConcurrencyInterval = v.InferOutput<typeof ConcurrencyInterval>

export const Concurrency = v.object({
  /** The ID of the account. */
  account_id: v.string(),
  /** The ID of the project. */
  project_id: v.string(),
  /** One for each window, oldest first; with `slice_by` one for each window and variant. */
  intervals: v.array(ConcurrencyInterval),
})
export type Concurrency = v.InferOutput<typeof Concurrency>

/** The error body of concurrency and of the handoff state. */
export const ErrorMessage = v.object({
  /** What is wrong, for people. */
  error_message: v.string(),
})

const text = v.pipe(v.string(), v.nonEmpty('must not be empty'), v.maxLength(256))

export const ConcurrencyQuery = v.object({
  /** Rounded down to 5 minutes. */
  start_time: DateTime,
  /** Rounded up to 5 minutes; at most one week after `start_time`. */
  end_time: DateTime,
  /** The environment of the conversations. */
  client_env: v.optional(v.picklist(ENVIRONMENTS), 'live'),
  /** Conversations of this variant. Excludes `variant_name`. */
  variant_id: v.optional(text),
  /** Conversations of the variant with this name. */
  variant_name: v.optional(text),
  /** Conversations in this language, as a BCP 47 tag: `fr` counts every kind of French, `fr-CA` only that one. */
  language: v.optional(text),
  /** Conversations from or to this number. */
  phone_number: v.optional(text),
  /** `variant`: one series for each variant. The other values are reserved and answered with 501. */
  slice_by: v.optional(v.picklist(['variant', 'language', 'phone_number'])),
})
export type ConcurrencyQuery = v.InferOutput<typeof ConcurrencyQuery>

/** The conflict between parameters of a query, in a sentence; undefined if there is none. */
export function concurrencyConflict(query: Partial<ConcurrencyQuery>): string | undefined {
  const { start_time, end_time } = query
  if (query.variant_id !== undefined && query.variant_name !== undefined)
    return 'variant_id and variant_name exclude each other: give one of them'
  if (isBackwards(start_time, end_time)) return 'end_time is before start_time'
  const length = (readDateTime(end_time ?? '') ?? 0) - (readDateTime(start_time ?? '') ?? 0)
  if (start_time && end_time && length > WEEK_MS)
    return 'start_time and end_time are more than one week apart'
  return undefined
}

/** For a range of a week at most, with a window for each 5 minutes. */
export const concurrencyRoute: Route = {
  name: 'concurrency.query',
  method: 'get',
  path: '/v1/{account_id}/{project_id}/conversations/concurrency',
  summary: 'The peak of concurrent conversations in windows of 5 minutes',
  credential: { name: 'apiKey', is: 'An API key with the permissions conversations and analytics' },
  query: ConcurrencyQuery,
  responses: {
    200: { when: 'One interval for each window, oldest first', schema: Concurrency },
    400: { when: 'A parameter is missing or cannot be read', schema: ErrorMessage },
    401: { when: 'The key is missing or unknown', schema: ErrorMessage },
    403: {
      when: 'The key is for another account, project or region, or lacks a permission',
      schema: ErrorMessage,
    },
    404: { when: 'There is no such project', schema: ErrorMessage },
    405: { when: 'Only GET is allowed here', schema: ErrorMessage },
    500: { when: 'Unexpected server error', schema: ErrorMessage },
    501: { when: 'Slicing by language or phone number', schema: ErrorMessage },
    503: {
      when: 'The database took too long; Retry-After says how many seconds to wait',
      schema: ErrorMessage,
    },
  },
}
