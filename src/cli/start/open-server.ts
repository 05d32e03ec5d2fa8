// Starts BFF and service on one port, with the demo and the operator's control socket, which only this process has. With FOYER_CHAT_URL
// the service is elsewhere: there is the BFF alone.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { correlationHeaderOf } from '../../api/index.ts'
import { createSitesBff } from '../../bff/index.ts'
import { isLoopback } from '../../protocol/index.ts'
import { readFolder } from '../arguments.ts'
import { listen, open } from '../listener.ts'
import { createLog, createProbes, logAccess, type ServerLog, startMonitoring } from '../monitoring/index.ts'
import { openRedis } from '../redis.ts'
import { databaseProblem, readSettings, type Settings } from '../settings.ts'
import type { Environment } from '../settings-table.ts'
import { StartError } from '../start-error.ts'
import { readVersion } from '../version.ts'
import { redisStore } from './limit-store.ts'
import { answersTo, ownBffOptions, readOwnBff } from './own-bff.ts'
import { loadAgent, loadCarrier } from './own-module.ts'
import { type OwnService, type OwnServiceOptions, openOwnService } from './own-service.ts'
import { createRequests } from './requests.ts'
import type { Server, ServerOptions } from './server.ts'

/** A server, and what the command line says of it. The settings hold secrets. */
export interface OpenServer extends Server {
  readonly settings: Settings
  /** The folder that answers come from. */
  readonly documents: string
  /** The service, if it is elsewhere. */
  readonly chatUrl: string | undefined
}

/** The folder of the built file, which also holds the files to serve. */
export const BUILT = fileURLToPath(new URL('.', import.meta.url))

/** Resolves once the server answers. Rejects with one sentence for each problem that the operator has to fix. */
export async function openServer(options: ServerOptions): Promise<OpenServer> {
  const { env = process.env, bus } = options
  const given = readSettings(env, resolve('.foyer'), options)
  const { data, headerPrefix, host, port } = given
  refuseOpenDemo(given, env)
  const log: ServerLog = options.log ?? createLog({ json: given.jsonLog })
  const documents = readFolder(options.documents, BUILT)
  // Public keys and simulated phones are loaded in demo mode only.
  const demo = given.demo ? await import('../../../demo/server/index.ts') : undefined
  const ownBff = readOwnBff(env, demo?.demoConnector, log)
  const chatUrl = ownBff.single?.chatUrl
  const settings = { ...given, agent: await loadAgent(given.agent) }
  const carrier =
    options.carrier ?? (given.carrier === undefined ? undefined : await loadCarrier(given.carrier))
  const ports = await listen(port, host, { headerPrefix })
  const parts = await openParts({
    ...{ env, settings, ownBff, demo, carrier, bus, log, guideFolder: documents },
    isOwnDocs: options.documents === undefined,
  }).catch((error: unknown) => {
    for (const each of ports) each.close()
    throw databaseProblem(data, error) ?? error
  })
  const { monitoring, service, bff } = parts
  const correlationHeader = correlationHeaderOf(headerPrefix)
  const probes = createProbes(service?.runtime ?? { healthy: async () => true })
  const { meter } = monitoring
  meter.gauge('foyer_build_info', () => 1, { version: readVersion(BUILT) })
  meter.gauge('foyer_ready', async () => ((await probes.isReady()) ? 1 : 0))
  const requests = createRequests({
    ...{ probes, bff, service, headerPrefix, log },
    answers: answersTo(settings.demo, host, ownBff.publicOrigin),
    trustedProxies: ownBff.trustedProxies,
  })
  for (const each of ports) {
    each.on('request', (request: IncomingMessage, response: ServerResponse) => {
      monitoring.watch(request, response)
      if (settings.accessLog) logAccess(request, response, { log, correlationHeader })
      requests.answer(request, response)
    })
    each.on('upgrade', requests.upgrade)
  }
  if (!demo && ownBff.publicOrigin === undefined) log(NO_ORIGIN, 'warn')
  open(ports)
  return {
    ...{ settings, documents, chatUrl, runtime: service?.runtime },
    origin: ownBff.publicOrigin ?? `http://${host ?? 'localhost'}:${port}`,
    async close(drainMs = 0) {
      probes.drain()
      if (drainMs > 0) await service?.runtime.drain(drainMs)
      for (const each of ports) each.close()
      await parts.close()
      for (const each of ports) each.closeAllConnections()
    },
  }
}

type PartsOptions = Omit<OwnServiceOptions, 'built' | 'redis' | 'meter'> & { env: Environment }

/** Opens what answers requests. If a part cannot be opened, the parts before it are closed. */
async function openParts(options: PartsOptions) {
  const { env, settings, ownBff, log } = options
  const closers: (() => Promise<void> | void)[] = []
  const close = async () => {
    for (const each of closers.reverse()) await each()
  }
  try {
    const monitoring = await startMonitoring({ env, settings, version: readVersion(BUILT), log })
    closers.push(monitoring.close)
    const redis = settings.redisUrl ? await openRedis(settings.redisUrl, log) : undefined
    closers.push(() => redis?.destroy())
    if (redis) monitoring.meter.gauge('foyer_redis_connected', () => (redis.isReady ? 1 : 0))
    let service: OwnService | undefined
    if (ownBff.single?.chatUrl === undefined)
      service = await openOwnService({ ...options, built: BUILT, redis, meter: monitoring.meter })
    closers.push(async () => service?.close())
    const storeOf = (deployment: string) => (redis ? redisStore(redis, deployment) : service?.count)
    const bff = createSitesBff(
      await ownBffOptions({ bff: ownBff, settings, built: BUILT, runtime: service?.runtime, storeOf, log }),
    )
    return { monitoring, service, bff, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The demo of `npm start` has public keys, so that it starts for this machine only. */
function refuseOpenDemo({ demo, host }: Settings, env: Environment): void {
  if (demo && env.FOYER_DEMO_BY === 'start' && host && !isLoopback(host))
    throw new StartError(
      `The demo has public keys, so it does not start on ${host}. Omit HOST, or set FOYER_DEMO=1 to start it there.`,
    )
}

const NO_ORIGIN =
  'FOYER_PUBLIC_ORIGIN is not set, so the Host header of a request decides which origin gets tokens. Set it to the origin under which browsers reach this server, such as https://chat.example.com'
