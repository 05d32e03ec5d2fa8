// Sets up the BFF on the same port, and the connector by which the runtime knows it.

import { join } from 'node:path'
import type { Log } from '../api/index.ts'
import { type BffOptions, type BffSettings, folderAssets, readBffSettings } from '../bff/index.ts'
import { isLoopback } from '../protocol/index.ts'
import type { ConnectorOptions, Runtime } from '../runtime/index.ts'
import type { Environment, Settings } from './settings.ts'
import { StartError } from './start-error.ts'

/** Characters of a connector token that this runtime accepts. */
const LEAST_TOKEN = 16

/** In demo mode any page of this machine may embed the frame. */
const LOOPBACK_PAGES = ['http', 'https'].flatMap((scheme) => [
  `${scheme}://localhost:*`,
  `${scheme}://127.0.0.1:*`,
])

export type OwnBffOptions = {
  bff: BffSettings
  settings: Settings
  /** Holds the files to serve, in `public/`. */
  built: string
  runtime: Runtime
  log: Log
}

/** The BFF's settings; in demo mode with the public demo connector. */
export function readOwnBff(env: Environment, demoConnector: ConnectorOptions | undefined): BffSettings {
  if (!demoConnector) return readBffSettings(env)
  const { token, host } = demoConnector
  return readBffSettings({ ...env, FOYER_CONNECTOR_TOKEN: token, FOYER_CONNECTOR_HOST: host })
}

export async function ownBffOptions({
  bff,
  settings: { agent, demo, tokensPerMinute },
  built,
  runtime,
  log,
}: OwnBffOptions): Promise<BffOptions> {
  const { trustedProxies: _, cookieSecrets, ...given } = bff
  const askRuntime: BffOptions['fetch'] = (url, init, visitor) =>
    runtime.fetch(new Request(url, init), visitor)
  return {
    ...given,
    cookieSecrets: cookieSecrets.length > 0 ? cookieSecrets : [await runtime.cookieSecret()],
    limits: { connector: tokensPerMinute },
    ...(demo && { origins: [...LOOPBACK_PAGES, ...given.origins], expose: 'wire' }),
    assets: folderAssets(join(built, 'public')),
    log,
    ...(given.chatUrl === undefined && {
      fetch: askRuntime,
      answers: agent.name === 'guide' ? 'automatic' : 'ai',
    }),
  }
}

/**
 * Decides which host names this server answers. The demo's keys are public, so a foreign name that resolves here (DNS
 * rebinding) must not reach it: only loopback names, the public origin and a HOST that was set by hand do. If HOST is
 * every address of the machine, the server answers any IP address, since nobody can make an IP address point elsewhere.
 */
export function answersTo(
  demo: boolean,
  host: string | undefined,
  publicOrigin: string | undefined,
): (hostname: string) => boolean {
  if (!demo) return () => true
  const allowedNames = new Set(
    [host, publicOrigin && new URL(publicOrigin).hostname].flatMap((name) =>
      name ? [name.includes(':') ? `[${name}]` : name.toLowerCase()] : [],
    ),
  )
  const anyAddress = host === '0.0.0.0' || host === '::'
  return (hostname) =>
    isLoopback(hostname) ||
    allowedNames.has(hostname) ||
    (anyAddress && /^(\d{1,3}(\.\d{1,3}){3}|\[[\da-f:.]+\])$/.test(hostname))
}

/** The connector of this server's own BFF, for the runtime. */
export function ownConnector({ connectorToken, connectorHost, chatUrl }: BffSettings): ConnectorOptions {
  // With FOYER_CHAT_URL the token belongs to another service.
  if (chatUrl === undefined && connectorToken.length < LEAST_TOKEN)
    throw new StartError(
      `FOYER_CONNECTOR_TOKEN has fewer than ${LEAST_TOKEN} characters: it can be guessed. Set a longer one, such as the output of: openssl rand -hex 24`,
    )
  const account = { accountId: 'ws-own00001', projectId: 'PROJECT-own00001', environment: 'live' }
  return { id: 'CON-own00001', token: connectorToken, host: connectorHost, ...account }
}
