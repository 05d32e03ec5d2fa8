// Lists every setting: its meaning, its reader, its default, and how its text is parsed. The help, docs/settings.md
// and the refusal of unknown names are made from this table or checked against it.

import { DEFAULT_LLM_LIMITS, editDistance } from '../agents/index.ts'
import { DEFAULT_HEADER_PREFIX } from '../api/index.ts'
import { SettingsError } from '../bff/index.ts'
import { DEFAULT_REGION, defaultRuntimeSettings as defaults } from '../runtime/index.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Reads a text that is not empty. Throws a SettingsError that names the setting, and never repeats a secret. */
type Read<T> = (text: string, name: string) => T

export type Setting<T = unknown> = {
  section: 'server' | 'data' | 'times'
  /** `bff`: read by `readBffSettings`, by the rules of the BFF. `start`: set by `npm start` for this process. */
  readBy: 'server' | 'bff' | 'runtime' | 'start'
  help: string
  /** The default in words for the help, if the value alone is not clear. */
  otherwise?: string
  /** The value if the variable is missing or empty. */
  fallback: T
  read: Read<T>
}

/** A hundred years: dates that far from now are still valid. */
const MOST_SECONDS = 3_153_600_000
const MOST_DAYS = 36_500
const MOST_TOKENS = 1_000_000

const AGENTS = ['guide', 'llm'] as const

const seconds = (fallback: number, help: string, least?: 'above 0'): Setting<number> => ({
  section: 'times',
  readBy: 'runtime',
  help,
  fallback,
  read: numberIn('seconds', MOST_SECONDS, least),
})
/** A setting that stays text: its reader parses it. */
const text = (
  readBy: Setting['readBy'],
  help: string,
  otherwise = 'none',
  section: Setting['section'] = 'server',
): Setting<string | undefined> => ({
  section,
  readBy,
  help,
  otherwise,
  fallback: undefined,
  read: (given) => given,
})

export const SETTINGS = {
  PORT: {
    section: 'server',
    readBy: 'server',
    help: 'the port that the server listens on',
    fallback: 4700,
    read: readPort,
  },
  HOST: text('server', 'the address that the server listens on', 'the loopback addresses only'),
  FOYER_CONNECTOR_TOKEN: text('bff', 'the connector token; secret'),
  FOYER_CONNECTOR_HOST: text('bff', 'the host registered with the connector token'),
  FOYER_CHAT_URL: text(
    'bff',
    'address of the service, if it runs in another process',
    "the BFF's own origin",
  ),
  FOYER_PUBLIC_ORIGIN: text(
    'bff',
    'the origin under which browsers reach Foyer',
    'the origin of the request',
  ),
  FOYER_TRUSTED_PROXIES: text(
    'bff',
    'proxies whose `X-Forwarded-For` is trusted: addresses, CIDR ranges, `loopback`, separated by commas',
  ),
  FOYER_ORIGINS: text('bff', 'origins that may embed the frame, separated by commas'),
  FOYER_UNFRAMED_ORIGINS: text('bff', 'origins whose scripts may read tokens, separated by commas'),
  FOYER_IMAGE_ORIGINS: text(
    'bff',
    'origins whose images the widget shows without asking, separated by commas',
    "the BFF's own and the service's",
  ),
  FOYER_CHUNK_JOIN: text(
    'bff',
    '`space`: a space between chunks of an answer where neither has whitespace; `none`',
    'none',
  ),
  FOYER_CONSENT: text(
    'bff',
    '`required`: visitors are asked before anything is stored or contacted; `page`: only where a page asks for it',
    'page',
  ),
  FOYER_COOKIE_SECRET: text(
    'bff',
    'one or more secrets of at least 32 characters, separated by commas',
    'generated once and kept in the database',
  ),
  FOYER_TOKENS_PER_MINUTE: {
    section: 'server',
    readBy: 'runtime',
    help: 'limit of access tokens a minute for one connector',
    fallback: defaults.tokensPerMinute,
    read: readCountTo(MOST_TOKENS),
  },
  FOYER_REGION: {
    section: 'server',
    readBy: 'runtime',
    help: 'the region of tokens and keys: lowercase letters, digits, hyphens',
    fallback: DEFAULT_REGION,
    read: wordOf(/^[a-z0-9][a-z0-9-]{0,31}$/, 'lowercase letters, digits and hyphens', 'euw-1'),
  },
  FOYER_HEADER_PREFIX: {
    section: 'server',
    readBy: 'runtime',
    help: 'the word in `X-Svc-…` headers: letters, digits, hyphens',
    fallback: DEFAULT_HEADER_PREFIX,
    read: wordOf(
      /^[A-Za-z][A-Za-z0-9-]{0,31}$/,
      'letters, digits and hyphens, beginning with a letter',
      'Svc',
    ),
  },
  FOYER_ACCESS_LOG: text('server', 'any value: log a line for each request'),
  FOYER_DEMO: {
    section: 'server',
    readBy: 'server',
    help: '`1`: public keys and pages to try Foyer; `0`: none',
    otherwise: 'set by `npm start`',
    fallback: false,
    read: readDemo,
  },
  FOYER_DEMO_BY: text('start', 'whether `npm start` set `FOYER_DEMO`'),

  FOYER_AGENT: {
    section: 'server',
    readBy: 'runtime',
    help: `which agent answers: ${AGENTS.map((name) => `\`${name}\``).join(', ')}`,
    fallback: 'guide',
    read: readAgent,
  } satisfies Setting<(typeof AGENTS)[number]>,
  FOYER_SOURCE_URL: {
    ...text(
      'runtime',
      'base address of the files, for links to sources; `{file}` in it is replaced by the file’s name',
      'no links',
    ),
    read: readEndpoint,
  },
  FOYER_LLM_URL: {
    ...text('runtime', 'base address of a language model’s endpoint, for the agent `llm`'),
    read: readEndpoint,
  },
  FOYER_LLM_MODEL: text('runtime', 'name of the model; required with `FOYER_LLM_URL`'),
  FOYER_LLM_KEY: text('runtime', 'key of the endpoint; secret'),
  FOYER_LLM_INSTRUCTIONS: text('runtime', 'a Markdown file that says who the assistant is'),
  FOYER_LLM_MCP: {
    ...text('runtime', 'addresses of MCP servers whose tools the model may call, separated by commas'),
    read: readEndpoints,
  } satisfies Setting<string | undefined>,
  FOYER_LLM_TOKENS_PER_DAY: {
    section: 'server',
    readBy: 'runtime',
    help: 'tokens that one visitor may use in a day',
    fallback: DEFAULT_LLM_LIMITS.tokensPerDay,
    read: readCountTo(1_000_000_000),
  },
  FOYER_LLM_CONNECTOR_TOKENS_PER_DAY: {
    section: 'server',
    readBy: 'runtime',
    help: 'tokens that all visitors of one connector may use in a day',
    fallback: DEFAULT_LLM_LIMITS.connectorTokensPerDay,
    read: readCountTo(1_000_000_000),
  },
  FOYER_LLM_SECONDS: {
    section: 'server',
    readBy: 'runtime',
    help: 'seconds that one answer of the model may take',
    fallback: DEFAULT_LLM_LIMITS.seconds,
    read: readCountTo(600),
  },
  FOYER_LLM_PRICE: {
    section: 'server',
    readBy: 'runtime',
    help: 'prices of a million input and output tokens, separated by a comma, for the metric `llm_cost`',
    otherwise: 'none',
    fallback: undefined,
    read: readPrice,
  } satisfies Setting<{ input: number; output: number } | undefined>,
  FOYER_LLM_SUMMARY: {
    section: 'server',
    readBy: 'runtime',
    help: '`on`, `off`: the model sums up the messages that are too old to be sent',
    otherwise: 'off',
    fallback: false,
    read: readSwitch,
  },
  FOYER_LLM_LINKS: {
    section: 'server',
    readBy: 'runtime',
    help: '`sources`: answers contain only links from sources and instructions; `any`: all links',
    fallback: 'sources',
    read: readLinks,
  } satisfies Setting<'sources' | 'any'>,

  FOYER_DATA: {
    ...text('runtime', '`memory`: keep nothing, for tests', 'the folder `.foyer/`', 'data'),
    read: readMemory,
  },
  FOYER_DATABASE_URL: {
    ...text('runtime', 'a PostgreSQL server instead of the folder; secret', 'none', 'data'),
    read: readDatabaseUrl,
  },
  FOYER_RETENTION_DAYS: {
    section: 'data',
    readBy: 'runtime',
    help: 'days until an ended conversation is erased; 0: never',
    fallback: defaults.retentionDays,
    read: numberIn('days; 0 keeps everything', MOST_DAYS),
  },
  FOYER_MASK_CARDS: {
    section: 'data',
    readBy: 'runtime',
    help: '`on`, `off`: mask card numbers before they are stored',
    otherwise: defaults.maskCards ? 'on' : 'off',
    fallback: defaults.maskCards,
    read: readSwitch,
  },
  FOYER_EMBEDDINGS_URL: {
    ...text('runtime', 'an embeddings endpoint, for semantic search', 'vectors made without a model', 'data'),
    read: readEndpoint,
  },
  FOYER_EMBEDDINGS_MODEL: text(
    'runtime',
    'name of the model; required with `FOYER_EMBEDDINGS_URL`',
    'none',
    'data',
  ),
  FOYER_EMBEDDINGS_KEY: text('runtime', 'key of the embeddings endpoint; secret', 'none', 'data'),

  FOYER_SESSION_IDLE: seconds(defaults.sessionIdleSeconds, 'until an idle chat expires', 'above 0'),
  FOYER_TOKEN_TTL: seconds(defaults.tokenTtlSeconds, 'until an access token expires', 'above 0'),
  FOYER_HEARTBEAT: seconds(defaults.heartbeatSeconds, 'between heartbeats of a chat', 'above 0'),
  FOYER_TEXT_IDLE: seconds(
    defaults.textIdleSeconds,
    'without activity until the user of an SMS or RCS conversation is warned',
    'above 0',
  ),
  FOYER_TEXT_GRACE: seconds(defaults.textGraceSeconds, 'from the warning until the conversation ends'),
  FOYER_CALL_RETENTION: seconds(
    defaults.callRetentionSeconds,
    'after the end of a call for which its status is available',
  ),
  FOYER_CALL_QUEUE: seconds(defaults.callQueueSeconds, 'in the queue until a waiting call fails'),
  FOYER_DESK_WAIT: seconds(
    defaults.deskWaitSeconds,
    'in the handoff queue until a conversation returns to the agent',
  ),
} as const satisfies Readonly<Record<string, Setting>>

export type SettingName = keyof typeof SETTINGS

/** The value of one setting: its default if the variable is missing or empty. */
export function readSetting<N extends SettingName>(
  env: Environment,
  name: N,
): (typeof SETTINGS)[N]['fallback'] | ReturnType<(typeof SETTINGS)[N]['read']> {
  const { read, fallback } = SETTINGS[name] as Setting<ReturnType<(typeof SETTINGS)[N]['read']>>
  const givenText = env[name]
  return givenText ? read(givenText, name) : fallback
}

/** The default of a setting, in words. */
export const defaultInWords = ({ otherwise, fallback }: Setting): string => otherwise ?? String(fallback)

/** Names that orchestrators and tests put into the environment. */
const INJECTED = /^FOYER_(SERVICE_|PORT(_|$)|TEST_|BENCH_)/

/** Throws a SettingsError for the first name that looks like a setting but does not exist. */
export function refuseUnknown(env: Environment): void {
  const unknown = Object.keys(env).find(
    (name) => name.startsWith('FOYER_') && !INJECTED.test(name) && !Object.hasOwn(SETTINGS, name),
  )
  if (unknown === undefined) return
  const shownName = unknown.slice(0, 64)
  const [nearest] = Object.keys(SETTINGS)
    .filter((name) => name.startsWith('FOYER_') && name !== 'FOYER_DEMO_BY')
    .map((name) => ({ name, distance: editDistance(shownName.toUpperCase(), name) }))
    .sort((one, other) => one.distance - other.distance)
  throw new SettingsError(`There is no setting ${shownName}. Did you mean ${nearest?.name}?`)
}

function readPort(given: string): number {
  const port = Number(given)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  throw new SettingsError(`PORT is "${given}", which is not a valid port. Use a number from 1 to 65535.`)
}

function readAgent(given: string, name: string): (typeof AGENTS)[number] {
  const agent = AGENTS.find((each) => each === given)
  if (agent) return agent
  throw new SettingsError(
    `${name} is "${given}", which is not an agent. Choose one of: ${AGENTS.join(', ')}.`,
  )
}

function readMemory(given: string, name: string): 'memory' {
  if (given === 'memory') return given
  throw new SettingsError(
    `${name} is "${given}". It may be memory; omit ${name} to keep everything in the folder .foyer.`,
  )
}

/** Reads an address that may hold a password, so its error does not repeat the text. */
function readDatabaseUrl(given: string, name: string): string {
  if (/^postgres(ql)?:\/\//.test(given) && URL.canParse(given)) return given
  throw new SettingsError(
    `${name} is not the address of a PostgreSQL server. Write it as postgres://user:password@host:5432/database`,
  )
}

function readEndpoint(given: string, name: string): string {
  if (URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)) return given
  throw new SettingsError(
    `${name} is not a valid address. Write a full address such as https://models.example.com/v1/embeddings`,
  )
}

function readEndpoints(given: string, name: string): string {
  for (const each of given.split(',')) readEndpoint(each.trim(), name)
  return given
}

function readCountTo(most: number): Read<number> {
  return (given, name) => {
    const number = /^\d{1,10}$/.test(given) ? Number(given) : 0
    if (number > 0 && number <= most) return number
    throw new SettingsError(`${name} is "${given}". It may be a whole number from 1 to ${most}.`)
  }
}

function readPrice(given: string, name: string): { input: number; output: number } {
  const [, input, output] = /^(\d{1,6}(?:\.\d+)?),(\d{1,6}(?:\.\d+)?)$/.exec(given) ?? []
  if (input !== undefined && output !== undefined) return { input: Number(input), output: Number(output) }
  throw new SettingsError(`${name} is "${given}". It may be two numbers with a comma, such as 0.15,0.6.`)
}

function readLinks(given: string, name: string): 'sources' | 'any' {
  if (given === 'sources' || given === 'any') return given
  throw new SettingsError(`${name} is "${given}". It may be sources or any.`)
}

function readDemo(given: string, name: string): boolean {
  if (given === '1' || given === '0') return given === '1'
  throw new SettingsError(`${name} is "${given}". It may be 1 or 0.`)
}

function numberIn(unit: string, most: number, least?: 'above 0'): Read<number> {
  return (given, name) => {
    const number = /^\d+(\.\d+)?$/.test(given) ? Number(given) : Number.NaN
    if (number <= most && (number > 0 || (number === 0 && !least))) return number
    const range = least ? `above 0 and at most ${most}` : `from 0 to ${most}`
    throw new SettingsError(`${name} is "${given}". It may be a number ${range}, in ${unit}.`)
  }
}

function readSwitch(given: string, name: string): boolean {
  if (given === 'on' || given === 'off') return given === 'on'
  throw new SettingsError(`${name} is "${given}". It may be on or off.`)
}

function wordOf(form: RegExp, allowed: string, example: string): Read<string> {
  return (given, name) => {
    if (form.test(given)) return given
    throw new SettingsError(`${name} is "${given}". It may hold ${allowed}, such as ${example}.`)
  }
}
