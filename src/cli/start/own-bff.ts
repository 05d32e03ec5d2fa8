// Sets up the BFF on the same port: its connectors, and the one by which the runtime knows it.

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Log } from '../../api/index.ts'
import {
  type BffConnector,
  type BffConnectors,
  type BffSettings,
  type CountRequest,
  folderAssets,
  readBffSettings,
  readSharedBffSettings,
  type SharedBffSettings,
  type SitesBffOptions,
} from '../../bff/index.ts'
import { isLoopback } from '../../protocol/index.ts'
import { type ConnectorOptions, deploymentOf, type Runtime } from '../../runtime/index.ts'
import type { Environment, Settings } from '../settings.ts'
import { StartError } from '../start-error.ts'
import { buildAssets } from './build-assets.ts'
import { openConnectorsFile } from './connectors-file.ts'

/** Characters of a connector token that this runtime accepts. */
const LEAST_TOKEN = 16

/** In demo mode any page of this machine may embed the frame. */
const LOOPBACK_PAGES = ['http', 'https'].flatMap((scheme) => [
  `${scheme}://localhost:*`,
  `${scheme}://127.0.0.1:*`,
])

export type OwnBff = SharedBffSettings & {
  /** The connector of the environment. Undefined: they are in a file. */
  single: BffSettings | undefined
  /** Another object where they have changed. */
  connectors(): BffConnectors
}

export type OwnBffOptions = {
  bff: OwnBff
  settings: Settings
  /** Holds the files to serve, in `public/`. */
  built: string
  /** Undefined: the service is elsewhere. */
  runtime: Runtime | undefined
  /** Returns what counts the token requests of all processes of a deployment; undefined: each process counts its own. */
  storeOf: (deployment: string) => CountRequest | undefined
  log: Log
}

/** The BFF's settings; in demo mode with the public demo connector. Reads the file of the connectors, if there is one. */
export function readOwnBff(
  env: Environment,
  demoConnector: ConnectorOptions | undefined,
  log: (line: string) => void,
): OwnBff {
  const { FOYER_CONNECTORS: path } = env
  if (!demoConnector && path)
    return {
      ...readSharedBffSettings(env),
      single: undefined,
      connectors: openConnectorsFile({ path, env, log }),
    }
  const single = readBffSettings(
    demoConnector
      ? { ...env, FOYER_CONNECTOR_TOKEN: demoConnector.token, FOYER_CONNECTOR_HOST: demoConnector.host }
      : env,
  )
  const connectors = { '': single }
  return { ...readSharedBffSettings(env), single, connectors: () => connectors }
}

export async function ownBffOptions(options: OwnBffOptions): Promise<SitesBffOptions> {
  const { bff, settings, built, runtime, storeOf, log } = options
  const files = join(built, 'public')
  let given: BffConnectors | undefined
  let completed: BffConnectors = {}
  const cookieSecrets = bff.cookieSecrets.length > 0 ? bff.cookieSecrets : [await cookieSecret(runtime, log)]
  return {
    publicOrigin: bff.publicOrigin,
    cookieSecrets,
    limits: { store: storeOf(deploymentOf(cookieSecrets[0] ?? '')) },
    assets:
      runtime && settings.data !== 'memory' ? await buildAssets(files, runtime.files) : folderAssets(files),
    log,
    connectors() {
      const next = bff.connectors()
      if (next === given) return completed
      given = next
      completed = Object.fromEntries(
        Object.entries(next).map(([name, each]) => [name, complete(each, options)]),
      )
      return completed
    },
  }
}

/** The secret of the cookies, if the settings name none. Without a runtime there is nowhere to keep it. */
async function cookieSecret(runtime: Runtime | undefined, log: Log): Promise<string> {
  if (runtime) return runtime.cookieSecret()
  log(
    'FOYER_COOKIE_SECRET is not set, and with FOYER_CHAT_URL this server stores nothing: when it restarts, or another process answers, visitors lose the chats that they have. Set it, for all processes, to the output of: openssl rand -hex 32',
    'warn',
  )
  return randomBytes(32).toString('hex')
}

/** Adds what a connector has from this server: its limit, its service, and in demo mode its pages. */
function complete(
  connector: BffConnector,
  { settings: { agent, demo, tokensPerMinute }, runtime }: OwnBffOptions,
): BffConnector {
  const ownAnswers =
    agent.name === 'own'
      ? 'answers' in agent.agent && agent.agent.answers
      : agent.name === 'guide' && 'automatic'
  const { chatUrl, origins = [], limits, answers = ownAnswers || 'ai' } = connector
  return {
    ...connector,
    limits: { connector: tokensPerMinute, ...limits },
    ...(demo && { origins: [...LOOPBACK_PAGES, ...origins], expose: 'wire' }),
    ...(chatUrl === undefined &&
      runtime && { fetch: (url, init, visitor) => runtime.fetch(new Request(url, init), visitor), answers }),
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

/** The connector of this server's own BFF, for the runtime. Those of a file were created by commands. */
export function ownConnectors({ single }: OwnBff): ConnectorOptions[] {
  if (!single) return []
  const { connectorToken, connectorHost, chatUrl } = single
  // With FOYER_CHAT_URL the token belongs to another service.
  if (chatUrl === undefined && connectorToken.length < LEAST_TOKEN)
    throw new StartError(
      `FOYER_CONNECTOR_TOKEN has fewer than ${LEAST_TOKEN} characters: it can be guessed. Set a longer one, such as the output of: openssl rand -hex 24`,
    )
  const account = { accountId: 'ws-own00001', projectId: 'PROJECT-own00001', environment: 'live' }
  return [{ id: 'CON-own00001', token: connectorToken, host: connectorHost, ...account }]
}
