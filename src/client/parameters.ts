// Defines the parameters of the client's methods.

import type * as v from 'valibot'
import type { ConcurrencyQuery, ConversationsQuery, OutboundCall, SessionRequest } from '../api/index.ts'

/** A point in time: a Date, or an ISO 8601 date-time, which is in UTC unless it has an offset. */
export type Time = Date | string
type TimeRange = { start_time: Time; end_time: Time }

/** The account and the agent, as slugs or in their prefixed forms. */
export type Project = { account_id: string; project_id: string }
type Variant = { variant_id?: string; variant_name?: never } | { variant_id?: never; variant_name?: string }
type Place = { cursor?: string; offset?: never } | { cursor?: never; offset?: number }
type NoSearch = { query_type?: never; query?: never; turn_type?: never }
type Given<T> = Readonly<T>

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

export type ListParameters = Given<Filters & Place & NoSearch & Partial<TimeRange>>
export type IterateParameters = Given<
  Filters & NoSearch & Partial<TimeRange> & { cursor?: string; offset?: never }
>
export type SearchParameters = Given<
  Filters &
    Place &
    TimeRange & { query: string } & (
      | { query_type: 'transcript'; turn_type?: 'user' | 'agent' }
      | { query_type: 'semantic'; turn_type?: never }
    )
>
export type SampleParameters = Given<Filters & Place & NoSearch & TimeRange>

export type ConcurrencyParameters = Given<
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

/** Over RCS the number is `rcs:` and the number in E.164 format, and the sender must be named. */
export type SmsParameters = Given<
  { message?: string; agent_number?: string } & (
    | { user_number: string; messaging_service_sid?: never }
    | { user_number: `rcs:${string}`; messaging_service_sid: string }
  )
>

export type CallParameters = Given<v.InferInput<typeof OutboundCall>>

export type HandoffParameters = Given<
  Project & ({ id: string; shared_id?: string } | { id?: string; shared_id: string })
>

export type SessionParameters = Given<
  v.InferInput<typeof SessionRequest> & {
    /** The access token that `chat.accessToken` returned. */
    access_token: string
    /** The user agent of the browser or device that the session is for. */
    user_agent?: string
  }
>
