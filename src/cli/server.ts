// Starts BFF and service on one port, with the demo and the operator's control socket, which only this process has.
//
//   /foyer.js, /foyer/…         ─▶ bff ──┐ access tokens
//   the demo's pages, endpoints ─▶ demo ─┤ its desk, its phones
//   everything else, sockets   ─────────┴─▶ runtime ◀── control.sock ── commands
//
// With FOYER_CHAT_URL the service is elsewhere: there is the BFF alone.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener, RequestError } from '@hono/node-server'
import { type Problem, refusal } from '../api/index.ts'
import { type Bff, createSitesBff, createVisitorAddress } from '../bff/index.ts'
import { endWithProblem, refusedRequest } from '../runtime/index.ts'
import { redisStore } from './limit-store.ts'
import { listen, open } from './listener.ts'
import {
  createProbes,
  logAccess,
  type Monitoring,
  type ServerLog,
  startMonitoring,
} from './monitoring/index.ts'
import { answersTo, ownBffOptions, readOwnBff } from './own-bff.ts'
import { type OwnService, openOwnService } from './own-service.ts'
import { openRedis, type Redis } from './redis.ts'
import { databaseProblem, type Environment, type Settings } from './settings.ts'

export type ServerOptions = {
  env: Environment
  settings: Settings
  /** Holds the Markdown files to answer from. */
  guideFolder: string
  /** Whether they are Foyer's own docs. */
  isOwnDocs: boolean
  /** The folder of the built files: `public/` is in it, the demo's pages are beside it. */
  built: string
  log: ServerLog
}

/**
 * Stops a server. It first gives its work to other processes, for at most `drainMs`: it is not ready any more, and answers all
 * the same.
 */
export type StopServer = (drainMs: number) => Promise<void>

/** Resolves, once the server answers, to the function that stops it. Rejects with a problem that the operator has to fix. */
export async function startServer(options: ServerOptions): Promise<StopServer> {
  const { env, settings, built, log } = options
  const { data, headerPrefix } = settings
  // Public keys and simulated phones are loaded in demo mode only.
  const demo = settings.demo ? await import('../../demo/server/index.ts') : undefined
  const ownBff = readOwnBff(env, demo?.demoConnector, log)
  const servers = await listen(settings.port, settings.host, { headerPrefix })

  let redis: Redis | undefined
  let monitoring: Monitoring | undefined
  let service: OwnService | undefined
  let bff: Bff
  try {
    monitoring = await startMonitoring({ env, settings, log })
    const { meter } = monitoring
    redis = settings.redisUrl ? await openRedis(settings.redisUrl, log) : undefined
    if (ownBff.single?.chatUrl === undefined)
      service = await openOwnService({ ...options, ownBff, demo, redis, meter })
    const { runtime, count } = service ?? {}
    const client = redis
    const storeOf = (deployment: string) => (client ? redisStore(client, deployment) : count)
    bff = createSitesBff(await ownBffOptions({ bff: ownBff, settings, built, runtime, storeOf, log }))
  } catch (error) {
    for (const portServer of servers) portServer.close()
    await service?.close()
    redis?.destroy()
    await monitoring?.close()
    throw databaseProblem(data, error) ?? error
  }
  const visitorAddress = createVisitorAddress({ trusted: ownBff.trustedProxies, log })
  const answers = answersTo(settings.demo, settings.host, ownBff.publicOrigin)
  const probes = createProbes(service?.runtime ?? { healthy: async () => true })

  /** Answers a request that reaches neither BFF nor service. */
  const refuse = (status: number, problem: Problem, incoming: IncomingMessage): Response => {
    const { headers, body } = refusal(problem, refusedRequest(incoming, headerPrefix))
    return new Response(body, { status, headers })
  }
  const answerRequest = async (request: Request, incoming: IncomingMessage): Promise<Response> => {
    const { pathname, hostname } = new URL(request.url)
    const probed = await probes.answer(pathname)
    if (probed) return probed
    if (!answers(hostname)) return refuse(403, NOT_THIS_NAME, incoming)
    const address = visitorAddress(incoming.socket.remoteAddress, incoming.headers['x-forwarded-for'])
    if (pathname === '/foyer.js' || pathname.startsWith('/foyer/')) return bff.fetch(request, { address })
    return service ? service.fetch(request, { address }) : refuse(404, ELSEWHERE, incoming)
  }
  const answer = (incoming: IncomingMessage, response: ServerResponse): void => {
    const errorHandler = (error: unknown) => {
      if (error instanceof RequestError) return refuse(400, UNREADABLE, incoming)
      log(`a request failed: ${error instanceof Error ? error.message : 'unknown error'}`)
      return refuse(500, FAILED, incoming)
    }
    const listener = getRequestListener((request) => answerRequest(request, incoming), { errorHandler })
    void listener(incoming, response)
  }
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const refuseSocket = (status: number, problem: Problem) =>
      endWithProblem(socket, { status, ...problem }, refusedRequest(request, headerPrefix))
    if (!answers(hostnameOf(request))) return refuseSocket(403, NOT_THIS_NAME)
    return service ? service.upgrade(request, socket, head) : refuseSocket(404, ELSEWHERE)
  }
  for (const portServer of servers) {
    portServer.on('request', (request: IncomingMessage, response: ServerResponse) => {
      monitoring?.watch(request, response)
      if (settings.accessLog) logAccess(request, response, log)
      answer(request, response)
    })
    portServer.on('upgrade', upgrade)
  }
  if (!demo && ownBff.publicOrigin === undefined)
    log(
      'FOYER_PUBLIC_ORIGIN is not set, so the Host header of a request decides which origin gets tokens. Set it to the origin under which browsers reach this server, such as https://chat.example.com',
      'warn',
    )
  open(servers)
  return async (drainMs) => {
    probes.drain()
    if (drainMs > 0) await service?.runtime.drain(drainMs)
    for (const portServer of servers) portServer.close()
    await service?.close()
    redis?.destroy()
    await monitoring?.close()
    for (const portServer of servers) portServer.closeAllConnections()
  }
}

const NOT_THIS_NAME = {
  code: 'USER_ACCESS_FORBIDDEN',
  text: 'This server does not answer requests to this host name.',
}
const ELSEWHERE = {
  code: 'NOT_FOUND',
  text: 'This server has no API of its own: its chats go to the service of FOYER_CHAT_URL.',
}
const UNREADABLE = { code: 'BAD_REQUEST', text: 'The address or the Host header of the request is not valid' }
const FAILED = { code: 'INTERNAL_ERROR', text: 'Unexpected server error' }

/** The host name of a request; empty if the Host header is missing or not a host. */
function hostnameOf({ headers: { host = '' } }: IncomingMessage): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : ''
}
