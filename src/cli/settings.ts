// Reads the settings of the server from the environment. An error names the variable and its valid values, and never
// repeats a value that may hold a secret.

import { SettingsError } from '../bff/index.ts'
import type {
  Agent,
  AgentFor,
  Carrier,
  EndpointOptions,
  RuntimeOptions,
  RuntimeSettings,
} from '../runtime/index.ts'
import { type AgentSettings, readAgentSettings } from './agent-settings.ts'
import { type Environment, readSetting, refuseUnknown } from './settings-table.ts'

export type { Environment } from './settings-table.ts'

export type Settings = {
  port: number
  /** The host to listen on. Undefined: the loopback addresses only. */
  host: string | undefined
  demo: boolean
  agent: AgentSettings
  /** The path of the module with the carrier. Undefined: there is none, or a program gave one. */
  carrier: string | undefined
  accessLog: boolean
  /** The longest that a server which is told to stop may take. 0: it stops at once. */
  drainSeconds: number
  /** The port of the metrics. Undefined: there are none. */
  metricsPort: number | undefined
  /** Whether the log is JSON. */
  jsonLog: boolean
  data: RuntimeOptions['data']
  runtime: Partial<RuntimeSettings>
  tokensPerMinute: number
  /** FOYER_DISCLOSURE, as it stands. */
  disclosure: string | undefined
  /** The file with the connectors of the BFF. Undefined: one connector, in the environment. */
  connectorsFile: string | undefined
  redisUrl: string | undefined
  region: string
  headerPrefix: string
  /** The embeddings endpoint. Undefined: vectors made without a model. */
  embeddings: EndpointOptions | undefined
}

/** Settings without effect in the demo, which has its own service and connector. */
const NOT_IN_DEMO = ['FOYER_CHAT_URL', 'FOYER_CONNECTOR_TOKEN', 'FOYER_CONNECTOR_HOST', 'FOYER_CONNECTORS']

/** Settings of one connector: where there are several, each has its own in the file. */
const OF_ONE_CONNECTOR = [
  ...['FOYER_CONNECTOR_TOKEN', 'FOYER_CONNECTOR_HOST', 'FOYER_CHAT_URL', 'FOYER_ORIGINS'],
  ...['FOYER_UNFRAMED_ORIGINS', 'FOYER_IMAGE_ORIGINS', 'FOYER_CHUNK_JOIN', 'FOYER_CONSENT', 'FOYER_PAGE'],
]

/** What a program gives in place of the names in FOYER_AGENT and FOYER_CARRIER. */
export type OwnParts = { agent?: Agent | AgentFor; carrier?: Carrier }

/** `folder`: the data folder. */
export function readSettings(env: Environment, folder: string, own: OwnParts = {}): Settings {
  refuseUnknown(env)
  const demo = readSetting(env, 'FOYER_DEMO')
  const useless = demo && NOT_IN_DEMO.find((name) => env[name])
  if (useless)
    throw new SettingsError(
      `${useless} has no effect in the demo, which brings its own service and connector. Unset it, or start with FOYER_DEMO=0.`,
    )
  const tokensPerMinute = readSetting(env, 'FOYER_TOKENS_PER_MINUTE')
  const connectorsFile = readSetting(env, 'FOYER_CONNECTORS')
  const single = connectorsFile && OF_ONE_CONNECTOR.find((name) => env[name])
  if (single)
    throw new SettingsError(
      `${single} has no effect beside FOYER_CONNECTORS, which names a file. Unset it, and write it into that file for each connector.`,
    )
  return {
    port: readSetting(env, 'PORT'),
    host: readSetting(env, 'HOST'),
    demo,
    agent: readAgentSettings(env, own.agent),
    carrier: readCarrier(env, own.carrier),
    accessLog: readSetting(env, 'FOYER_ACCESS_LOG') !== undefined,
    drainSeconds: readSetting(env, 'FOYER_DRAIN_SECONDS'),
    metricsPort: readMetricsPort(env),
    jsonLog: readSetting(env, 'FOYER_LOG') === 'json',
    data: readData(env, folder),
    runtime: {
      sessionIdleSeconds: readSetting(env, 'FOYER_SESSION_IDLE'),
      heartbeatSeconds: readSetting(env, 'FOYER_HEARTBEAT'),
      tokenTtlSeconds: readSetting(env, 'FOYER_TOKEN_TTL'),
      tokensPerMinute,
      textIdleSeconds: readSetting(env, 'FOYER_TEXT_IDLE'),
      textGraceSeconds: readSetting(env, 'FOYER_TEXT_GRACE'),
      callRetentionSeconds: readSetting(env, 'FOYER_CALL_RETENTION'),
      callQueueSeconds: readSetting(env, 'FOYER_CALL_QUEUE'),
      deskWaitSeconds: readSetting(env, 'FOYER_DESK_WAIT'),
      retentionDays: readSetting(env, 'FOYER_RETENTION_DAYS'),
      maskCards: readSetting(env, 'FOYER_MASK_CARDS'),
    },
    tokensPerMinute,
    disclosure: readSetting(env, 'FOYER_DISCLOSURE'),
    connectorsFile,
    redisUrl: readSetting(env, 'REDIS_URL'),
    region: readRegion(env),
    headerPrefix: readSetting(env, 'FOYER_HEADER_PREFIX'),
    embeddings: readEmbeddings(env),
  }
}

function readCarrier(env: Environment, own: Carrier | undefined): string | undefined {
  const path = readSetting(env, 'FOYER_CARRIER')
  if (!own || path === undefined) return path
  throw new SettingsError('FOYER_CARRIER has no effect beside a carrier of your own. Unset it.')
}

/** Metrics never stand on the public port. */
function readMetricsPort(env: Environment): number | undefined {
  const port = readSetting(env, 'FOYER_METRICS_PORT')
  if (port !== undefined && port === readSetting(env, 'PORT'))
    throw new SettingsError('FOYER_METRICS_PORT is the same as PORT. Metrics need a port of their own.')
  return port
}

/** Where data is kept, for the server and for commands. */
export function readData(env: Environment, folder: string): RuntimeOptions['data'] {
  const memory = readSetting(env, 'FOYER_DATA')
  const databaseUrl = readSetting(env, 'FOYER_DATABASE_URL')
  const connections = readSetting(env, 'FOYER_DATABASE_CONNECTIONS')
  const readSeconds = readSetting(env, 'FOYER_READ_SECONDS')
  if (databaseUrl !== undefined) return { databaseUrl, connections, readSeconds }
  return memory === undefined ? { folder } : 'memory'
}

export const readRegion = (env: Environment): string => readSetting(env, 'FOYER_REGION')

/** An error about the database of FOYER_DATABASE_URL; undefined if the database did not cause `error`. */
export function databaseProblem(data: RuntimeOptions['data'], error: unknown): SettingsError | undefined {
  if (typeof data !== 'object' || !('databaseUrl' in data)) return undefined
  const { code, message } = error as { code?: unknown; message?: unknown }
  // Errors of the network, and errors of the database server before it accepts queries.
  const hasDatabaseCode = typeof code === 'string' && /^(E[A-Z]+|28\w{3}|3D000|57P\d\d|53300)$/.test(code)
  const stranger = STRANGERS.find(([pattern]) => pattern.test(String(message)))?.[1]
  if (!hasDatabaseCode && stranger === undefined) return undefined
  return new SettingsError(
    `The database of FOYER_DATABASE_URL cannot be used (${stranger ?? (message || code)}). Start it, or correct the address.`,
  )
}

/** Errors of `pg` where another program may answer in place of PostgreSQL, each with its meaning. */
const STRANGERS = [
  [/connection terminated/i, 'what answers there ended the connection: it may be no PostgreSQL server'],
  [/timeout expired/i, 'what answers there is silent: it hangs, or is no PostgreSQL server'],
] as const

function readEmbeddings(env: Environment): EndpointOptions | undefined {
  const url = readSetting(env, 'FOYER_EMBEDDINGS_URL')
  const model = readSetting(env, 'FOYER_EMBEDDINGS_MODEL')
  const key = readSetting(env, 'FOYER_EMBEDDINGS_KEY')
  if (!url) {
    const alone = model ? 'FOYER_EMBEDDINGS_MODEL' : key ? 'FOYER_EMBEDDINGS_KEY' : undefined
    if (alone === undefined) return undefined
    throw new SettingsError(`${alone} is set, and FOYER_EMBEDDINGS_URL is not. Set both, or neither.`)
  }
  if (!model)
    throw new SettingsError('FOYER_EMBEDDINGS_MODEL is not set. Set it to the name that the endpoint knows.')
  return { url, model, key }
}
