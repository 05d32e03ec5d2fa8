// Derives the client's schemas of answers from those of the API. Only fields that the API document promises are
// required; all others may be missing or null, so that one absent field does not fail a page of a thousand
// conversations.

import * as v from 'valibot'
import * as api from '../api/index.ts'

/** `null` in a field that may be missing is read as missing. */
type Lenient<T, Promised extends keyof T> = { [K in Promised]: T[K] } & {
  [K in Exclude<keyof T, Promised>]?: Exclude<T[K], null | undefined>
}
type Schema<T> = v.GenericSchema<unknown, T>

/** `promised`: the fields that must match the API's schema. */
function lenient<E extends v.ObjectEntries, const P extends keyof E & string>(
  entries: E,
  promised: readonly P[],
): Schema<
  Lenient<v.InferOutput<v.ObjectSchema<E, undefined>>, P & keyof v.InferOutput<v.ObjectSchema<E, undefined>>>
> {
  const kept = new Set<string>(promised)
  const loose = Object.entries(entries).map(([name, entry]) => [
    name,
    kept.has(name)
      ? entry
      : v.pipe(
          v.nullish(entry as v.GenericSchema),
          v.transform((value) => value ?? undefined),
        ),
  ])
  return v.object(Object.fromEntries(loose)) as never
}

/** The type may be missing or in any case, and the lifetime a fraction; of a second it has at least one. */
export const AccessToken: Schema<api.AccessToken> = v.pipe(
  v.object({
    access_token: api.AccessToken.entries.access_token,
    expires_in: v.pipe(v.number(), v.transform(Math.floor), v.safeInteger(), v.minValue(1)),
    token_type: v.nullish(v.pipe(v.string(), v.regex(/^bearer$/i))),
  }),
  v.transform((answer) => ({ ...answer, token_type: 'Bearer' as const })),
)

export const Turn = lenient(api.Turn.entries, [])
/** One turn of a conversation. Every field may be undefined. */
export type Turn = v.InferOutput<typeof Turn>

export const Conversation = lenient({ ...api.Conversation.entries, turns: v.optional(v.array(Turn)) }, [
  'id',
  'account_id',
  'project_id',
  'environment',
  'started_at',
  'channel',
  'in_progress',
])
/**
 * A conversation. It always has `id`, `account_id`, `project_id`, `environment`, `started_at`, `channel` and `in_progress`; the other fields
 * may be undefined.
 */
export type Conversation = v.InferOutput<typeof Conversation>

export const ConversationPage = lenient(
  { ...api.ConversationPage.entries, conversations: v.array(Conversation) },
  ['conversations', 'cursor'],
)
/** A page of conversations. A `cursor` of null means the last page. */
export type ConversationPage = v.InferOutput<typeof ConversationPage> & {
  /** On the first page of a search that may not find everything said before it. Search again a moment later. */
  incomplete?: true
}

const ConcurrencyInterval = lenient(api.ConcurrencyInterval.entries, ['time', 'max_concurrent_conversations'])
export const Concurrency = lenient({ ...api.Concurrency.entries, intervals: v.array(ConcurrencyInterval) }, [
  'account_id',
  'project_id',
  'intervals',
])
/** The answer of `concurrency.query`: for each interval its `time` and `max_concurrent_conversations`. */
export type Concurrency = v.InferOutput<typeof Concurrency>

export const CallStatus = lenient(api.CallStatus.entries, ['status'])
/** The state of a call. It always has `status`; the reason of a failed call may be undefined. */
export type CallStatus = v.InferOutput<typeof CallStatus>

export const HandoffState = lenient(api.HandoffState.entries, ['id', 'data'])
/** The stored handoff state. It always has `id` and `data`. */
export type HandoffState = v.InferOutput<typeof HandoffState>
