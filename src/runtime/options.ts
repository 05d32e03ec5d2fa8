// Defines the options and settings of createRuntime.

import { isObject, type Log, type Meter, misspelt } from '../api/index.ts'
import { DEFAULT_HEARTBEAT_SECONDS } from '../protocol/index.ts'
import type { ConnectorOptions, DisclosureSetting, KeyOptions, ProjectOptions } from './accounts/index.ts'
import type { BusLink } from './bus/index.ts'
import { type CallCarrier, type CallSettings, DEFAULT_CALL_SETTINGS } from './calls/index.ts'
import type { Clock } from './clock.ts'
import type { Embeddings } from './conversations/index.ts'
import type { StoreData } from './database/index.ts'
import { DEFAULT_LIVENESS, type LivenessSettings } from './jobs/index.ts'
import type { MessageCarrier } from './messaging/index.ts'
import { DEFAULT_INACTIVITY, type InactivitySettings } from './sessions/index.ts'
import type { Agent, AgentFor } from './turns/index.ts'

/** The settings of a runtime: numbers that most operators leave as they are. */
export type RuntimeSettings = InactivitySettings &
  CallSettings &
  LivenessSettings & {
    /** Seconds between two heartbeats that a chat sends. Default: 30. */
    heartbeatSeconds: number
    /** Seconds for which an access token is valid. Default: 86,400, one day. */
    tokenTtlSeconds: number
    /** Limit of access tokens a minute for one connector; all its visitors share it. Default: 6,000. */
    tokensPerMinute: number
    /** Seconds that a conversation may wait in the handoff queue. Default: 600. */
    deskWaitSeconds: number
    /** Days after its end until a conversation is erased; 0: never. Default: 90. */
    retentionDays: number
    /** Whether card numbers are masked before anything is stored. Default: true. */
    maskCards: boolean
  }

/**
 * A carrier for messages, calls or both. Without `send` messages are refused, and without `call` calls fail, as in a runtime without a
 * carrier.
 */
export type Carrier = Partial<MessageCarrier & CallCarrier>

/** Whether a value from outside is a carrier. */
export function isCarrier(value: unknown): value is Carrier {
  if (!isObject(value)) return false
  const { connect, send, call } = value
  return (
    [connect, send, call].every((each) => each === undefined || typeof each === 'function') &&
    (send !== undefined || call !== undefined)
  )
}

/** The misspelt function of a carrier, in words. */
export const misspeltInCarrier = (carrier: Carrier): string | undefined =>
  misspelt(Object.fromEntries(Object.entries(carrier).filter(([, value]) => typeof value === 'function')), [
    'connect',
    'send',
    'call',
  ])

/** The options of `createRuntime`. An option of the wrong shape is refused with one sentence that names it, and never repeats a secret. */
export type RuntimeOptions = {
  /** Where conversations are stored. */
  data: StoreData
  /** Answers visitors: one agent for all, or a function that returns the agent of a project and connector. */
  agent: Agent | AgentFor
  /** Connectors to save beside those in the database. */
  connectors: readonly ConnectorOptions[]
  /** Projects to save beside those in the database. A project that only a connector names is created with its IDs as slugs. */
  projects?: readonly ProjectOptions[]
  /** Keys to save beside those in the database. */
  keys?: readonly (KeyOptions & { secret: string })[]
  /**
   * Carries news between processes. Default: NOTIFY if `data` is `{ databaseUrl }`; otherwise none, and other processes learn of what
   * happened with a delay.
   */
  bus?: BusLink | undefined
  /** Connects the runtime to phones. Default: none; messages are refused and calls fail. */
  carrier?: Carrier
  /** What SMS, RCS and calls say about the agent, in projects without a setting of their own. Default: texts in seven languages. */
  disclosure?: DisclosureSetting | undefined
  /** Makes the vectors of semantic search. Default: vectors made without a model or network. */
  embeddings?: Embeddings
  /** Settings that differ from their defaults. */
  settings?: Partial<RuntimeSettings>
  /** Keys that sign access tokens and cursors, the first key signs new ones. Default: generated once and stored. */
  signingKeys?: readonly string[]
  /** The region of access tokens and keys. Default: `local`. */
  region?: string
  /** The service's own word in header names, as in `X-Svc-Auth-Token`. Default: `Svc`. */
  headerPrefix?: string
  /** The time and the timers, for tests. Default: those of the system. */
  clock?: Clock
  /** Takes each line of the log. Default: nobody. */
  log?: Log
  /** Takes what the runtime measures. Default: nobody. */
  meter?: Meter
}

/** The region of access tokens and keys, if the options omit it. */
export const DEFAULT_REGION = 'local'

/** Settings that the options omit. */
export const defaultRuntimeSettings: Readonly<RuntimeSettings> = {
  ...DEFAULT_INACTIVITY,
  ...DEFAULT_CALL_SETTINGS,
  ...DEFAULT_LIVENESS,
  heartbeatSeconds: DEFAULT_HEARTBEAT_SECONDS,
  tokenTtlSeconds: 86_400,
  tokensPerMinute: 6_000,
  deskWaitSeconds: 600,
  retentionDays: 90,
  maskCards: true,
}
