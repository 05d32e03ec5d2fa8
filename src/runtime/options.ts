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

export type RuntimeSettings = InactivitySettings &
  CallSettings &
  LivenessSettings & {
    heartbeatSeconds: number
    tokenTtlSeconds: number
    /** Limit of access tokens a minute for one connector; all its visitors share it. */
    tokensPerMinute: number
    /** Seconds that a conversation may wait in the handoff queue. */
    deskWaitSeconds: number
    /** Days after its end until a conversation is erased; 0: never. */
    retentionDays: number
    /** Whether card numbers are masked before anything is stored. */
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

export type RuntimeOptions = {
  data: StoreData
  /** Answers visitors: one agent for all, or a function that returns the agent of a project and connector. */
  agent: Agent | AgentFor
  connectors: readonly ConnectorOptions[]
  projects?: readonly ProjectOptions[]
  /** Keys to save beside those in the database. */
  keys?: readonly (KeyOptions & { secret: string })[]
  /**
   * Carries news between processes. Default: NOTIFY if `data` is `{ databaseUrl }`; otherwise none, and other processes learn of what
   * happened with a delay.
   */
  bus?: BusLink | undefined
  /** Default: none; messages are refused and calls fail. */
  carrier?: Carrier
  /** What SMS, RCS and calls say about the agent, in projects without a setting of their own. Default: texts in seven languages. */
  disclosure?: DisclosureSetting | undefined
  /** Default: vectors made without a model or network. */
  embeddings?: Embeddings
  settings?: Partial<RuntimeSettings>
  /** Keys that sign access tokens and cursors, the first key signs new ones. Default: generated once and stored. */
  signingKeys?: readonly string[]
  region?: string
  headerPrefix?: string
  clock?: Clock
  /** `level`: `error` where it is missing. */
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
