// Reads the BFF's settings from the environment. An error names the variable and what to do, never a secret.

import { createVisitorAddress } from '../api/index.ts'
import { fillRegion, isOrigin, isWebAddress } from './host.ts'

/** What a BFF has once, however many connectors it has. */
export type SharedBffSettings = {
  publicOrigin: string | undefined
  cookieSecrets: string[]
  /** For `createVisitorAddress`. */
  trustedProxies: string[]
}

/** What `readBffSettings` read: options of `createBff`. */
export type BffSettings = SharedBffSettings & {
  connectorToken: string
  connectorHost: string
  chatUrl: string | undefined
  origins: string[]
  unframedOrigins: string[]
  /** Undefined: the chat host and the BFF. */
  imageOrigins: string[] | undefined
  chunkJoin: 'none' | 'space'
  consent: 'required' | 'page'
  /** Whether the widget tells the service on which page a chat begins. */
  page: boolean
}

/** A setting is missing or cannot be used. Its message names the setting and says what to do. */
export class SettingsError extends Error {
  override name = 'SettingsError'
}

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the options of `createBff` from environment variables. Throws a SettingsError for the first that is missing or cannot be used. */
export function readBffSettings(env: Environment): BffSettings {
  const imageOrigins = readOrigins(env, 'FOYER_IMAGE_ORIGINS')
  return {
    connectorToken: requiredSetting(env, 'FOYER_CONNECTOR_TOKEN', 'the connector token of the service'),
    connectorHost: requiredSetting(
      env,
      'FOYER_CONNECTOR_HOST',
      'the host that was registered with the connector token',
    ),
    chatUrl: readChatUrl(env),
    origins: readOrigins(env, 'FOYER_ORIGINS'),
    unframedOrigins: readOrigins(env, 'FOYER_UNFRAMED_ORIGINS'),
    imageOrigins: imageOrigins.length > 0 ? imageOrigins : undefined,
    chunkJoin: readChoice(env, 'FOYER_CHUNK_JOIN', ['none', 'space'], 'none'),
    consent: readChoice(env, 'FOYER_CONSENT', ['required', 'page'], 'page'),
    page: readChoice(env, 'FOYER_PAGE', ['on', 'off'], 'off') === 'on',
    ...readSharedBffSettings(env),
  }
}

/** Reads the settings that stay in the environment where the connectors are in a file. Throws a SettingsError as `readBffSettings` does. */
export const readSharedBffSettings = (env: Environment): SharedBffSettings => ({
  publicOrigin: readPublicOrigin(env),
  cookieSecrets: readSecrets(env.FOYER_COOKIE_SECRET),
  trustedProxies: readProxies(env),
})

/** Splits a list at its commas. */
const commaList = (settingText: string | undefined): string[] =>
  (settingText ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)

/** Reads an exact origin: scheme, host and port only. */
function readOrigins(env: Environment, name: string): string[] {
  return commaList(env[name]).map((settingText) => {
    if (!isOrigin(settingText))
      throw new SettingsError(
        `${name} holds "${settingText}", which is not an origin. Write it as https://shop.example.com`,
      )
    return settingText
  })
}

function readPublicOrigin(env: Environment): string | undefined {
  const [origin, ...more] = readOrigins(env, 'FOYER_PUBLIC_ORIGIN')
  if (more.length > 0) throw new SettingsError('FOYER_PUBLIC_ORIGIN holds several origins. Write one.')
  return origin
}

function readChoice<W extends string>(env: Environment, name: string, words: readonly W[], fallback: W): W {
  const settingText = env[name] || fallback
  const word = words.find((each) => each === settingText)
  if (word !== undefined) return word
  throw new SettingsError(`${name} is "${settingText}". It may be ${words.join(' or ')}.`)
}

function readSecrets(settingText: string | undefined): string[] {
  const cookieSecrets = commaList(settingText)
  if (cookieSecrets.some((secret) => secret.length < 32))
    throw new SettingsError('FOYER_COOKIE_SECRET is too short: each secret needs at least 32 characters')
  return cookieSecrets
}

function readProxies(env: Environment): string[] {
  const trusted = commaList(env.FOYER_TRUSTED_PROXIES)
  try {
    createVisitorAddress({ trusted })
  } catch (error) {
    throw new SettingsError(`FOYER_TRUSTED_PROXIES: ${(error as Error).message}.`)
  }
  return trusted
}

function requiredSetting(env: Environment, name: string, what: string): string {
  const value = env[name]
  if (!value) throw new SettingsError(`${name} is not set. Set it to ${what}.`)
  return value
}

/** The address of the service. Undefined: the BFF's own origin. */
function readChatUrl(env: Environment): string | undefined {
  const { FOYER_CHAT_URL: settingText } = env
  if (!settingText) return undefined
  const address = settingText.includes('{region}') ? fillRegion(settingText, env.FOYER_REGION) : settingText
  if (address === undefined)
    throw new SettingsError(
      'FOYER_CHAT_URL holds {region}, and FOYER_REGION is not set or not a region. Set it to the region of the service, such as euw-1.',
    )
  if (isWebAddress(address)) return address
  throw new SettingsError(
    'FOYER_CHAT_URL is not a valid address. Write it as https://chat.example.com, without a user name and a password.',
  )
}
