// Checks the shape of the options of createRuntime before anything is opened.

import * as v from 'valibot'
import {
  anyTextOption,
  clockOption,
  flagOption,
  functionOption,
  hasFunctions,
  headerWordOption,
  isListOf,
  isObject,
  isText,
  objectOf,
  optionOf,
  optionProblem,
  textOption,
} from '../api/index.ts'
import type { DisclosureSetting } from './accounts/index.ts'
import { defaultRuntimeSettings, isCarrier } from './options.ts'
import { AGENT, isAgent } from './turns/index.ts'

const isDatabaseUrl = (value: unknown): boolean =>
  typeof value === 'string' &&
  /^postgres(ql)?:\/\//.test(value) &&
  // The driver takes an address without a host, which leads to a Unix socket.
  URL.canParse(value.replace('@/', '@host/').replace(/^(\w+:\/\/)\//, '$1host/'))

const STORES: Readonly<Record<string, (value: unknown) => boolean>> = {
  folder: isText,
  databaseUrl: isDatabaseUrl,
  database: hasFunctions('query', 'transaction', 'close'),
}

/** The numbers that may stand beside a `databaseUrl`. */
const LIMITS = ['connections', 'readSeconds']
const isLimit = (value: unknown): boolean =>
  value === undefined || (Number.isInteger(value) && Number(value) >= 1)

function isStore(value: unknown): boolean {
  if (!isObject(value)) return value === 'memory'
  const named = Object.entries(STORES).filter(([name]) => value[name] !== undefined)
  return (
    named.length === 1 &&
    named.every(([name, test]) => test(value[name])) &&
    LIMITS.every((name) => isLimit(value[name]))
  )
}

const NAMES = { accountId: textOption, projectId: textOption }
const REQUIRED = {
  data: optionOf(
    "'memory', { folder: '.foyer' }, { databaseUrl: 'postgres://…' } or { database }: one of these; beside a databaseUrl, whole numbers of connections and readSeconds",
    isStore,
  ),
  agent: optionOf(
    `${AGENT}; or a function that returns one`,
    (value) => isAgent(value) || typeof value === 'function',
  ),
  connectors: v.array(
    objectOf({ id: textOption, token: textOption, host: anyTextOption, environment: textOption, ...NAMES }),
    'must be a list of connectors',
  ),
}

/** A setting that is undefined would take the place of its default. */
const SETTINGS = Object.fromEntries(
  Object.entries(defaultRuntimeSettings).map(([name, fallback]) => [
    name,
    v.exactOptional(
      typeof fallback === 'boolean'
        ? flagOption
        : optionOf('a number that is not negative', (value) => Number.isFinite(value) && Number(value) >= 0),
    ),
  ]),
)

const LANGUAGE = /^(?:\*|[a-z]{2,3}(?:-[a-z\d]{1,8}){0,4})$/i
const MOST_LANGUAGES = 200
/** Two SMS segments. */
const LONGEST_DISCLOSURE = 300

/** Whether this is a setting for `disclosure`. */
export function isDisclosure(value: unknown): value is DisclosureSetting {
  if (!isObject(value) || Array.isArray(value)) return value === 'off'
  const texts = Object.entries(value)
  return (
    texts.length > 0 &&
    texts.length <= MOST_LANGUAGES &&
    texts.every(
      ([language, text]) =>
        LANGUAGE.test(language) && isText(text) && text.trim() !== '' && text.length <= LONGEST_DISCLOSURE,
    )
  )
}
const disclosureOption = optionOf(
  `'off', or a text of at most ${LONGEST_DISCLOSURE} characters for each language, such as { en: '…', '*': '…' }`,
  isDisclosure,
)

const OPTIONAL = {
  projects: v.array(
    objectOf(
      { id: textOption, slug: textOption, accountId: textOption, accountSlug: textOption },
      { disclosure: disclosureOption },
    ),
    'must be a list of projects',
  ),
  keys: v.array(objectOf({ accountId: textOption, secret: textOption }), 'must be a list of keys'),
  bus: optionOf('an object with open, send and close', hasFunctions('open', 'send', 'close')),
  carrier: optionOf('an object with a function send, a function call, or both, and connect', isCarrier),
  embeddings: optionOf(
    'an object with model, size and embed',
    (value) =>
      hasFunctions('embed')(value) && isObject(value) && isText(value.model) && Number.isInteger(value.size),
  ),
  settings: v.strictObject(SETTINGS, ({ expected }) =>
    expected === 'never' ? 'is not a setting' : 'must be an object of settings',
  ),
  signingKeys: optionOf('a list of at least one text', isListOf(isText, 1)),
  region: textOption,
  headerPrefix: headerWordOption,
  disclosure: disclosureOption,
  clock: clockOption,
  log: functionOption,
  meter: optionOf('an object with count, time and gauge', hasFunctions('count', 'time', 'gauge')),
}

/** Throws a TypeError that names the first option of the wrong shape. */
export function checkRuntimeOptions(given: unknown): void {
  const problem = optionProblem(objectOf(REQUIRED, OPTIONAL), given, 'The options of createRuntime')
  if (problem) throw new TypeError(`createRuntime: ${problem.text}`)
}
