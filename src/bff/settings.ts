// The BFF's settings, read from the environment. An error names the variable and what to do, never a secret.

export type BffSettings = {
  connectorToken: string
  connectorHost: string
  chatUrl: string | undefined
  publicOrigin: string | undefined
  origins: string[]
  unframedOrigins: string[]
  /** Undefined: the chat host and the BFF. */
  imageOrigins: string[] | undefined
  cookieSecrets: string[]
}

/** A setting is missing or cannot be used. */
export class SettingsError extends Error {
  override name = 'SettingsError'
}

type Environment = Readonly<Record<string, string | undefined>>

export function readBffSettings(env: Environment): BffSettings {
  return {
    connectorToken: required(env, 'FOYER_CONNECTOR_TOKEN', 'the connector token of the service'),
    connectorHost: required(
      env,
      'FOYER_CONNECTOR_HOST',
      'the host that was registered with the connector token',
    ),
    chatUrl: env.FOYER_CHAT_URL ? readUrl(env.FOYER_CHAT_URL) : undefined,
    publicOrigin: readOrigins(env, 'FOYER_PUBLIC_ORIGIN')[0],
    origins: readOrigins(env, 'FOYER_ORIGINS'),
    unframedOrigins: readOrigins(env, 'FOYER_UNFRAMED_ORIGINS'),
    imageOrigins: env.FOYER_IMAGE_ORIGINS ? readOrigins(env, 'FOYER_IMAGE_ORIGINS') : undefined,
    cookieSecrets: readSecrets(env.FOYER_COOKIE_SECRET),
  }
}

/** Origins, separated by commas. An origin is exact: scheme, host and port, nothing behind. */
export function readOrigins(env: Environment, name: string): string[] {
  const texts = (env[name] ?? '').split(',').map((text) => text.trim())
  return texts.filter(Boolean).map((text) => {
    if (!URL.canParse(text) || new URL(text).origin !== text)
      throw new SettingsError(
        `${name} holds "${text}", which is no origin. Write it as https://shop.example.com`,
      )
    return text
  })
}

/** Secrets, separated by commas; none where the variable is not set. */
export function readSecrets(text: string | undefined): string[] {
  const secrets = (text ?? '')
    .split(',')
    .map((secret) => secret.trim())
    .filter(Boolean)
  if (secrets.some((secret) => secret.length < 32))
    throw new SettingsError('FOYER_COOKIE_SECRET is too short: each secret needs at least 32 characters')
  return secrets
}

function required(env: Environment, name: string, what: string): string {
  const value = env[name]
  if (!value) throw new SettingsError(`${name} is not set. Set it to ${what}.`)
  return value
}

function readUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text
  throw new SettingsError(
    `FOYER_CHAT_URL holds "${text}", which is no address. Write it as https://chat.example.com`,
  )
}
