// Checks the shape of the options of a BFF. An error names the option, and never repeats a value, which may be a secret.

import * as v from 'valibot'
import {
  anyTextOption,
  flagOption,
  functionOption,
  isListOf,
  isObject,
  isText,
  objectOf,
  optionOf,
  optionProblem,
  textOption,
} from '../api/index.ts'
import { fillRegion, isOrigin, isWebAddress } from './host.ts'
import type { BffConnector } from './options.ts'

/** A source of a Content-Security-Policy: an origin, or a pattern of origins. What ends a directive is in none. */
const origins = optionOf(
  "a list of origins such as ['https://shop.example.com']",
  isListOf((value) => isText(value) && /^[^\s;,]+$/.test(value)),
)
const oneOf = (...words: string[]) =>
  v.picklist(words, `must be ${words.map((word) => `'${word}'`).join(' or ')}`)
const limit = optionOf('a number that is not negative', (value) => typeof value === 'number' && value >= 0)

const CONNECTOR = objectOf(
  {
    connectorToken: optionOf(
      'the connector token: visible letters of ASCII',
      (value) => typeof value === 'string' && /^[\x21-\x7e]+$/.test(value),
    ),
    connectorHost: optionOf(
      'the host that was registered with the connector token',
      (value) => typeof value === 'string' && /^[\x21-\x7e]+$/.test(value),
    ),
  },
  {
    chatUrl: textOption,
    region: anyTextOption,
    enabled: flagOption,
    ...{ origins, unframedOrigins: origins, imageOrigins: origins },
    expose: oneOf('none', 'messages', 'wire'),
    chunkJoin: oneOf('none', 'space'),
    answers: oneOf('ai', 'automatic'),
    consent: oneOf('required', 'page'),
    page: flagOption,
    limits: objectOf({}, { address: limit, connector: limit }),
    fetch: functionOption,
  },
)

const SHARED = objectOf(
  { cookieSecrets: optionOf('a list of at least one text', isListOf(isText, 1)) },
  {
    assets: functionOption,
    now: functionOption,
    publicOrigin: optionOf(
      'an origin such as https://chat.example.com',
      (value) => typeof value === 'string' && isOrigin(value),
    ),
    log: functionOption,
    connectors: optionOf(
      'an object of connectors, or a function that returns one',
      (value) => typeof value === 'function' || isObject(value),
    ),
    limits: objectOf({}, { store: functionOption }),
  },
)

/** Throws a TypeError that names the first wrong option of those that all connectors share. */
export const checkShared = (given: unknown): void =>
  refuse(optionProblem(SHARED, given, 'The options of a BFF'))

/** The connector, with its region in its address. Throws a TypeError that names the first wrong option. */
export function checkedConnector(name: string, given: BffConnector): BffConnector {
  const prefix = name && `connectors.${name}.`
  refuse(optionProblem(CONNECTOR, given, 'The options of a connector'), prefix)
  const { chatUrl, region } = given
  if (chatUrl === undefined) return given
  const address = fillRegion(chatUrl, region)
  if (address === undefined)
    throw new TypeError(
      `${prefix}region is missing: chatUrl holds {region}. Give the region of the service, such as euw-1`,
    )
  if (!isWebAddress(address))
    throw new TypeError(
      `${prefix}chatUrl must be a full address such as https://chat.{region}.example.com, without a user name and a password`,
    )
  return { ...given, chatUrl: address }
}

function refuse(problem: { text: string } | undefined, prefix = ''): void {
  if (problem) throw new TypeError(`${prefix}${problem.text}`)
}
