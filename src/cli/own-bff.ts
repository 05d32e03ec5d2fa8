// The BFF on the same port: what it is told, and the connector that the runtime knows it by.

import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BffOptions, folderAssets, readBffSettings, readOrigins, readSecrets } from '../bff/index.ts'
import type { ConnectorOptions, Runtime } from '../runtime/index.ts'
import type { Environment, Settings } from './settings.ts'

export type OwnBffOptions = {
  env: Environment
  settings: Settings
  /** In demo mode: the connector that everybody knows. */
  demoConnector: ConnectorOptions | undefined
  /** Where the secret of its cookies is kept, unless the data is elsewhere. */
  dataFolder: string
  /** Holds what it serves, in `public/`. */
  built: string
  runtime: Runtime
  log(line: string): void
}

export function ownBffOptions({
  env,
  settings: { data },
  demoConnector,
  dataFolder,
  built,
  runtime,
  log,
}: OwnBffOptions): BffOptions {
  const made = cookieSecrets(env, data, dataFolder)
  const assets = folderAssets(join(built, 'public'))
  const ask: typeof fetch = (input, init) => runtime.fetch(new Request(input, init), { address: 'bff' })
  if (demoConnector)
    return {
      connectorToken: demoConnector.token,
      connectorHost: demoConnector.host,
      origins: readOrigins(env, 'FOYER_ORIGINS'),
      unframedOrigins: readOrigins(env, 'FOYER_UNFRAMED_ORIGINS'),
      ...(env.FOYER_IMAGE_ORIGINS && { imageOrigins: readOrigins(env, 'FOYER_IMAGE_ORIGINS') }),
      cookieSecrets: made,
      demo: true,
      expose: 'wire',
      assets,
      log,
      fetch: ask,
    }
  const given = readBffSettings(env)
  return {
    ...given,
    cookieSecrets: given.cookieSecrets.length > 0 ? given.cookieSecrets : made,
    assets,
    log,
    ...(given.chatUrl === undefined && { fetch: ask }),
  }
}

/** The runtime knows the connector that its own BFF uses. */
export function ownConnector(env: Environment): ConnectorOptions {
  const { connectorToken, connectorHost } = readBffSettings(env)
  const account = { accountId: 'ws-own00001', projectId: 'PROJECT-own00001', environment: 'live' }
  return { id: 'CON-own00001', token: connectorToken, host: connectorHost, ...account }
}

/** Secrets of the environment, else one that is made once and kept beside the data. */
function cookieSecrets(env: Environment, data: Settings['data'], folder: string): string[] {
  const given = readSecrets(env.FOYER_COOKIE_SECRET)
  if (given.length > 0) return given
  const made = randomBytes(32).toString('base64url')
  if (typeof data !== 'object' || !('folder' in data)) return [made]
  const path = join(folder, 'cookie-secret')
  if (!existsSync(path)) writeFileSync(path, made, { mode: 0o600 })
  return [readFileSync(path, 'utf8').trim()]
}
