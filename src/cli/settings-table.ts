// Lists every setting: its meaning, its schema and its default. The help, docs/settings.md and the refusal of unknown
// names are made from this table or checked against it.

import * as v from 'valibot'
import { DEFAULT_LLM_LIMITS } from '../agents/index.ts'
import { DEFAULT_HEADER_PREFIX, editDistance } from '../api/index.ts'
import { SettingsError } from '../bff/index.ts'
import {
  DEFAULT_CONNECTIONS,
  DEFAULT_READ_SECONDS,
  DEFAULT_REGION,
  defaultRuntimeSettings as defaults,
} from '../runtime/index.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Reads a text that is not empty. Its error ends a sentence that begins with "NAME is ", and never repeats a secret. */
type Schema<T = unknown> = v.GenericSchema<string, T>

export type Setting = {
  section: 'server' | 'data' | 'times'
  /** `bff`: read by `readBffSettings`, by the rules of the BFF. `start`: set by `npm start` for this process. */
  readBy: 'server' | 'bff' | 'runtime' | 'start'
  help: string
  /** The default in words for the help, if the value alone is not clear. */
  otherwise?: string
  /** The value if the variable is missing or empty. */
  fallback: unknown
  schema: Schema
}

const AGENTS = ['guide', 'llm']
/** Of an agent that speaks AG-UI. */
export const isAddress = (text: string): boolean => /^https?:/i.test(text)
/** A path has a separator, or ends like a script; any other word is meant as a name. */
const isModule = (text: string): boolean =>
  text.startsWith('file:') ||
  (!/^[a-z][a-z\d+.-]+:/i.test(text) && (/[\\/]/.test(text) || /\.[cm]?[jt]s$/.test(text)))

/** A hundred years: dates that far from now are still valid. */
const MOST_SECONDS = 3_153_600_000
const MOST_DRAIN_SECONDS = 3_600
const MOST_DAYS = 36_500
const MOST_TOKENS = 1_000_000
/** PostgreSQL allows 100 by default, for all processes together. */
const MOST_CONNECTIONS = 1_000
const MOST_READ_SECONDS = 600

/** For the end of an error that repeats the text. */
const quoted = (ending: string) => (issue: v.BaseIssue<unknown>) => `"${issue.input}"${ending}`

const oneOf = <const W extends string>(...words: W[]) =>
  v.picklist(words, quoted(`. It may be ${words.join(' or ')}.`))
const eitherOf = (yes: string, no: string) =>
  v.pipe(
    oneOf(yes, no),
    v.transform((word) => word === yes),
  )
const wordOf = (form: RegExp, allowed: string, example: string) =>
  v.pipe(v.string(), v.regex(form, quoted(`. It may hold ${allowed}, such as ${example}.`)))

const numberWhere = (isValid: (text: string) => boolean, ending: string) =>
  v.pipe(v.string(), v.check(isValid, quoted(ending)), v.transform(Number))
const countTo = (most: number, ending = `. It may be a whole number from 1 to ${most}.`) =>
  numberWhere((text) => /^\d{1,10}$/.test(text) && Number(text) > 0 && Number(text) <= most, ending)
const numberTo = (most: number, unit: string, least?: 'above 0') =>
  numberWhere(
    (text) => /^\d+(\.\d+)?$/.test(text) && Number(text) <= most && !(least && Number(text) === 0),
    `. It may be a number ${least ? `above 0 and at most ${most}` : `from 0 to ${most}`}, in ${unit}.`,
  )
const price = v.pipe(
  v.string(),
  v.regex(
    /^\d{1,6}(\.\d+)?,\d{1,6}(\.\d+)?$/,
    quoted('. It may be two numbers with a comma, such as 0.15,0.6.'),
  ),
  v.transform((text) => {
    const [input = 0, output = 0] = text.split(',').map(Number)
    return { input, output }
  }),
)

// An address may hold a secret, so the errors of these do not repeat it.
function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  // `fetch` takes no address with a password, and repeats it in its error.
  return /^https?:$/.test(protocol) && username === '' && password === ''
}
const NO_ENDPOINT =
  'not a valid address. Write a full address without user and password, such as https://models.example.com/v1/embeddings'
const endpoint = v.pipe(v.string(), v.check(isEndpoint, NO_ENDPOINT))
const endpoints = v.pipe(
  v.string(),
  v.check((text) => text.split(',').every(isEndpoint), NO_ENDPOINT),
)
const databaseUrl = v.pipe(
  v.string(),
  v.check(
    (text) => /^postgres(ql)?:\/\//.test(text) && URL.canParse(text),
    'not the address of a PostgreSQL server. Write it as postgres://user:password@host:5432/database',
  ),
)

const redisUrl = v.pipe(
  v.string(),
  v.check(
    (text) => /^rediss?:\/\/[^/]+(\/\d*)?$/.test(text) && URL.canParse(text),
    'not the address of a Redis server. Write it as redis://user:password@host:6379/0, or with rediss: for TLS',
  ),
)

const text = (readBy: Setting['readBy'], help: string, otherwise = 'none') => ({
  section: 'server' as const,
  readBy,
  help,
  otherwise,
  fallback: undefined,
  schema: v.string(),
})
/** A setting of the runtime. `otherwise`: its default in words. */
const runtime = <T, const F>(help: string, fallback: F, schema: Schema<T>, otherwise = String(fallback)) => ({
  ...text('runtime', help, otherwise),
  fallback,
  schema,
})
const stored = <T, const F>(...given: Parameters<typeof runtime<T, F>>) => ({
  ...runtime(...given),
  section: 'data' as const,
})
const seconds = (fallback: number, help: string, least?: 'above 0') => ({
  ...runtime(help, fallback, numberTo(MOST_SECONDS, 'seconds', least)),
  section: 'times' as const,
})

export const SETTINGS = {
  PORT: {
    ...runtime(
      'the port that the server listens on',
      4700,
      countTo(65_535, ', which is not a valid port. Use a number from 1 to 65535.'),
    ),
    readBy: 'server',
  },
  HOST: text('server', 'the address that the server listens on', 'the loopback addresses only'),
  FOYER_CONNECTOR_TOKEN: text('bff', 'the connector token; secret'),
  FOYER_CONNECTOR_HOST: text('bff', 'the host registered with the connector token'),
  FOYER_CONNECTORS: text('server', 'a JSON file with several connectors, in place of the settings of one'),
  FOYER_CHAT_URL: text(
    'bff',
    'address of the service, if it runs elsewhere; may hold `{region}`',
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
  FOYER_PAGE: text(
    'bff',
    '`on`: the agent learns on which page a chat was opened, by address without query and fragment, and title; `off`',
    'off',
  ),
  FOYER_COOKIE_SECRET: text(
    'bff',
    'one or more secrets of at least 32 characters, separated by commas',
    'generated once and kept in the database; with `FOYER_CHAT_URL`, random at each start',
  ),
  FOYER_TOKENS_PER_MINUTE: runtime(
    'limit of access tokens a minute for one connector',
    defaults.tokensPerMinute,
    countTo(MOST_TOKENS),
  ),
  FOYER_REGION: runtime(
    'the region of tokens and keys, and of `FOYER_CHAT_URL`, which has no default: lowercase letters, digits, hyphens',
    DEFAULT_REGION,
    wordOf(/^[a-z0-9][a-z0-9-]{0,31}$/, 'lowercase letters, digits and hyphens', 'euw-1'),
  ),
  FOYER_HEADER_PREFIX: runtime(
    'the word in `X-Svc-…` headers: letters, digits, hyphens',
    DEFAULT_HEADER_PREFIX,
    wordOf(/^[A-Za-z][A-Za-z0-9-]{0,31}$/, 'letters, digits and hyphens, beginning with a letter', 'Svc'),
  ),
  FOYER_ACCESS_LOG: text('server', 'any value: log a line for each request'),
  FOYER_LOG: {
    ...runtime(
      '`text`: a line of text for each event; `json`: one JSON object with time, level and message',
      'text',
      oneOf('text', 'json'),
    ),
    readBy: 'server',
  },
  FOYER_METRICS_PORT: {
    ...runtime(
      'a port of its own for Prometheus metrics, at `/metrics` of `HOST`',
      undefined,
      countTo(65_535, ', which is not a valid port. Use a number from 1 to 65535.'),
      'no metrics',
    ),
    readBy: 'server',
  },
  FOYER_DEMO: {
    ...runtime(
      '`1`: public keys and pages to try Foyer; `0`: none',
      false,
      eitherOf('1', '0'),
      'set by `npm start`, and by a folder or an option on the command line of `foyer-server`',
    ),
    readBy: 'server',
  },
  FOYER_DEMO_BY: text('start', 'whether `npm start` set `FOYER_DEMO`'),

  FOYER_AGENT: runtime(
    `which agent answers: ${AGENTS.map((name) => `\`${name}\``).join(', ')}, the path of a module with your own, such as \`./agent.mjs\`, or the address of one that speaks AG-UI`,
    'guide',
    v.pipe(
      v.string(),
      v.check(
        (text) => AGENTS.includes(text) || isModule(text) || isAddress(text),
        quoted(
          `, which is not an agent. Choose one of: ${AGENTS.join(', ')}; or give the path of a module with your own, such as ./agent.mjs, or an address, such as https://agent.example.com/run.`,
        ),
      ),
      v.check((text) => !isAddress(text) || isEndpoint(text), NO_ENDPOINT),
    ),
  ),
  FOYER_AGENT_KEY: text('runtime', 'key of the agent at an address, sent as `Authorization: Bearer`; secret'),
  FOYER_CARRIER: runtime(
    'the path of a module with your carrier, which sends texts and places calls, such as `./carrier.mjs`',
    undefined,
    v.pipe(v.string(), v.check(isModule, quoted('. It may be the path of a module, such as ./carrier.mjs.'))),
    'none; in the demo, simulated phones',
  ),
  FOYER_CONTACT: text(
    'runtime',
    'how to reach a person, for who asks for one: a line of Markdown, or a JSON file with one for each language',
  ),
  FOYER_DISCLOSURE: text(
    'runtime',
    'what SMS, RCS and calls say about the agent, once: a line, or a JSON file with one for each language; `off`: nothing',
    'that a machine answers, in seven languages',
  ),
  FOYER_HANDOFF: runtime(
    '`on`, `off`: hand visitors who ask for a person to live agents, who work on `runtime.desk`; always on in the demo',
    false,
    eitherOf('on', 'off'),
    'off',
  ),
  FOYER_SOURCE_URL: runtime(
    'base address of the files, for links to sources; `{file}` in it is replaced by the file’s name',
    undefined,
    endpoint,
    'no links',
  ),
  FOYER_LLM_URL: runtime(
    'base address of a language model’s endpoint, for the agent `llm`',
    undefined,
    endpoint,
    'none',
  ),
  FOYER_LLM_MODEL: text('runtime', 'name of the model; required with `FOYER_LLM_URL`'),
  FOYER_LLM_KEY: text('runtime', 'key of the endpoint; secret'),
  FOYER_LLM_INSTRUCTIONS: text('runtime', 'a Markdown file that says who the assistant is'),
  FOYER_LLM_MCP: runtime(
    'addresses of MCP servers whose tools the model may call, separated by commas',
    undefined,
    endpoints,
    'none',
  ),
  FOYER_LLM_TOKENS_PER_DAY: runtime(
    'tokens that one visitor may use in a day',
    DEFAULT_LLM_LIMITS.tokensPerDay,
    countTo(1_000_000_000),
  ),
  FOYER_LLM_CONNECTOR_TOKENS_PER_DAY: runtime(
    'tokens that all visitors of one connector may use in a day',
    DEFAULT_LLM_LIMITS.connectorTokensPerDay,
    countTo(1_000_000_000),
  ),
  FOYER_LLM_SECONDS: runtime(
    'seconds that one answer of the model may take, or of an agent at an address',
    DEFAULT_LLM_LIMITS.seconds,
    countTo(600),
  ),
  FOYER_LLM_PRICE: runtime(
    'prices of a million input and output tokens, separated by a comma, for the metric `llm_cost`',
    undefined,
    price,
    'none',
  ),
  FOYER_LLM_SUMMARY: runtime(
    '`on`, `off`: the model sums up the messages that are too old to be sent',
    false,
    eitherOf('on', 'off'),
    'off',
  ),
  FOYER_LLM_LINKS: runtime(
    '`sources`: answers contain only links from sources and instructions, or to the host of an agent at an address; `any`: all links',
    'sources',
    oneOf('sources', 'any'),
  ),

  FOYER_DATA: stored(
    '`memory`: keep nothing, for tests',
    undefined,
    v.literal(
      'memory',
      quoted('. It may be memory; omit FOYER_DATA to keep everything in the folder .foyer.'),
    ),
    'the folder `.foyer/`',
  ),
  FOYER_DATABASE_URL: stored(
    'a PostgreSQL server instead of the folder; secret',
    undefined,
    databaseUrl,
    'none',
  ),
  FOYER_DATABASE_CONNECTIONS: stored(
    'connections to PostgreSQL that each process may have, beside one for its heartbeats and one for notifications',
    DEFAULT_CONNECTIONS,
    countTo(MOST_CONNECTIONS),
  ),
  FOYER_READ_SECONDS: stored(
    'seconds that what one request of the API reads may take, on PostgreSQL; then it gets 503',
    DEFAULT_READ_SECONDS,
    countTo(MOST_READ_SECONDS),
  ),
  REDIS_URL: {
    ...stored(
      'a Redis server by which several processes count limits and tell each other what happens; secret',
      undefined,
      redisUrl,
      'none',
    ),
    readBy: 'server',
  },
  FOYER_RETENTION_DAYS: stored(
    'days until an ended conversation is erased; 0: never',
    defaults.retentionDays,
    numberTo(MOST_DAYS, 'days; 0 keeps everything'),
  ),
  FOYER_MASK_CARDS: stored(
    '`on`, `off`: mask card numbers before they are stored',
    defaults.maskCards,
    eitherOf('on', 'off'),
    defaults.maskCards ? 'on' : 'off',
  ),
  FOYER_EMBEDDINGS_URL: stored(
    'an embeddings endpoint, for semantic search',
    undefined,
    endpoint,
    'vectors made without a model',
  ),
  FOYER_EMBEDDINGS_MODEL: stored(
    'name of the model; required with `FOYER_EMBEDDINGS_URL`',
    undefined,
    v.string(),
    'none',
  ),
  FOYER_EMBEDDINGS_KEY: stored('key of the embeddings endpoint; secret', undefined, v.string(), 'none'),

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
  FOYER_DRAIN_SECONDS: {
    ...runtime(
      'a server may take to stop by SIGTERM: it gives its chats to other processes; 0: it stops at once',
      25,
      numberTo(MOST_DRAIN_SECONDS, 'seconds'),
    ),
    section: 'times',
  },
} as const satisfies Readonly<Record<string, Setting>>

export type SettingName = keyof typeof SETTINGS

/** The value of one setting: its default if the variable is missing or empty. */
export function readSetting<N extends SettingName>(
  env: Environment,
  name: N,
): (typeof SETTINGS)[N]['fallback'] | v.InferOutput<(typeof SETTINGS)[N]['schema']> {
  const { schema, fallback }: Setting = SETTINGS[name]
  const given = env[name]
  if (!given) return fallback as (typeof SETTINGS)[N]['fallback']
  const value = v.safeParse(schema, given)
  if (value.success) return value.output as v.InferOutput<(typeof SETTINGS)[N]['schema']>
  throw new SettingsError(`${name} is ${value.issues[0].message}`)
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
