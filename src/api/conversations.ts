// Describes part 1 of the API: conversations with their turns.

import * as v from 'valibot'
import type { Route } from './route.ts'
import { AnswerTime, DateTime, ENVIRONMENTS, readDateTime, WholeNumber } from './values.ts'

export const Turn = v.object({
  /** What the user said or typed; empty if nothing. */
  user_input: v.string(),
  /** The keys that the user pressed on a phone; empty if none. */
  user_input_dtmf: v.string(),
  /** When the agent received the input. */
  user_input_datetime: AnswerTime,
  /** What the agent said; empty if nothing. */
  agent_response: v.string(),
  /** Missing if the agent said nothing. */
  agent_response_datetime: v.optional(AnswerTime),
  /** Seconds that the agent took. */
  latency: v.number(),
  /** The input in the agent's working language, when translation is enabled; else empty. */
  translated_user_input: v.string(),
  /** The response in English, when translation is enabled; else empty. */
  english_agent_response: v.string(),
  /** The intents found in the input. */
  intents: v.array(v.string()),
  /** Each maps an entity's name to one value, or several. */
  entities: v.array(v.record(v.string(), v.union([v.string(), v.array(v.string())]))),
  /** True if the agent had no answer to the input. */
  is_ood: v.boolean(),
  /** True if the user said nothing. */
  is_silence: v.boolean(),
})
export type Turn = v.InferOutput<typeof Turn>

export const Conversation = v.object({
  /** The ID of the conversation. */
  id: v.string(),
  /** The ID of the account. */
  account_id: v.string(),
  /** The ID of the project. */
  project_id: v.string(),
  /** The variant of the agent, if there are several. */
  variant_id: v.optional(v.string()),
  /** The name of the variant. */
  variant_name: v.optional(v.string()),
  /** Usually `live`, `sandbox` or `pre-release`. */
  environment: v.string(),
  /** When the conversation began. */
  started_at: AnswerTime,
  /** Usually `WEBCHAT` or `VOICE-SIP`; text conversations are `SMS` or `RCS`. */
  channel: v.string(),
  /** The user's number; empty if there is none. */
  from_number: v.optional(v.string()),
  /** The agent's number; empty if there is none. */
  to_number: v.optional(v.string()),
  /** True while the conversation is in progress: its properties may still change. */
  in_progress: v.boolean(),
  /** The number of turns, also where `turns` is empty. */
  num_turns: v.optional(WholeNumber),
  /** Seconds from the start to the end of the conversation. */
  total_duration: v.optional(WholeNumber),
  /** Seconds in which the agent had the conversation. */
  polyai_duration: v.optional(WholeNumber),
  /** True if the conversation was handed off. */
  handoff: v.optional(v.boolean()),
  /** Why it was handed off. */
  handoff_reason: v.optional(v.string()),
  /** Where it was handed off to. */
  handoff_destination: v.optional(v.string()),
  /** The number of turns in which the user said nothing. */
  num_silences: v.optional(WholeNumber),
  /** The number of turns to which the agent had no answer. */
  num_ood: v.optional(WholeNumber),
  /** Name to value; to an array of values if the name was written more than once. */
  metrics: v.optional(
    v.record(v.string(), v.union([v.string(), v.pipe(v.array(v.string()), v.minLength(2))])),
  ),
  /** What the agent stored for the conversation, by key. */
  state: v.optional(v.record(v.string(), v.unknown())),
  /** Empty if the project gives no access to transcripts. */
  turns: v.optional(v.array(Turn)),
  /** Mean of the turns' latency in seconds; only with `include_latency`. */
  latency: v.optional(v.number()),
})
export type Conversation = v.InferOutput<typeof Conversation>

export const ConversationPage = v.object({
  /** The conversations of the page, fewer than `limit` where they are large: about 8 MiB in all. */
  conversations: v.array(Conversation),
  /** Pass it as `offset` to get the next page; missing on the last page. */
  next_offset: v.optional(WholeNumber),
  /** Pass it as `cursor` to get the next page; null on the last page. */
  cursor: v.optional(v.nullable(v.string())),
})
export type ConversationPage = v.InferOutput<typeof ConversationPage>

/** The error body of the list of conversations. */
export const ConversationsError = v.object({
  /** Always false. */
  success: v.literal(false),
  /** The same text as `error_message`. */
  error: v.string(),
  /** The correlation id of the request. */
  error_id: v.string(),
  /** The kind of error, in UPPER_SNAKE_CASE. */
  error_code: v.string(),
  /** What is wrong, for people. */
  error_message: v.string(),
  /** Always null. */
  data: v.null(),
})

const text = (longest: number) => v.pipe(v.string(), v.nonEmpty('must not be empty'), v.maxLength(longest))

export const ConversationsQuery = v.object({
  /** `transcript`: full-text search. `semantic`: search by meaning. Both need `query`, start and end time. */
  query_type: v.optional(v.picklist(['transcript', 'semantic'])),
  /** A random sample of the time range. */
  sample: v.optional(v.picklist(['random'])),
  /**
   * What to search for, at most 50 words. A transcript search finds words in any of their forms, with or without accents; quotes make a phrase,
   * `or` an alternative, and a minus in front excludes a word.
   */
  query: v.optional(text(1_000)),
  /** Transcript search only: what one side said. */
  turn_type: v.optional(v.picklist(['user', 'agent'])),
  /** A family (`voice`, `chat`, `sms`, `rcs`) or a stored channel; repeatable. */
  channel: v.optional(v.pipe(v.array(text(64)), v.maxLength(20))),
  /** The environment of the conversations. */
  client_env: v.optional(v.picklist(ENVIRONMENTS), 'live'),
  /** Conversations that began at this time or later. */
  start_time: v.optional(DateTime),
  /** Conversations that began at this time or earlier. */
  end_time: v.optional(DateTime),
  /** Most conversations of the page. */
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)), 1000),
  /** How many conversations to skip; ignored with `cursor`. */
  offset: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000_000)), 0),
  /** The `cursor` of the page before. It stays exact while conversations are written. */
  cursor: v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(2_048))),
  /** Conversations of this variant. Excludes `variant_name`. */
  variant_id: v.optional(text(256)),
  /** Conversations of the variant with this name. */
  variant_name: v.optional(text(256)),
  /** `true`: only conversations that go on now; `false`: only finished ones. */
  in_progress: v.optional(v.boolean()),
  /** Adds the mean `latency` to each conversation. */
  include_latency: v.optional(v.boolean(), false),
})
export type ConversationsQuery = v.InferOutput<typeof ConversationsQuery>

/** The conflict between parameters of a query, in a sentence; undefined if there is none. */
export function conversationsConflict(query: Partial<ConversationsQuery>): string | undefined {
  const { query_type, sample, start_time, end_time } = query
  const mode = query_type ? 'query_type' : sample ? 'sample' : undefined
  if (query_type && sample) return 'query_type and sample exclude each other: give one of them'
  if (query.variant_id !== undefined && query.variant_name !== undefined)
    return 'variant_id and variant_name exclude each other: give one of them'
  if (query_type && query.query === undefined) return 'query is missing: query_type needs it'
  if (mode && start_time === undefined) return `start_time is missing: ${mode} needs a time range`
  if (mode && end_time === undefined) return `end_time is missing: ${mode} needs a time range`
  if (isBackwards(start_time, end_time)) return 'end_time is before start_time'
  return undefined
}

/** Whether `end` is before `start`; false if one of them is missing. */
export function isBackwards(start: string | undefined, end: string | undefined): boolean {
  if (start === undefined || end === undefined) return false
  return (readDateTime(end) ?? 0) < (readDateTime(start) ?? 0)
}

/** The header on the first page of a search that may not find everything said before it. */
export const searchIncompleteHeader = (prefix: string): string => `X-${prefix}-Search-Incomplete`

/**
 * The newest come first, in a search the best match. Read on by `cursor`, or by `offset`. A search and a sample need a time range. Where more than
 * 300 conversations match a transcript search, it ranks the newest 300 or a few more.
 */
export const conversationsRoute: Route = {
  name: 'conversations.list',
  method: 'get',
  path: '/v3/{account_id}/{project_id}/conversations',
  summary: 'List, search or sample conversations',
  credential: { name: 'apiKey', is: 'An API key with the permission conversations' },
  query: ConversationsQuery,
  responses: {
    200: {
      when: 'A page of conversations',
      schema: ConversationPage,
      headers: {
        [searchIncompleteHeader('{prefix}')]:
          '`true` on the first page of a transcript search that does not find all of what was said last: search again a moment later',
      },
    },
    400: { when: 'A parameter cannot be read, or parameters exclude each other', schema: ConversationsError },
    401: { when: 'The key is missing or unknown', schema: ConversationsError },
    403: { when: 'The key is for another account, project or region', schema: ConversationsError },
    404: { when: 'There is no such project', schema: ConversationsError },
    405: { when: 'Only GET is allowed here', schema: ConversationsError },
    500: { when: 'Unexpected server error', schema: ConversationsError },
    503: {
      when: 'The database took too long; Retry-After says how many seconds to wait',
      schema: ConversationsError,
    },
  },
}
