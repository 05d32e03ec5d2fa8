// The settings of the server, read from the environment. An error names the variable and what it may be, and
// never repeats what may hold a secret.

import { SettingsError } from '../bff/index.ts'
import type { EndpointOptions, RuntimeOptions, RuntimeSettings } from '../runtime/index.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** A hundred years: a time that far from now can still be written down. */
const MOST_SECONDS = 3_153_600_000
const MOST_DAYS = 36_500

export const AGENTS = ['guide'] as const

export type Settings = {
  port: number
  /** Undefined: the loopback addresses only. */
  host: string | undefined
  demo: boolean
  agent: (typeof AGENTS)[number]
  data: RuntimeOptions['data']
  runtime: Partial<RuntimeSettings>
  region: string
  headerPrefix: string
  /** Undefined: vectors without a model. */
  embeddings: EndpointOptions | undefined
}

export function readSettings(env: Environment, folder: string): Settings {
  return {
    port: readPort(env.PORT),
    host: env.HOST || undefined,
    demo: env.FOYER_DEMO === '1',
    agent: readAgent(env.FOYER_AGENT),
    data: readData(env, folder),
    runtime: {
      sessionIdleSeconds: readSeconds(env, 'FOYER_SESSION_IDLE', 600, 'above 0'),
      heartbeatSeconds: readSeconds(env, 'FOYER_HEARTBEAT', 30, 'above 0'),
      tokenTtlSeconds: readSeconds(env, 'FOYER_TOKEN_TTL', 86_400, 'above 0'),
      textIdleSeconds: readSeconds(env, 'FOYER_TEXT_IDLE', 86_400, 'above 0'),
      textGraceSeconds: readSeconds(env, 'FOYER_TEXT_GRACE', 600),
      callRetentionSeconds: readSeconds(env, 'FOYER_CALL_RETENTION', 7_200),
      callQueueSeconds: readSeconds(env, 'FOYER_CALL_QUEUE', 300),
      deskWaitSeconds: readSeconds(env, 'FOYER_DESK_WAIT', 600),
      retentionDays: readNumber(env, 'FOYER_RETENTION_DAYS', 90, 'days; 0 keeps everything', MOST_DAYS),
      maskCards: readSwitch(env, 'FOYER_MASK_CARDS', true),
    },
    region: readRegion(env),
    headerPrefix: readWord(env, 'FOYER_HEADER_PREFIX', 'Svc', /^[A-Za-z][A-Za-z0-9-]{0,31}$/, [
      'letters, digits and hyphens, beginning with a letter',
      'Svc',
    ]),
    embeddings: readEmbeddings(env),
  }
}

/** Where everything is kept: what `start` and the commands share. */
export function readData(env: Environment, folder: string): RuntimeOptions['data'] {
  const { FOYER_DATA, FOYER_DATABASE_URL } = env
  if (FOYER_DATA && FOYER_DATA !== 'memory')
    throw new SettingsError(
      `FOYER_DATA is "${FOYER_DATA}". It may be memory; leave it away to keep everything in the folder .foyer.`,
    )
  if (FOYER_DATABASE_URL) {
    // It holds a password, so it is not repeated.
    if (!/^postgres(ql)?:\/\//.test(FOYER_DATABASE_URL) || !URL.canParse(FOYER_DATABASE_URL))
      throw new SettingsError(
        'FOYER_DATABASE_URL is no address of a PostgreSQL server. Write it as postgres://user:password@host:5432/database',
      )
    return { databaseUrl: FOYER_DATABASE_URL }
  }
  return FOYER_DATA === 'memory' ? 'memory' : { folder }
}

export const readRegion = (env: Environment): string =>
  readWord(env, 'FOYER_REGION', 'local', /^[a-z0-9][a-z0-9-]{0,31}$/, [
    'small letters, digits and hyphens',
    'euw-1',
  ])

/** What is wrong with the database of FOYER_DATABASE_URL, where that is the cause. */
export function databaseProblem(data: RuntimeOptions['data'], error: unknown): SettingsError | undefined {
  if (typeof data !== 'object' || !('databaseUrl' in data)) return undefined
  const { code, message } = error as { code?: unknown; message?: unknown }
  // Errors of the network, and those of the server before it takes questions.
  const said = typeof code === 'string' && /^(E[A-Z]+|28\w{3}|3D000|57P\d\d|53300)$/.test(code)
  if (!said && !/connection terminated/i.test(String(message))) return undefined
  return new SettingsError(
    `The database of FOYER_DATABASE_URL cannot be used (${message || code}). Start it, or correct the address.`,
  )
}

function readEmbeddings(env: Environment): EndpointOptions | undefined {
  const { FOYER_EMBEDDINGS_URL: url, FOYER_EMBEDDINGS_MODEL: model, FOYER_EMBEDDINGS_KEY: key } = env
  if (!url) {
    const alone = model ? 'FOYER_EMBEDDINGS_MODEL' : key ? 'FOYER_EMBEDDINGS_KEY' : undefined
    if (alone === undefined) return undefined
    throw new SettingsError(`${alone} is set, and FOYER_EMBEDDINGS_URL is not. Set both, or neither.`)
  }
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new SettingsError(
      'FOYER_EMBEDDINGS_URL is no address. Write it whole, as https://models.example.com/v1/embeddings',
    )
  if (!model)
    throw new SettingsError('FOYER_EMBEDDINGS_MODEL is not set. Set it to the name that the endpoint knows.')
  return { url, model, ...(key && { key }) }
}

function readPort(text: string | undefined): number {
  const port = Number(text ?? '4700')
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  throw new SettingsError(`PORT is "${text}", which is no port. Use a number from 1 to 65535.`)
}

function readAgent(text: string | undefined): Settings['agent'] {
  const agent = AGENTS.find((name) => name === (text || 'guide'))
  if (agent) return agent
  throw new SettingsError(
    `FOYER_AGENT is "${text}", and there is no such agent. There is: ${AGENTS.join(', ')}.`,
  )
}

const readSeconds = (env: Environment, name: string, otherwise: number, least?: 'above 0'): number =>
  readNumber(env, name, otherwise, 'seconds', MOST_SECONDS, least)

function readNumber(
  env: Environment,
  name: string,
  otherwise: number,
  unit: string,
  most: number,
  least?: 'above 0',
): number {
  const text = env[name]
  if (!text) return otherwise
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (number <= most && (number > 0 || (number === 0 && !least))) return number
  const range = least ? `above 0 and at most ${most}` : `from 0 to ${most}`
  throw new SettingsError(`${name} is "${text}". It may be a number ${range}, in ${unit}.`)
}

function readSwitch(env: Environment, name: string, otherwise: boolean): boolean {
  const text = env[name]
  if (!text) return otherwise
  if (text === 'on' || text === 'off') return text === 'on'
  throw new SettingsError(`${name} is "${text}". It may be on or off.`)
}

function readWord(
  env: Environment,
  name: string,
  otherwise: string,
  form: RegExp,
  [allowed, example]: readonly [string, string],
): string {
  const text = env[name]
  if (!text) return otherwise
  if (form.test(text)) return text
  throw new SettingsError(`${name} is "${text}". It may hold ${allowed}, as ${example} does.`)
}
