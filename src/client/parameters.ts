// Defines the parameters of the client's methods.

import type * as v from 'valibot'
import type { ConcurrencyQuery, ConversationsQuery, OutboundCall, SessionRequest } from '../api/index.ts'

/** A point in time: a Date, or an ISO 8601 date-time, which is in UTC unless it has an offset. */
export type Time = Date | string
/** The range in which a conversation started. */
type TimeRange = { start_time: Time; end_time: Time }

/** The account and the agent, as slugs or in their prefixed forms. */
export type Project = { account_id: string; project_id: string }
/** At most one of the two. */
type Variant = { variant_id?: string; variant_name?: never } | { variant_id?: never; variant_name?: string }
/** Where a page begins: a cursor of the page before, or an offset. At most one of the two. */
type Place = { cursor?: string; offset?: never } | { cursor?: never; offset?: number }
/** The parameters of `search` alone. */
type NoSearch = { query_type?: never; query?: never; turn_type?: never }

/** The filters of conversations. */
type Filters = Project &
  Variant & {
    /** The channel: a family (`voice`, `chat`, `sms`, `rcs`) or a stored channel. */
    channel?: string | readonly string[]
    /** The environment. Default: live. */
    client_env?: ConversationsQuery['client_env']
    in_progress?: boolean
    include_latency?: boolean
    /** Conversations of one page, 1 to 1000. Default: 1000. */
    limit?: number
    sample?: never
  }

/** The parameters of `conversations.list`. */
export type ListParameters = Readonly<Filters & Place & NoSearch & Partial<TimeRange>>
/** The parameters of `conversations.iterate`. */
export type IterateParameters = Readonly<
  Filters & NoSearch & Partial<TimeRange> & { cursor?: string; offset?: never }
>
/** The parameters of `conversations.search`. `turn_type`: whose words are searched; of both without it. */
export type SearchParameters = Readonly<
  Filters &
    Place &
    TimeRange & { query: string } & (
      | { query_type: 'transcript'; turn_type?: 'user' | 'agent' }
      | { query_type: 'semantic'; turn_type?: never }
    )
>
/** The parameters of `conversations.sample`. */
export type SampleParameters = Readonly<Filters & Place & NoSearch & TimeRange>

/** The parameters of `concurrency.query`: a range of at most a week. */
export type ConcurrencyParameters = Readonly<
  Project &
    Variant &
    TimeRange & {
      client_env?: ConcurrencyQuery['client_env']
      language?: string
      phone_number?: string
      /** The other values are reserved: the service answers 501. */
      slice_by?: 'variant'
    }
>

/** The parameters of `sms.send`. Over RCS the number is `rcs:` and the number in E.164 format, and the sender must be named. */
export type SmsParameters = Readonly<
  { message?: string; agent_number?: string } & (
    | { user_number: string; messaging_service_sid?: never }
    | { user_number: `rcs:${string}`; messaging_service_sid: string }
  )
>

/** The parameters of `calls.start`. */
export type CallParameters = Readonly<v.InferInput<typeof OutboundCall>>

/** The parameters of `handoff.get`: the id of the conversation, or your own `shared_id` of it. */
export type HandoffParameters = Readonly<
  Project & ({ id: string; shared_id?: string } | { id?: string; shared_id: string })
>

/** The parameters of `chat.createSession`. */
export type SessionParameters = Readonly<
  v.InferInput<typeof SessionRequest> & {
    /** The access token that `chat.accessToken` returned. */
    access_token: string
    /** The user agent of the browser or device that the session is for. */
    user_agent?: string
  }
>
