// Starts BFF and runtime on one port, with the demo and the operator's control socket, which only this process has.
//
//   /foyer.js, /foyer/…         ─▶ bff ──┐ access tokens
//   the demo's pages, endpoints ─▶ demo ─┤ its desk, its phones
//   everything else, sockets   ─────────┴─▶ runtime ◀── control.sock ── commands

import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { playTourPerson } from '../agents/index.ts'
import type { Log } from '../api/index.ts'
import { type Bff, createSitesBff, createVisitorAddress } from '../bff/index.ts'
import { createSimulatedCarrier } from '../carriers/index.ts'
import {
  connectDatabase,
  createNotifyLink,
  createRedisLink,
  createRuntime,
  type Embeddings,
  type EndpointOptions,
  endpointEmbeddings,
  type Runtime,
  type RuntimeOptions,
  systemClock,
} from '../runtime/index.ts'
import { openAgent } from './agent.ts'
import { serveControl } from './control.ts'
import { databaseStore, redisStore } from './limit-store.ts'
import { listen, open } from './listener.ts'
import {
  createProbes,
  logAccess,
  type Monitoring,
  type ServerLog,
  startMonitoring,
} from './monitoring/index.ts'
import { perform } from './operator.ts'
import { answersTo, ownBffOptions, ownConnectors, readOwnBff } from './own-bff.ts'
import { openRedis, type Redis } from './redis.ts'
import { databaseProblem, type Environment, type Settings } from './settings.ts'
import { StartError } from './start-error.ts'

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
export async function startServer({
  env,
  settings,
  guideFolder,
  isOwnDocs,
  built,
  log,
}: ServerOptions): Promise<StopServer> {
  const { data, region, headerPrefix } = settings
  // Public keys and simulated phones are loaded in demo mode only.
  const demo = settings.demo ? await import('../../demo/server/index.ts') : undefined
  const ownBff = readOwnBff(env, demo?.demoConnector, log)
  // The tour shows Foyer, so it has no place beside the documents of somebody else.
  const tour = settings.demo && isOwnDocs && settings.agent.name === 'guide'
  const servers = await listen(settings.port, settings.host)

  const phones = demo ? createSimulatedCarrier() : undefined
  let agent: Awaited<ReturnType<typeof openAgent>> | undefined
  let redis: Redis | undefined
  let monitoring: Monitoring | undefined
  let runtime: Runtime
  let bff: Bff
  try {
    monitoring = await startMonitoring({ env, settings, log })
    const { meter } = monitoring
    redis = settings.redisUrl ? await openRedis(settings.redisUrl, log) : undefined
    const embeddings = settings.embeddings && (await openEmbeddings(settings.embeddings))
    // Before the documents are read, which takes its time too: a database that hangs is named within seconds.
    const store = await openStore(data, redis, log)
    agent = await openAgent(settings.agent, {
      folder: guideFolder,
      handsOff: settings.demo,
      // The demo serves the files as pages.
      ...(demo && { pages: `${ownBff.publicOrigin ?? `http://localhost:${settings.port}`}/docs/` }),
      tour,
      embeddings,
      log,
      meter,
    })
    runtime = await createRuntime({
      ...store,
      agent,
      connectors: demo ? [demo.demoConnector] : ownConnectors(ownBff),
      ...(demo && { projects: [demo.demoProject], keys: demo.demoApiKeys }),
      carrier: phones,
      embeddings,
      settings: settings.runtime,
      region,
      headerPrefix,
      log,
      meter,
    })
    const shared = redis ? redisStore(redis) : isPostgres(data) ? databaseStore(runtime) : undefined
    bff = createSitesBff(await ownBffOptions({ bff: ownBff, settings, built, runtime, store: shared, log }))
  } catch (error) {
    for (const portServer of servers) portServer.close()
    agent?.close()
    redis?.destroy()
    await monitoring?.close()
    throw databaseProblem(data, error) ?? error
  }
  const stopPerson =
    demo && tour
      ? playTourPerson({ desk: runtime.desk(demo.demoProject.id), clock: systemClock, log })
      : undefined
  const closeControl =
    typeof data === 'object' && 'folder' in data ? await openControl(data.folder, runtime, log) : undefined
  const pages =
    demo &&
    phones &&
    demo.createDemo(
      { folder: join(built, 'demo'), documents: guideFolder, find: agent.find },
      runtime,
      phones,
      tour ? 'tour' : settings.agent.name,
    )
  const visitorAddress = createVisitorAddress({ trusted: ownBff.trustedProxies, log })
  const answers = answersTo(settings.demo, settings.host, ownBff.publicOrigin)
  const probes = createProbes(runtime)

  const answerRequest = async (request: Request, incoming: IncomingMessage): Promise<Response> => {
    const { pathname, hostname } = new URL(request.url)
    const probed = await probes.answer(pathname)
    if (probed) return probed
    if (!answers(hostname)) return new Response(NOT_THIS_NAME, { status: 403 })
    const address = visitorAddress(incoming.socket.remoteAddress, incoming.headers['x-forwarded-for'])
    if (pathname === '/foyer.js' || pathname.startsWith('/foyer/')) return bff.fetch(request, { address })
    return (await pages?.fetch(request, ownBff.publicOrigin)) ?? runtime.fetch(request, { address })
  }
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (answers(hostnameOf(request))) return runtime.upgrade(request, socket, head)
    socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
  }
  const listener = getRequestListener((request, { incoming }) =>
    answerRequest(request, incoming as IncomingMessage),
  )
  for (const portServer of servers) {
    portServer.on('request', (request: IncomingMessage, response: ServerResponse) => {
      monitoring?.watch(request, response)
      if (settings.accessLog) logAccess(request, response, log)
      void listener(request, response)
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
    if (drainMs > 0) await runtime.drain(drainMs)
    for (const portServer of servers) portServer.close()
    stopPerson?.()
    pages?.close()
    await closeControl?.()
    await runtime.close()
    agent.close()
    redis?.destroy()
    await monitoring?.close()
    for (const portServer of servers) portServer.closeAllConnections()
  }
}

const NOT_THIS_NAME = 'This server does not answer requests to this host name.'

const isPostgres = (data: Settings['data']): data is { databaseUrl: string } =>
  typeof data === 'object' && 'databaseUrl' in data

/** The options of the runtime that say where its data is, and how it hears of other processes. */
async function openStore(
  data: Settings['data'],
  redis: Redis | undefined,
  log: Log,
): Promise<Pick<RuntimeOptions, 'data' | 'bus'>> {
  if (!isPostgres(data)) return { data }
  const database = await connectDatabase(data.databaseUrl, log)
  const bus = redis
    ? createRedisLink({ redis, log })
    : createNotifyLink({ url: data.databaseUrl, db: database, log })
  return { data: { database }, bus }
}

/** The host name of a request; empty if the Host header is missing or not a host. */
function hostnameOf({ headers: { host = '' } }: IncomingMessage): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : ''
}

/** Answers the operator's commands. A failure is logged, and the server still serves visitors. */
async function openControl(folder: string, runtime: Runtime, log: (line: string) => void) {
  try {
    return await serveControl({ folder, perform: (request) => perform(runtime.commands, request), log })
  } catch (error) {
    log(
      `commands cannot reach this server; stop the server before you run a command: ${(error as Error).message}`,
    )
    return undefined
  }
}

async function openEmbeddings(options: EndpointOptions): Promise<Embeddings> {
  try {
    return await endpointEmbeddings(options)
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { code?: string; message?: string } }
    throw new StartError(
      `The endpoint of FOYER_EMBEDDINGS_URL cannot be used (${cause?.code ?? cause?.message ?? message}). Correct FOYER_EMBEDDINGS_…, or omit them.`,
    )
  }
}
