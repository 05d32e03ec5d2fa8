// One process of a cluster under test: BFF and runtime on one port. Its parent starts it with its settings as JSON, and it says
// `ready`. SIGTERM stops it as it stops foyer-server.

import { createServer, type IncomingMessage } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createClient } from 'redis'
import { createBff } from '../../src/bff/index.ts'
import {
  type BusLink,
  createNotifyLink,
  createRedisLink,
  createRuntime,
  openPostgres,
  type ProjectOptions,
  type RuntimeSettings,
} from '../../src/runtime/index.ts'
import { echo } from './agent.ts'
import { DROPPED, lossyLink } from './lossy-bus.ts'
import { answerDesk } from './remote-desk.ts'

export type ServerSettings = {
  port: number
  databaseUrl: string
  /** Default: NOTIFY carries the bus. */
  redisUrl?: string
  /** The bus loses, delays and doubles. */
  lossy?: boolean
  /** The settings of the desk. Default: those of a new project. */
  desk?: NonNullable<ProjectOptions['desk']>
  runtime?: Partial<RuntimeSettings>
}

const settings = JSON.parse(process.argv[2] ?? '') as ServerSettings
const log = (line: string) => console.error(line)
/** All visitors of a test have one address. */
const MANY = 1_000_000
const DRAIN_MS = 8_000
const connector = { token: 'cluster-connector-token', host: 'localhost' }
const project = { id: 'PROJECT-cluster01', accountId: 'ws-cluster01' }

const link = await openLink(settings)
const runtime = await createRuntime({
  data: { databaseUrl: settings.databaseUrl },
  bus: settings.lossy ? lossyLink(link, () => process.send?.(DROPPED)) : link,
  agent: echo,
  connectors: [
    {
      ...connector,
      id: 'CON-cluster01',
      accountId: project.accountId,
      projectId: project.id,
      environment: 'live',
    },
  ],
  projects: settings.desk
    ? [{ ...project, slug: 'cluster', accountSlug: 'cluster', desk: settings.desk }]
    : [],
  settings: { tokensPerMinute: MANY, ...settings.runtime },
  log,
})
answerDesk(runtime.desk(project.id))
const bff = createBff({
  connectorToken: connector.token,
  connectorHost: connector.host,
  cookieSecrets: [await runtime.cookieSecret()],
  limits: { address: MANY, connector: MANY },
  assets: () => undefined,
  fetch: (url, init, visitor) => runtime.fetch(new Request(url, init), visitor),
  log,
})

const server = createServer(
  getRequestListener((request, { incoming }) => {
    const context = { address: (incoming as IncomingMessage).socket.remoteAddress ?? '' }
    const { pathname } = new URL(request.url)
    return pathname.startsWith('/foyer/') ? bff.fetch(request, context) : runtime.fetch(request, context)
  }),
)
server.on('upgrade', runtime.upgrade)
process.on('SIGTERM', async () => {
  await runtime.drain(DRAIN_MS)
  server.close()
  await runtime.close()
  process.exit(0)
})
// A process whose test was killed must not stay.
process.on('disconnect', () => process.exit(1))
server.listen(settings.port, '127.0.0.1', () => process.send?.('ready'))

async function openLink({ databaseUrl, redisUrl }: ServerSettings): Promise<BusLink> {
  if (redisUrl === undefined)
    return createNotifyLink({ url: databaseUrl, db: openPostgres(databaseUrl), log })
  const redis = createClient({ url: redisUrl })
  redis.on('error', () => {})
  await redis.connect()
  return createRedisLink({ redis, log })
}
