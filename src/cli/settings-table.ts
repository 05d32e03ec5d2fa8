// Lists every setting: its meaning, its schema and its default. The help, docs/settings.md and the refusal of unknown
// names are made from this table.

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
  section: keyof typeof SECTIONS
  /** `bff`: read by `readBffSettings`, by the rules of the BFF. `start`: set by `npm start` for this process. */
  readBy: 'server' | 'bff' | 'runtime' | 'start'
  help: string
  /** Sentences that the docs add to the help. */
  more?: string
  /** The default in words for the help, if the value alone is not clear. */
  otherwise?: string
  /** The value if the variable is missing or empty. */
  fallback: unknown
  /** Its description says which values it takes. */
  schema: Schema
}

/** The groups of the settings, by the headings of the docs and the help. */
export const SECTIONS = {
  server: 'The server',
  site: 'The site',
  agent: 'The agent',
  model: 'The language model',
  data: 'Data',
  times: 'Times',
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

const inCode = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(' or ')
const oneOf = <const W extends string>(...words: W[]) =>
  v.pipe(v.picklist(words, quoted(`. It may be ${words.join(' or ')}.`)), v.description(inCode(words)))
const eitherOf = (yes: string, no: string) =>
  v.pipe(
    oneOf(yes, no),
    v.transform((word) => word === yes),
  )
const wordOf = (form: RegExp, allowed: string, example: string) =>
  v.pipe(
    v.string(),
    v.regex(form, quoted(`. It may hold ${allowed}, such as ${example}.`)),
    v.description(allowed),
  )

const numberWhere = (isValid: (text: string) => boolean, values: string, ending: string) =>
  v.pipe(v.string(), v.check(isValid, quoted(ending)), v.description(values), v.transform(Number))
const countTo = (most: number, unit = '', ending = `. It may be a whole number from 1 to ${most}.`) =>
  numberWhere(
    (text) => /^\d{1,10}$/.test(text) && Number(text) > 0 && Number(text) <= most,
    `1 to ${most.toLocaleString('en')} ${unit}`.trim(),
    ending,
  )
const numberTo = (most: number, unit: string, least?: 'above 0') =>
  numberWhere(
    (text) => /^\d+(\.\d+)?$/.test(text) && Number(text) <= most && !(least && Number(text) === 0),
    most === MOST_SECONDS
      ? `seconds, ${least ?? '0 or more'}`
      : `0 to ${most.toLocaleString('en')} ${unit.replace(/;.*/, '')}`,
    `. It may be a number ${least ? `above 0 and at most ${most}` : `from 0 to ${most}`}, in ${unit}.`,
  )
const port = countTo(65_535, '', ', which is not a valid port. Use a number from 1 to 65535.')
const price = v.pipe(
  v.string(),
  v.regex(
    /^\d{1,6}(\.\d+)?,\d{1,6}(\.\d+)?$/,
    quoted('. It may be two numbers with a comma, such as 0.15,0.6.'),
  ),
  v.description('two numbers with a comma, such as `0.15,0.6`'),
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
const endpoint = v.pipe(v.string(), v.check(isEndpoint, NO_ENDPOINT), v.description('an address'))
const endpoints = v.pipe(
  v.string(),
  v.check((text) => text.split(',').every(isEndpoint), NO_ENDPOINT),
  v.description('addresses, separated by commas'),
)
const databaseUrl = v.pipe(
  v.string(),
  v.check(
    (text) => /^postgres(ql)?:\/\//.test(text) && URL.canParse(text),
    'not the address of a PostgreSQL server. Write it as postgres://user:password@host:5432/database',
  ),
  v.description('`postgres://user:password@host:5432/database`'),
)

const redisUrl = v.pipe(
  v.string(),
  v.check(
    (text) => /^rediss?:\/\/[^/]+(\/\d*)?$/.test(text) && URL.canParse(text),
    'not the address of a Redis server. Write it as redis://user:password@host:6379/0, or with rediss: for TLS',
  ),
  v.description('`redis://user:password@host:6379/0`, or with `rediss:` for TLS'),
)

/** The settings of one section. */
const of = <const N extends Setting['section'], T extends Readonly<Record<string, Omit<Setting, 'section'>>>>(
  section: N,
  settings: T,
) =>
  Object.fromEntries(Object.entries(settings).map(([name, each]) => [name, { section, ...each }])) as {
    [K in keyof T]: T[K] & { section: N }
  }
type Words = { help: string; more?: string; otherwise?: string }
/** A setting that is taken as it stands. `values`: which it takes, in words. */
const text = (readBy: Setting['readBy'], values: string, words: Words) => ({
  readBy,
  otherwise: 'none',
  ...words,
  fallback: undefined,
  schema: v.pipe(v.string(), v.description(values)),
})
const read = <T, const F>(readBy: 'server' | 'runtime', fallback: F, schema: Schema<T>, words: Words) => ({
  readBy,
  otherwise: String(fallback ?? 'none'),
  ...words,
  fallback,
  schema,
})
const seconds = (fallback: number, words: Words, least?: 'above 0') =>
  read('runtime', fallback, numberTo(MOST_SECONDS, 'seconds', least), words)

const ORIGINS = 'origins, separated by commas'

export const SETTINGS = {
  ...of('server', {
    PORT: read('server', 4700, port, { help: 'port that the server listens on' }),
    HOST: text('server', 'a host name or an IP address', {
      help: 'address that the server listens on',
      more: '`0.0.0.0` stands for all addresses of the machine.',
      otherwise: 'the loopback addresses only',
    }),
    FOYER_PUBLIC_ORIGIN: text('bff', 'an origin', {
      help: 'origin under which browsers reach Foyer',
      more: 'Set it outside of the demo: without it the `Host` header of a request decides which origin gets tokens.',
      otherwise: 'the origin of the request',
    }),
    FOYER_TRUSTED_PROXIES: text('bff', 'IP addresses, CIDR ranges or `loopback`, separated by commas', {
      help: 'proxies whose `X-Forwarded-For` is trusted',
      more: 'Set it behind a proxy: without it all visitors have the address of the proxy, and share its limits.',
    }),
    FOYER_COOKIE_SECRET: text('bff', 'secrets of at least 32 characters, separated by commas', {
      help: 'secrets that encrypt the cookies of visitors; secret',
      more: 'The first encrypts, and all of them decrypt. All processes need the same. With `FOYER_CHAT_URL` set it yourself: a random secret loses the open chats at a restart.',
      otherwise: 'generated once and kept in the database; with `FOYER_CHAT_URL`, random at each start',
    }),
    FOYER_REGION: read(
      'runtime',
      DEFAULT_REGION,
      wordOf(/^[a-z0-9][a-z0-9-]{0,31}$/, 'lowercase letters, digits and hyphens', 'euw-1'),
      {
        help: 'region of tokens and keys, and of `{region}` in `FOYER_CHAT_URL`, which has no default',
        more: 'A key of another region gets 403.',
      },
    ),
    FOYER_HEADER_PREFIX: read(
      'runtime',
      DEFAULT_HEADER_PREFIX,
      wordOf(/^[A-Za-z][A-Za-z0-9-]{0,31}$/, 'letters, digits and hyphens, beginning with a letter', 'Svc'),
      { help: 'word in headers such as `X-Svc-Auth-Token`' },
    ),
    FOYER_TOKENS_PER_MINUTE: read('runtime', defaults.tokensPerMinute, countTo(MOST_TOKENS, 'tokens'), {
      help: 'access tokens that one connector may get in a minute',
    }),
    FOYER_ACCESS_LOG: text('server', 'any', { help: 'log a line for each request', otherwise: 'no lines' }),
    FOYER_LOG: read('server', 'text', oneOf('text', 'json'), {
      help: 'format of the log, with a line for each event',
      more: '`json` writes objects with time, level and message.',
    }),
    FOYER_METRICS_PORT: read('server', undefined, port, {
      help: 'port of its own for Prometheus metrics, at `/metrics` of `HOST`',
      more: 'See [metrics](metrics.md).',
      otherwise: 'no metrics',
    }),
    FOYER_DEMO: read('server', false, eitherOf('1', '0'), {
      help: 'start the demo, with public keys, simulated phones and pages to try Foyer',
      more: 'The demo listens on loopback addresses only, unless you set `HOST` and `FOYER_DEMO=1` yourself. It answers under loopback names, that `HOST`, and the host of `FOYER_PUBLIC_ORIGIN`. It refuses the settings of [the site](#the-site) that name a service or a connector.',
      otherwise:
        'set by `npm start`, and by a folder or an option on the command line of `foyer-server` where no setting of a site is there',
    }),
    FOYER_DEMO_BY: text('start', 'any', { help: 'whether `npm start` set `FOYER_DEMO`' }),
  }),

  ...of('site', {
    FOYER_CONNECTOR_TOKEN: text('bff', 'a token', {
      help: 'connector token of the service, required outside of the demo; secret',
      more: 'With Foyer’s own service, make it up: 16 random characters or more.',
    }),
    FOYER_CONNECTOR_HOST: text('bff', 'a host', {
      help: 'host registered with the connector token, required outside of the demo',
      more: 'It is the name of your site at the service, such as `shop.example.com`.',
    }),
    FOYER_CONNECTORS: text('server', 'the path of a JSON file', {
      help: 'several connectors, in place of the other settings of this group',
      more: 'The server reads the file again after a change. See [your own server](own-server.md).',
    }),
    FOYER_CHAT_URL: text('bff', 'an address, which may hold `{region}`', {
      help: 'address of the service, if it runs elsewhere',
      more: 'The server is then the BFF alone: it starts no service and no agent, keeps no data, and answers the addresses of the API with 404.',
      otherwise: "the BFF's own origin",
    }),
    FOYER_ORIGINS: text('bff', ORIGINS, { help: 'sites that may embed the chat in a frame' }),
    FOYER_UNFRAMED_ORIGINS: text('bff', ORIGINS, {
      help: 'sites that may show the chat without a frame, and whose scripts may so read tokens',
    }),
    FOYER_IMAGE_ORIGINS: text('bff', ORIGINS, {
      help: 'hosts whose images the widget shows without asking',
      otherwise: "the BFF's own and the service's",
    }),
    FOYER_CHUNK_JOIN: text('bff', inCode(['none', 'space']), {
      help: 'what the client puts between chunks of an answer where neither has whitespace',
    }),
    FOYER_CONSENT: text('bff', inCode(['required', 'page']), {
      help: 'whether visitors are asked before anything is stored or contacted',
      more: '`page`: only where a page asks for it.',
      otherwise: 'page',
    }),
    FOYER_PAGE: text('bff', inCode(['on', 'off']), {
      help: 'the agent learns on which page a chat was opened',
      more: 'It gets the address without query and fragment, and the title.',
      otherwise: 'off',
    }),
  }),

  ...of('agent', {
    FOYER_AGENT: read(
      'runtime',
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
        v.description(
          `${AGENTS.map((name) => `\`${name}\``).join(', ')}, the path of a module such as \`./agent.mjs\`, or the address of an agent that speaks AG-UI`,
        ),
      ),
      {
        help: 'which agent answers',
        more: 'The path begins at the working folder. Beside a module of your own the other settings of an agent have no effect, so they are refused.',
      },
    ),
    FOYER_AGENT_KEY: text('runtime', 'a key', {
      help: 'key of the agent at an address, sent as `Authorization: Bearer`; secret',
    }),
    FOYER_CARRIER: read(
      'runtime',
      undefined,
      v.pipe(
        v.string(),
        v.check(isModule, quoted('. It may be the path of a module, such as ./carrier.mjs.')),
        v.description('the path of a module such as `./carrier.mjs`'),
      ),
      {
        help: 'your carrier, which sends texts and places calls',
        otherwise: 'none; in the demo, simulated phones',
      },
    ),
    FOYER_CONTACT: text('runtime', 'a line of Markdown, or a JSON file with a line for each language', {
      help: 'how to reach a person, for visitors who ask for one',
    }),
    FOYER_DISCLOSURE: text('runtime', 'a line, a JSON file with a line for each language, or `off`', {
      help: 'what SMS, RCS and calls say about the agent, once',
      otherwise: 'that a machine answers, in seven languages',
    }),
    FOYER_HANDOFF: read('runtime', false, eitherOf('on', 'off'), {
      help: 'hand visitors who ask for a person over to live agents',
      more: 'They work on `runtime.desk`. Always on in the demo.',
      otherwise: 'off',
    }),
    FOYER_SOURCE_URL: read('runtime', undefined, endpoint, {
      help: 'base address of the files, for links to sources',
      more: '`{file}` in it stands for the name of the file, `{name}` for the name without its ending; without them the latter is appended.',
      otherwise: 'no links',
    }),
  }),

  ...of('model', {
    FOYER_LLM_URL: read('runtime', undefined, endpoint, {
      help: 'base address of the endpoint of a language model, for the agent `llm`',
    }),
    FOYER_LLM_MODEL: text('runtime', 'a name', { help: 'name of the model; required with `FOYER_LLM_URL`' }),
    FOYER_LLM_KEY: text('runtime', 'a key', { help: 'key of the endpoint; secret' }),
    FOYER_LLM_INSTRUCTIONS: text('runtime', 'the path of a Markdown file', {
      help: 'instructions that say who the assistant is',
    }),
    FOYER_LLM_MCP: read('runtime', undefined, endpoints, {
      help: 'MCP servers whose tools the model may call',
    }),
    FOYER_LLM_TOKENS_PER_DAY: read(
      'runtime',
      DEFAULT_LLM_LIMITS.tokensPerDay,
      countTo(1_000_000_000, 'tokens'),
      { help: 'tokens that one visitor may use in a day' },
    ),
    FOYER_LLM_CONNECTOR_TOKENS_PER_DAY: read(
      'runtime',
      DEFAULT_LLM_LIMITS.connectorTokensPerDay,
      countTo(1_000_000_000, 'tokens'),
      { help: 'tokens that all visitors of one connector may use in a day' },
    ),
    FOYER_LLM_SECONDS: read('runtime', DEFAULT_LLM_LIMITS.seconds, countTo(600, 'seconds'), {
      help: 'longest time for one answer of the model, or of an agent at an address',
    }),
    FOYER_LLM_PRICE: read('runtime', undefined, price, {
      help: 'prices of a million input and output tokens',
      more: 'The metric `llm_cost` of a conversation is computed from them.',
    }),
    FOYER_LLM_SUMMARY: read('runtime', false, eitherOf('on', 'off'), {
      help: 'the model sums up the messages that are too old to be sent',
      otherwise: 'off',
    }),
    FOYER_LLM_LINKS: read('runtime', 'sources', oneOf('sources', 'any'), {
      help: 'which links answers may contain',
      more: '`sources`: links from sources and instructions, or to the host of an agent at an address.',
    }),
  }),

  ...of('data', {
    FOYER_DATA: read(
      'runtime',
      undefined,
      v.pipe(
        v.literal(
          'memory',
          quoted('. It may be memory; omit FOYER_DATA to keep everything in the folder .foyer.'),
        ),
        v.description('`memory`'),
      ),
      { help: 'keep nothing, for tests', otherwise: 'kept in the folder `.foyer/`' },
    ),
    FOYER_DATABASE_URL: read('runtime', undefined, databaseUrl, {
      help: 'PostgreSQL database in place of the folder; secret',
    }),
    FOYER_DATABASE_CONNECTIONS: read(
      'runtime',
      DEFAULT_CONNECTIONS,
      countTo(MOST_CONNECTIONS, 'connections'),
      {
        help: 'connections to PostgreSQL that each process may have',
        more: 'It has two more: for heartbeats and for notifications.',
      },
    ),
    FOYER_READ_SECONDS: read('runtime', DEFAULT_READ_SECONDS, countTo(MOST_READ_SECONDS, 'seconds'), {
      help: 'longest time that PostgreSQL may take to read for one request of the API',
      more: 'After that the request gets 503.',
    }),
    REDIS_URL: read('server', undefined, redisUrl, {
      help: 'Redis server by which several processes count limits and tell each other what happens; secret',
    }),
    FOYER_RETENTION_DAYS: read(
      'runtime',
      defaults.retentionDays,
      numberTo(MOST_DAYS, 'days; 0 keeps everything'),
      { help: 'days until an ended conversation is erased; 0: never' },
    ),
    FOYER_MASK_CARDS: read('runtime', defaults.maskCards, eitherOf('on', 'off'), {
      help: 'mask card numbers before they are stored',
      otherwise: defaults.maskCards ? 'on' : 'off',
    }),
    FOYER_EMBEDDINGS_URL: read('runtime', undefined, endpoint, {
      help: 'endpoint of an embeddings model, for semantic search',
      more: 'The endpoint takes `{"model", "input": [texts]}` and answers `{"data": [{"embedding": [numbers]}]}`. The server asks it once at the start.',
      otherwise: 'vectors made without a model',
    }),
    FOYER_EMBEDDINGS_MODEL: text('runtime', 'a name', {
      help: 'name of the embeddings model; required with `FOYER_EMBEDDINGS_URL`',
    }),
    FOYER_EMBEDDINGS_KEY: text('runtime', 'a key', { help: 'key of the embeddings endpoint; secret' }),
  }),

  ...of('times', {
    FOYER_SESSION_IDLE: seconds(
      defaults.sessionIdleSeconds,
      { help: 'seconds until an idle chat expires' },
      'above 0',
    ),
    FOYER_TOKEN_TTL: seconds(
      defaults.tokenTtlSeconds,
      { help: 'seconds until an access token expires' },
      'above 0',
    ),
    FOYER_HEARTBEAT: seconds(
      defaults.heartbeatSeconds,
      { help: 'seconds between heartbeats of a chat' },
      'above 0',
    ),
    FOYER_TEXT_IDLE: seconds(
      defaults.textIdleSeconds,
      { help: 'seconds without activity until the user of an SMS or RCS conversation is warned' },
      'above 0',
    ),
    FOYER_TEXT_GRACE: seconds(defaults.textGraceSeconds, {
      help: 'seconds from that warning until the conversation ends',
    }),
    FOYER_CALL_RETENTION: seconds(defaults.callRetentionSeconds, {
      help: 'seconds after the end of a call for which the API tells its status',
    }),
    FOYER_CALL_QUEUE: seconds(defaults.callQueueSeconds, {
      help: 'seconds in the queue until a waiting call fails',
    }),
    FOYER_DESK_WAIT: seconds(defaults.deskWaitSeconds, {
      help: 'seconds in the handoff queue until a conversation returns to the agent',
    }),
    FOYER_DRAIN_SECONDS: read('runtime', 25, numberTo(MOST_DRAIN_SECONDS, 'seconds'), {
      help: 'seconds that a server may take to stop on SIGTERM, while it gives its chats to other processes',
      more: '0: it stops at once. Docker, Kubernetes or systemd has to wait as long before it kills the process.',
    }),
  }),
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

/** The values that a setting takes, in words. */
export const valuesInWords = ({ schema }: Setting): string =>
  v.getDescription(schema as Parameters<typeof v.getDescription>[0]) ?? ''

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
