// Reads the client's options. An invalid option is refused at once, a missing one by the call that needs it.

import {
  anyTextOption,
  type Clock,
  clockOption,
  correlationHeaderOf,
  DEFAULT_HEADER_PREFIX,
  functionOption,
  headerWordOption,
  objectOf,
  optionProblem,
  type REGIONS,
  systemClock,
} from '../api/index.ts'
import { isLoopback } from '../protocol/index.ts'
import { HEADER_WORD } from './check-parameters.ts'
import { InputError } from './client-error.ts'
import type { TransportOptions } from './transport.ts'

/** Options of one request. */
export type RequestOptions = {
  /** Aborts the request: the call rejects with the signal's reason. */
  signal?: AbortSignal
}

/** The options of `createClient`. Each call needs some of them, and rejects with an `InputError` where one is missing. */
export type ClientOptions = {
  /** Fills `{region}` in the addresses. */
  region?: (typeof REGIONS)[number] | (string & {})
  /** Base address for conversations, concurrency, SMS, calls and handoff. https, or http on loopback. */
  apiUrl?: string
  /** Base address of the chat API. https, or http on loopback. */
  chatUrl?: string
  /** The API key for conversations, concurrency, handoff and SMS. */
  apiKey?: string
  /** The calling token, for outbound calls. */
  authToken?: string
  /** The connector ID of the project, for SMS. */
  connectorId?: string
  /** The connector token, for `chat.accessToken`; used with `host`. */
  connectorToken?: string
  /** The domain or app namespace registered with the connector token. */
  host?: string
  /** The service's own word in header names. Default: `Svc`. */
  headerPrefix?: string
  /** Sends the requests. Default: the global fetch. */
  fetch?: typeof fetch
  /** Milliseconds for one attempt, including the reading of its answer. Default: 30,000. */
  timeoutMs?: number
  /** Retries after the first attempt, if a retry makes sense. Default: 3. */
  retries?: number
  /** The time and the timers, for tests. Default: those of the system. */
  clock?: Clock
  /** A number from 0 to 1, for the jitter of retries. Default: `Math.random`. */
  random?: () => number
}

const NEEDED = ['apiUrl', 'chatUrl', 'apiKey', 'authToken', 'connectorId', 'connectorToken', 'host'] as const
type Needed = (typeof NEEDED)[number]

export type ClientSettings = TransportOptions & {
  headerPrefix: string
  /** Throws an InputError that names the missing option. */
  need(name: Needed): string
}

/** The longest delay that `setTimeout` accepts. */
export const LONGEST_TIMEOUT_MS = 2 ** 31 - 1

const SHAPES = objectOf(
  {},
  {
    ...Object.fromEntries([...NEEDED, 'region'].map((name) => [name, anyTextOption])),
    ...{ headerPrefix: headerWordOption, fetch: functionOption, random: functionOption, clock: clockOption },
  },
)

export function readOptions(options: ClientOptions): ClientSettings {
  const problem = optionProblem(SHAPES, options, 'The options of createClient')
  if (problem) throw new InputError(problem.option || 'options', problem.text)
  const { headerPrefix = DEFAULT_HEADER_PREFIX, timeoutMs = 30_000, retries = 3, region } = options
  if (region !== undefined && !/^[a-z\d-]+$/.test(region))
    throw new InputError(
      'region',
      'region must be a name such as us-1: lowercase letters, digits and hyphens',
    )
  if (!(typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs <= LONGEST_TIMEOUT_MS))
    throw new InputError('timeoutMs', `timeoutMs must be above 0 and at most ${LONGEST_TIMEOUT_MS}`)
  if (!(Number.isInteger(retries) && retries >= 0))
    throw new InputError('retries', 'retries must be 0 or a positive whole number')
  const given: Partial<Record<Needed, string>> = {}
  for (const name of NEEDED) {
    const optionValue = options[name]
    // Treat an empty environment variable as missing.
    if (optionValue === undefined || optionValue === '') continue
    // `fetch` would refuse such a header too, but its error would quote the secret.
    if (!HEADER_WORD.test(optionValue))
      throw new InputError(name, `${name} holds a space, a line break or a letter outside ASCII`)
    given[name] =
      name === 'apiUrl' || name === 'chatUrl' ? readAddress(name, optionValue, region) : optionValue
  }
  return {
    headerPrefix,
    timeoutMs,
    retries,
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    fetch: options.fetch ?? ((...args) => globalThis.fetch(...args)),
    correlationHeader: correlationHeaderOf(headerPrefix),
    secrets: [given.apiKey, given.authToken, given.connectorToken].filter((secret) => secret !== undefined),
    need(name) {
      const value = given[name]
      if (value === undefined)
        throw new InputError(name, `${name} is missing: this call needs it, so give it to createClient`)
      return value
    },
  }
}

/** The error does not repeat the address, which may hold a user name and a password. */
function readAddress(name: string, text: string, region: string | undefined): string {
  if (text.includes('{region}') && region === undefined)
    throw new InputError('region', `region is missing: ${name} holds {region}`)
  const filled = text.replaceAll('{region}', region ?? '')
  const url = URL.canParse(filled) ? new URL(filled) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new InputError(name, `${name} must be a full address such as https://api.{region}.example.com`)
  if (url.username || url.password)
    throw new InputError(name, `${name} must not hold a user name or a password`)
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw new InputError(name, `${name} must use https: plain http is for loopback only`)
  return filled
}
