import * as v from 'valibot'

declare const AccessToken: v.ObjectSchema<
  {
    readonly access_token: v.SchemaWithPipe<
      readonly [v.StringSchema<undefined>, v.NonEmptyAction<string, undefined>]
    >
    readonly expires_in: v.SchemaWithPipe<
      readonly [
        v.NumberSchema<undefined>,
        v.IntegerAction<number, undefined>,
        v.MinValueAction<number, 0, undefined>,
      ]
    >
    readonly token_type: v.LiteralSchema<'Bearer', undefined>
  },
  undefined
>
type AccessToken = v.InferOutput<typeof AccessToken>
declare const OutboundCall: v.ObjectSchema<
  {
    readonly to_number: v.SchemaWithPipe<
      readonly [
        v.StringSchema<undefined>,
        v.NonEmptyAction<string, 'must not be empty'>,
        v.MaxLengthAction<string, 40, undefined>,
      ]
    >
    readonly country_code: v.OptionalSchema<
      v.SchemaWithPipe<
        readonly [v.StringSchema<undefined>, v.RegexAction<string, 'must be two letters such as GB'>]
      >,
      undefined
    >
    readonly metadata: v.OptionalSchema<
      v.SchemaWithPipe<
        readonly [
          v.CustomSchema<Record<string, string>, v.ErrorMessage<v.CustomIssue> | undefined>,
          v.RecordSchema<
            v.StringSchema<undefined>,
            v.StringSchema<'every value must be a string'>,
            undefined
          >,
          v.CheckAction<
            {
              [x: string]: string
            },
            'must be smaller than 26 KB in base64'
          >,
        ]
      >,
      undefined
    >
    readonly encryption: v.OptionalSchema<
      v.PicklistSchema<readonly ['TLS/SRTP', 'TLS/RTP', 'UDP/SRTP', 'UDP/RTP'], undefined>,
      'TLS/SRTP'
    >
  },
  undefined
>
type OutboundCall = v.InferOutput<typeof OutboundCall>
declare const CallStarted: v.ObjectSchema<
  {
    readonly call_sid: v.SchemaWithPipe<
      readonly [v.StringSchema<undefined>, v.RegexAction<string, undefined>]
    >
  },
  undefined
>
type CallStarted = v.InferOutput<typeof CallStarted>

interface Clock {
  now(): number

  after(ms: number, fn: () => void): () => void
}
declare const ConcurrencyQuery: v.ObjectSchema<
  {
    readonly start_time: v.SchemaWithPipe<
      readonly [
        v.StringSchema<undefined>,
        v.CheckAction<string, 'must be an ISO 8601 date-time'>,
        v.MetadataAction<
          string,
          {
            readonly format: 'date-time'
          }
        >,
      ]
    >
    readonly end_time: v.SchemaWithPipe<
      readonly [
        v.StringSchema<undefined>,
        v.CheckAction<string, 'must be an ISO 8601 date-time'>,
        v.MetadataAction<
          string,
          {
            readonly format: 'date-time'
          }
        >,
      ]
    >
    readonly client_env: v.OptionalSchema<
      v.PicklistSchema<readonly ['sandbox', 'pre-release', 'live'], undefined>,
      'live'
    >
    readonly variant_id: v.OptionalSchema<
      v.SchemaWithPipe<
        readonly [
          v.StringSchema<undefined>,
          v.NonEmptyAction<string, 'must not be empty'>,
          v.MaxLengthAction<string, 256, undefined>,
        ]
      >,
      undefined
    >
    readonly variant_name: v.OptionalSchema<
      v.SchemaWithPipe<
        readonly [
          v.StringSchema<undefined>,
          v.NonEmptyAction<string, 'must not be empty'>,
          v.MaxLengthAction<string, 256, undefined>,
        ]
      >,
      undefined
    >
    readonly language: v.OptionalSchema<
      v.SchemaWithPipe<
        readonly [
          v.StringSchema<undefined>,
          v.NonEmptyAction<string, 'must not be empty'>,
          v.MaxLengthAction<string, 256, undefined>,
        ]
      >,
      undefined
    >
    readonly phone_number: v.OptionalSchema<
      v.SchemaWithPipe<
        readonly [
          v.StringSchema<undefined>,
          v.NonEmptyAction<string, 'must not be empty'>,
          v.MaxLengthAction<string, 256, undefined>,
        ]
      >,
      undefined
    >
    readonly slice_by: v.OptionalSchema<
      v.PicklistSchema<['variant', 'language', 'phone_number'], undefined>,
      undefined
    >
  },
  undefined
>
type ConcurrencyQuery = v.InferOutput<typeof ConcurrencyQuery>
declare const ConversationsQuery: v.ObjectSchema<
  {
    readonly query_type: v.OptionalSchema<v.PicklistSchema<['transcript', 'semantic'], undefined>, undefined>
    readonly sample: v.OptionalSchema<v.PicklistSchema<['random'], undefined>, undefined>

    readonly query: v.OptionalSchema<
      v.SchemaWithPipe<
        readonly [
          v.StringSchema<undefined>,
          v.NonEmptyAction<string, 'must not be empty'>,
          v.MaxLengthAction<string, number, undefined>,
        ]
      >,
      undefined
    >
    readonly turn_type: v.OptionalSchema<v.PicklistSchema<['user', 'agent'], undefined>, undefined>
    readonly channel: v.OptionalSchema<
      v.SchemaWithPipe<
        readonly [
          v.ArraySchema<
            v.SchemaWithPipe<
              readonly [
                v.StringSchema<undefined>,
                v.NonEmptyAction<string, 'must not be empty'>,
                v.MaxLengthAction<string, number, undefined>,
              ]
            >,
            undefined
          >,
          v.MaxLengthAction<string[], 20, undefined>,
        ]
      >,
      undefined
    >
    readonly client_env: v.OptionalSchema<
      v.PicklistSchema<readonly ['sandbox', 'pre-release', 'live'], undefined>,
      'live'
    >
    readonly start_time: v.OptionalSchema<
      v.SchemaWithPipe<
        readonly [
          v.StringSchema<undefined>,
          v.CheckAction<string, 'must be an ISO 8601 date-time'>,
          v.MetadataAction<
            string,
            {
              readonly format: 'date-time'
            }
          >,
        ]
      >,
      undefined
    >
    readonly end_time: v.OptionalSchema<
      v.SchemaWithPipe<
        readonly [
          v.StringSchema<undefined>,
          v.CheckAction<string, 'must be an ISO 8601 date-time'>,
          v.MetadataAction<
            string,
            {
              readonly format: 'date-time'
            }
          >,
        ]
      >,
      undefined
    >
    readonly limit: v.OptionalSchema<
      v.SchemaWithPipe<
        readonly [
          v.NumberSchema<undefined>,
          v.IntegerAction<number, undefined>,
          v.MinValueAction<number, 1, undefined>,
          v.MaxValueAction<number, 1000, undefined>,
        ]
      >,
      1000
    >
    readonly offset: v.OptionalSchema<
      v.SchemaWithPipe<
        readonly [
          v.NumberSchema<undefined>,
          v.IntegerAction<number, undefined>,
          v.MinValueAction<number, 0, undefined>,
          v.MaxValueAction<number, 100000000, undefined>,
        ]
      >,
      0
    >
    readonly cursor: v.OptionalSchema<
      v.SchemaWithPipe<
        readonly [
          v.StringSchema<undefined>,
          v.NonEmptyAction<string, undefined>,
          v.MaxLengthAction<string, 2048, undefined>,
        ]
      >,
      undefined
    >
    readonly variant_id: v.OptionalSchema<
      v.SchemaWithPipe<
        readonly [
          v.StringSchema<undefined>,
          v.NonEmptyAction<string, 'must not be empty'>,
          v.MaxLengthAction<string, number, undefined>,
        ]
      >,
      undefined
    >
    readonly variant_name: v.OptionalSchema<
      v.SchemaWithPipe<
        readonly [
          v.StringSchema<undefined>,
          v.NonEmptyAction<string, 'must not be empty'>,
          v.MaxLengthAction<string, number, undefined>,
        ]
      >,
      undefined
    >
    readonly in_progress: v.OptionalSchema<v.BooleanSchema<undefined>, undefined>
    readonly include_latency: v.OptionalSchema<v.BooleanSchema<undefined>, false>
  },
  undefined
>
type ConversationsQuery = v.InferOutput<typeof ConversationsQuery>

declare const SessionRequest: v.ObjectSchema<
  {
    readonly streaming_enabled: v.OptionalSchema<v.BooleanSchema<undefined>, false>
    readonly platform: v.OptionalSchema<
      v.PicklistSchema<readonly ['web', 'ios', 'android', 'ios-web', 'android-web', 'custom'], undefined>,
      'web'
    >
  },
  undefined
>
type SessionRequest = v.InferOutput<typeof SessionRequest>
declare const SessionCreated: v.ObjectSchema<
  {
    readonly session_id: v.StringSchema<undefined>
  },
  undefined
>
type SessionCreated = v.InferOutput<typeof SessionCreated>
declare const REGIONS: readonly ['us-1', 'uk-1', 'euw-1']

type Lenient<T, Promised extends keyof T> = { [K in Promised]: T[K] } & {
  [K in Exclude<keyof T, Promised>]?: Exclude<T[K], null | undefined>
}
type Schema<T> = v.GenericSchema<unknown, T>

declare const Turn: Schema<
  Lenient<
    {
      user_input: string
      user_input_dtmf: string
      user_input_datetime: string
      agent_response: string
      agent_response_datetime?: string | undefined
      latency: number
      translated_user_input: string
      english_agent_response: string
      intents: string[]
      entities: {
        [x: string]: string | string[]
      }[]
      is_ood: boolean
      is_silence: boolean
    },
    never
  >
>

type Turn = v.InferOutput<typeof Turn>
declare const Conversation: Schema<
  Lenient<
    {
      id: string
      account_id: string
      project_id: string
      variant_id?: string | undefined
      variant_name?: string | undefined
      environment: string
      started_at: string
      channel: string
      from_number?: string | undefined
      to_number?: string | undefined
      in_progress: boolean
      num_turns?: number | undefined
      total_duration?: number | undefined
      polyai_duration?: number | undefined
      handoff?: boolean | undefined
      handoff_reason?: string | undefined
      handoff_destination?: string | undefined
      num_silences?: number | undefined
      num_ood?: number | undefined
      metrics?:
        | {
            [x: string]: string | string[]
          }
        | undefined
      state?:
        | {
            [x: string]: unknown
          }
        | undefined
      latency?: number | undefined
      turns?:
        | Lenient<
            {
              user_input: string
              user_input_dtmf: string
              user_input_datetime: string
              agent_response: string
              agent_response_datetime?: string | undefined
              latency: number
              translated_user_input: string
              english_agent_response: string
              intents: string[]
              entities: {
                [x: string]: string | string[]
              }[]
              is_ood: boolean
              is_silence: boolean
            },
            never
          >[]
        | undefined
    },
    'account_id' | 'channel' | 'environment' | 'id' | 'in_progress' | 'project_id' | 'started_at'
  >
>

type Conversation = v.InferOutput<typeof Conversation>
declare const ConversationPage: Schema<
  Lenient<
    {
      next_offset?: number | undefined
      cursor?: string | null | undefined
      conversations: Lenient<
        {
          id: string
          account_id: string
          project_id: string
          variant_id?: string | undefined
          variant_name?: string | undefined
          environment: string
          started_at: string
          channel: string
          from_number?: string | undefined
          to_number?: string | undefined
          in_progress: boolean
          num_turns?: number | undefined
          total_duration?: number | undefined
          polyai_duration?: number | undefined
          handoff?: boolean | undefined
          handoff_reason?: string | undefined
          handoff_destination?: string | undefined
          num_silences?: number | undefined
          num_ood?: number | undefined
          metrics?:
            | {
                [x: string]: string | string[]
              }
            | undefined
          state?:
            | {
                [x: string]: unknown
              }
            | undefined
          latency?: number | undefined
          turns?:
            | Lenient<
                {
                  user_input: string
                  user_input_dtmf: string
                  user_input_datetime: string
                  agent_response: string
                  agent_response_datetime?: string | undefined
                  latency: number
                  translated_user_input: string
                  english_agent_response: string
                  intents: string[]
                  entities: {
                    [x: string]: string | string[]
                  }[]
                  is_ood: boolean
                  is_silence: boolean
                },
                never
              >[]
            | undefined
        },
        'account_id' | 'channel' | 'environment' | 'id' | 'in_progress' | 'project_id' | 'started_at'
      >[]
    },
    'conversations' | 'cursor'
  >
>

type ConversationPage = v.InferOutput<typeof ConversationPage> & {
  incomplete?: true
}
declare const Concurrency: Schema<
  Lenient<
    {
      account_id: string
      project_id: string
      intervals: Lenient<
        {
          time: string
          max_concurrent_conversations: number
          variant_id?: string | undefined
          variant_name?: string | undefined
        },
        'max_concurrent_conversations' | 'time'
      >[]
    },
    'account_id' | 'intervals' | 'project_id'
  >
>

type Concurrency = v.InferOutput<typeof Concurrency>
declare const CallStatus: Schema<
  Lenient<
    {
      status: 'calling' | 'failure' | 'queued' | 'success'
      reason: string
    },
    'status'
  >
>

type CallStatus = v.InferOutput<typeof CallStatus>
declare const HandoffState: Schema<
  Lenient<
    {
      id: string
      shared_id?: string | undefined
      data: {
        [x: string]: unknown
      }
    },
    'data' | 'id'
  >
>

type HandoffState = v.InferOutput<typeof HandoffState>

type Family = 'conversations' | 'concurrency' | 'sms' | 'calls' | 'handoff' | 'chat'

declare class InputError extends Error {
  name: string

  readonly field: string
  constructor(field: string, message: string)
}

type FailureFacts = {
  status: number | undefined
  code: string | undefined
  correlationId: string | undefined
  retryable: boolean
  retryAfterSeconds: number | undefined
}

type KnownFacts = Partial<Omit<FailureFacts, 'retryable'>>
type NewFacts = KnownFacts & Pick<FailureFacts, 'retryable'>

declare abstract class ClientError extends Error implements FailureFacts {
  abstract readonly family: Family
  readonly status: number | undefined
  readonly code: string | undefined
  readonly correlationId: string | undefined
  readonly retryable: boolean
  readonly retryAfterSeconds: number | undefined
  constructor(message: string, facts: NewFacts)
}

declare class ConversationsFailure extends ClientError {
  name: string
  readonly family = 'conversations'
}

declare class ConcurrencyFailure extends ClientError {
  name: string
  readonly family = 'concurrency'
}

declare class SmsFailure extends ClientError {
  name: string
  readonly family = 'sms'
}

declare class CallsFailure extends ClientError {
  name: string
  readonly family = 'calls'
}

declare class HandoffFailure extends ClientError {
  name: string
  readonly family = 'handoff'
}

declare class ChatFailure extends ClientError {
  name: string
  readonly family = 'chat'
}

type RequestOptions = {
  signal?: AbortSignal
}

type ClientOptions = {
  region?: (typeof REGIONS)[number] | (string & {})
  apiUrl?: string
  chatUrl?: string
  apiKey?: string
  authToken?: string
  connectorId?: string
  connectorToken?: string
  host?: string
  headerPrefix?: string
  fetch?: typeof fetch
  timeoutMs?: number
  retries?: number
  clock?: Clock
  random?: () => number
}

type Time = Date | string

type TimeRange = {
  start_time: Time
  end_time: Time
}

type Project = {
  account_id: string
  project_id: string
}

type Variant =
  | {
      variant_id?: string
      variant_name?: never
    }
  | {
      variant_id?: never
      variant_name?: string
    }

type Place =
  | {
      cursor?: string
      offset?: never
    }
  | {
      cursor?: never
      offset?: number
    }

type NoSearch = {
  query_type?: never
  query?: never
  turn_type?: never
}

type Filters = Project &
  Variant & {
    channel?: string | readonly string[]
    client_env?: ConversationsQuery['client_env']
    in_progress?: boolean
    include_latency?: boolean
    limit?: number
    sample?: never
  }

type ListParameters = Readonly<Filters & Place & NoSearch & Partial<TimeRange>>

type IterateParameters = Readonly<
  Filters &
    NoSearch &
    Partial<TimeRange> & {
      cursor?: string
      offset?: never
    }
>

type SearchParameters = Readonly<
  Filters &
    Place &
    TimeRange & {
      query: string
    } & (
      | {
          query_type: 'transcript'
          turn_type?: 'user' | 'agent'
        }
      | {
          query_type: 'semantic'
          turn_type?: never
        }
    )
>

type SampleParameters = Readonly<Filters & Place & NoSearch & TimeRange>

type ConcurrencyParameters = Readonly<
  Project &
    Variant &
    TimeRange & {
      client_env?: ConcurrencyQuery['client_env']
      language?: string
      phone_number?: string
      slice_by?: 'variant'
    }
>

type SmsParameters = Readonly<
  {
    message?: string
    agent_number?: string
  } & (
    | {
        user_number: string
        messaging_service_sid?: never
      }
    | {
        user_number: `rcs:${string}`
        messaging_service_sid: string
      }
  )
>

type CallParameters = Readonly<v.InferInput<typeof OutboundCall>>

type HandoffParameters = Readonly<
  Project &
    (
      | {
          id: string
          shared_id?: string
        }
      | {
          id?: string
          shared_id: string
        }
    )
>

type SessionParameters = Readonly<
  v.InferInput<typeof SessionRequest> & {
    access_token: string
    user_agent?: string
  }
>

type WaitOptions = RequestOptions & {
  intervalMs?: number
  timeoutMs?: number
}

type Client = {
  conversations: {
    list(given: ListParameters, options?: RequestOptions): Promise<ConversationPage>

    iterate(given: IterateParameters, options?: RequestOptions): AsyncIterable<Conversation>
    search(given: SearchParameters, options?: RequestOptions): Promise<ConversationPage>
    sample(given: SampleParameters, options?: RequestOptions): Promise<ConversationPage>
  }
  concurrency: {
    query(given: ConcurrencyParameters, options?: RequestOptions): Promise<Concurrency>
  }
  sms: {
    send(given: SmsParameters, options?: RequestOptions): Promise<void>
  }
  calls: {
    start(given: CallParameters, options?: RequestOptions): Promise<CallStarted>
    status(call_sid: string, options?: RequestOptions): Promise<CallStatus>

    wait(call_sid: string, options?: WaitOptions): Promise<CallStatus>
  }
  handoff: {
    get(given: HandoffParameters, options?: RequestOptions): Promise<HandoffState>
  }
  chat: {
    accessToken(options?: RequestOptions): Promise<AccessToken>
    createSession(given: SessionParameters, options?: RequestOptions): Promise<SessionCreated>
  }
}

declare function createClient(options: ClientOptions): Client
export {
  type CallParameters,
  type CallStatus,
  CallsFailure,
  ChatFailure,
  type Client,
  ClientError,
  type ClientOptions,
  type Concurrency,
  ConcurrencyFailure,
  type ConcurrencyParameters,
  type Conversation,
  type ConversationPage,
  type Turn as ConversationTurn,
  ConversationsFailure,
  type FailureFacts,
  type Family,
  HandoffFailure,
  type HandoffParameters,
  type HandoffState,
  InputError,
  type IterateParameters,
  type ListParameters,
  type RequestOptions,
  type SampleParameters,
  type SearchParameters,
  type SessionParameters,
  SmsFailure,
  type SmsParameters,
  type Time,
  type WaitOptions,
  createClient,
}
