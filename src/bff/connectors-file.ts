// Reads connectors from a JSON text: an object with the settings of each connector by its public name. An error names the
// path in the file, the cause and what to do, never a secret.

import * as v from 'valibot'
import { fillRegion, isOrigin, isWebAddress } from './host.ts'
import type { BffConnector, BffConnectors } from './options.ts'
import { SettingsError } from './settings.ts'

/** Finds tokens of which the file gives only the name of an environment variable, or of another file. */
export type ConnectorSecrets = {
  env: Readonly<Record<string, string | undefined>>
  /** Reads a file of `tokenFile`. Undefined on hosts without a file system. */
  readFile?: ((path: string) => string) | undefined
}

const NAME = /^(?!assets$)[A-Za-z\d][\w-]{0,63}$/
const MOST_REQUESTS = 1_000_000

/** For messages that repeat what was given, unless that may hold a secret: a token in the wrong place. They end a sentence that begins with the path and "is ". */
const quoted =
  (ending: string) =>
  ({ input }: v.BaseIssue<unknown>) =>
    `${typeof input === 'object' ? 'of another type' : JSON.stringify(input).slice(0, 200)}${ending}`
const flag = v.optional(v.boolean(quoted('. It may be true or false.')))
const oneOf = <const W extends string>(...words: W[]) =>
  v.optional(v.picklist(words, quoted(`. It may be ${words.map((word) => `"${word}"`).join(' or ')}.`)))

const NOT_AN_ORIGIN = quoted(', which is not an origin. Write it as "https://shop.example.com".')
const origins = v.optional(
  v.array(
    v.pipe(v.string(NOT_AN_ORIGIN), v.check(isOrigin, NOT_AN_ORIGIN)),
    quoted(', which is not a list. Write it as ["https://shop.example.com"].'),
  ),
)
const NOT_A_LIMIT = quoted(`. It may be a whole number from 1 to ${MOST_REQUESTS}.`)
const limit = v.optional(
  v.pipe(
    v.number(NOT_A_LIMIT),
    v.integer(NOT_A_LIMIT),
    v.minValue(1, NOT_A_LIMIT),
    v.maxValue(MOST_REQUESTS, NOT_A_LIMIT),
  ),
)
const NOT_A_WEB_ADDRESS =
  'not a valid address. Write it as "https://chat.example.com", without a user name and a password.'

/** A text that may be a secret, so its message does not repeat it. */
const name = (what: string) => {
  const message = `not ${what}. Write it in quotes.`
  return v.optional(v.pipe(v.string(message), v.nonEmpty(message)))
}
const fields = <const E extends v.ObjectEntries>(what: string, entries: E) =>
  v.strictObject(entries, ({ expected, input }) => {
    if (expected === 'never')
      return `not a setting of ${what}. There are: ${Object.keys(entries).join(', ')}.`
    return input === undefined ? 'missing.' : `not ${what}. Write it as an object: { … }.`
  })

const HOST = 'missing. Set it to the host that was registered with the connector token.'
const CONNECTOR = fields('a connector', {
  token: name('a token'),
  tokenEnv: name('the name of an environment variable'),
  tokenFile: name('the path of a file'),
  host: v.pipe(v.optional(v.string(HOST), ''), v.nonEmpty(HOST)),
  chatUrl: v.optional(
    v.pipe(
      v.string(NOT_A_WEB_ADDRESS),
      v.check((text) => isWebAddress(fillRegion(text, 'region') ?? ''), NOT_A_WEB_ADDRESS),
    ),
  ),
  enabled: flag,
  origins,
  unframedOrigins: origins,
  imageOrigins: origins,
  chunkJoin: oneOf('none', 'space'),
  consent: oneOf('page', 'required'),
  page: flag,
  expose: oneOf('none', 'messages'),
  answers: oneOf('ai', 'automatic'),
  limits: v.optional(fields('the limits', { address: limit, connector: limit })),
})

/** Reads connectors from the text of a JSON file. Throws a SettingsError for the first setting that is missing or cannot be used. */
export function readConnectors(text: string, secrets: ConnectorSecrets): BffConnectors {
  const parsed = parse(text)
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new SettingsError(
      'The file must hold an object with the connectors by their names: { "shop": { … } }.',
    )
  const entries = Object.entries(parsed)
  if (entries.length === 0)
    throw new SettingsError('The file holds no connector. Add one: { "shop": { … } }.')
  return Object.fromEntries(entries.map(([name, given]) => [name, readConnector(name, given, secrets)]))
}

function readConnector(name: string, given: unknown, secrets: ConnectorSecrets): BffConnector {
  if (!NAME.test(name))
    throw new SettingsError(
      `"${name.slice(0, 80)}" cannot be the name of a connector. Use letters, digits, hyphens and underscores, such as "shop"; "assets" is taken.`,
    )
  const read = v.safeParse(CONNECTOR, given)
  if (!read.success) {
    const [issue] = read.issues
    throw new SettingsError(`${pathOf(name, issue.path)} is ${issue.message}`)
  }
  const { token, tokenEnv, tokenFile, host, ...settings } = read.output
  const { chatUrl } = settings
  const filledUrl = chatUrl && fillRegion(chatUrl, secrets.env.FOYER_REGION)
  if (chatUrl && !filledUrl)
    throw new SettingsError(
      `${name}.chatUrl holds {region}, and FOYER_REGION is not set or not a region. Set it to the region of the service, such as euw-1.`,
    )
  return {
    ...settings,
    chatUrl: filledUrl,
    connectorToken: readToken(name, { token, tokenEnv, tokenFile }, secrets),
    connectorHost: host,
  }
}

/** Such as `shop.origins[0]`. */
const pathOf = (name: string, path: readonly { key: unknown }[] = []): string =>
  name +
  path.map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key).slice(0, 80)}`)).join('')

type TokenFields = {
  token?: string | undefined
  tokenEnv?: string | undefined
  tokenFile?: string | undefined
}

function readToken(
  name: string,
  { token, tokenEnv, tokenFile }: TokenFields,
  { env, readFile }: ConnectorSecrets,
): string {
  if ([token, tokenEnv, tokenFile].filter((each) => each !== undefined).length !== 1)
    throw new SettingsError(
      `${name} needs its connector token once: as token, or where it is, as tokenEnv (an environment variable) or tokenFile (a file).`,
    )
  if (token !== undefined) return token
  if (tokenEnv !== undefined) {
    const value = env[tokenEnv]
    if (value) return value
    throw new SettingsError(
      `${name}.tokenEnv names an environment variable that is not set. Set it to the connector token.`,
    )
  }
  return readTokenFile(name, tokenFile ?? '', readFile)
}

function readTokenFile(name: string, path: string, readFile: ConnectorSecrets['readFile']): string {
  if (!readFile)
    throw new SettingsError(`${name}.tokenFile cannot be used on a host without files. Use tokenEnv.`)
  let value = ''
  try {
    value = readFile(path).trim()
  } catch (error) {
    const { code = 'unknown error' } = error as { code?: string }
    throw new SettingsError(
      `${name}.tokenFile names a file that cannot be read (${code}). Correct the path or its permissions.`,
    )
  }
  if (value) return value
  throw new SettingsError(`${name}.tokenFile names a file that is empty. Write the connector token into it.`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // The message of the error repeats a part of the text, which may hold a secret.
    const [, position] = /at position (\d+)/.exec((error as Error).message) ?? []
    const line =
      position === undefined ? '' : ` in line ${text.slice(0, Number(position)).split('\n').length}`
    throw new SettingsError(
      `The file is not valid JSON: there is a mistake${line}. Often it is a comma too many or too few, or a quote that is missing.`,
    )
  }
}
