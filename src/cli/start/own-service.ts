// Opens the service that runs beside the BFF: the agent, the runtime, the operator's control socket, and in demo mode the pages,
// phones and the tour's person. With FOYER_CHAT_URL the service is elsewhere, and nothing of this is opened.

import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import type { Log, Meter } from '../../api/index.ts'
import type { CountRequest } from '../../bff/index.ts'
import { createSimulatedCarrier } from '../../carriers/index.ts'
import {
  type BusLink,
  type Carrier,
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
} from '../../runtime/index.ts'
import { serveControl } from '../control.ts'
import { perform } from '../operator.ts'
import type { Redis } from '../redis.ts'
import type { Settings } from '../settings.ts'
import { StartError } from '../start-error.ts'
import { openAgent } from './agent.ts'
import { databaseStore } from './limit-store.ts'
import { type OwnBff, ownConnectors } from './own-bff.ts'
import type { LoadedAgent } from './own-module.ts'
import { readDisclosure } from './texts.ts'

/** The demo's module, which the server loads in demo mode only. */
type Demo = typeof import('../../../demo/server/index.ts')

export type OwnServiceOptions = {
  settings: Settings & { agent: LoadedAgent }
  ownBff: OwnBff
  demo: Demo | undefined
  /** Sends texts and places calls, in place of the simulated phones of the demo. */
  carrier: Carrier | undefined
  /** What a program gave in place of the bus of the settings. */
  bus: BusLink | undefined
  /** Holds the Markdown files to answer from. */
  guideFolder: string
  /** Whether they are Foyer's own docs. */
  isOwnDocs: boolean
  /** The folder of the built files. */
  built: string
  redis: Redis | undefined
  meter: Meter
  log: Log
}

export interface OwnService {
  readonly runtime: Runtime
  /** Counts requests for all processes of a PostgreSQL database; undefined if there is none. */
  readonly count: CountRequest | undefined
  fetch(request: Request, visitor: { address: string }): Promise<Response>
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  close(): Promise<void>
}

export async function openOwnService(options: OwnServiceOptions): Promise<OwnService> {
  const { settings, ownBff, demo, carrier, guideFolder, isOwnDocs, built, redis, meter, log } = options
  const { data, region, headerPrefix } = settings
  const disclosure = readDisclosure(settings.disclosure)
  const connectors = demo ? [demo.demoConnector] : ownConnectors(ownBff)
  if (carrier) log(abilitiesOf(carrier), 'info')
  if (carrier?.send && !carrier.connect)
    log('The carrier has no function connect: no text from a phone and no receipt arrives', 'warn')
  // The tour shows Foyer, so it has no place beside the documents of somebody else.
  const tour = isOwnDocs && settings.agent.name === 'guide' ? demo : undefined
  const phones = demo ? createSimulatedCarrier() : undefined
  const embeddings = settings.embeddings && (await openEmbeddings(settings.embeddings))
  // Before the documents are read, which takes its time too: a database that hangs is named within seconds.
  const store = await openStore(data, options.bus, redis, log)
  const {
    agent,
    find,
    close: closeAgent,
  } = await openAgent(settings.agent, {
    folder: guideFolder,
    handsOff: settings.demo,
    // The demo serves the files as pages.
    ...(demo && { pages: `${ownBff.publicOrigin ?? `http://localhost:${settings.port}`}/docs/` }),
    ...(tour && { offer: tour.tourWords.start }),
    embeddings,
    log,
    meter,
  })
  const opened = createRuntime({
    ...store,
    agent: tour && typeof agent !== 'function' ? tour.withTour(agent) : agent,
    connectors,
    ...(demo && { projects: [demo.demoProject], keys: demo.demoApiKeys }),
    carrier: carrier ?? phones,
    embeddings,
    disclosure,
    settings: settings.runtime,
    region,
    headerPrefix,
    log,
    meter,
  })
  const runtime = await opened.catch((error: unknown) => {
    closeAgent()
    throw error
  })
  const stopPerson = tour?.playTourPerson({
    desk: runtime.desk(tour.demoProject.id),
    clock: systemClock,
    log,
  })
  const closeControl =
    typeof data === 'object' && 'folder' in data ? await openControl(data.folder, runtime, log) : undefined
  const pages =
    demo &&
    phones &&
    demo.createDemo(
      { folder: join(built, 'demo'), documents: guideFolder, find },
      runtime,
      phones,
      tour ? 'tour' : settings.agent.name === 'address' ? 'own' : settings.agent.name,
    )
  return {
    runtime,
    count: typeof data === 'object' && 'databaseUrl' in data ? databaseStore(runtime) : undefined,
    fetch: async (request, visitor) =>
      (await pages?.fetch(request, ownBff.publicOrigin)) ?? runtime.fetch(request, visitor),
    upgrade: runtime.upgrade,
    async close() {
      stopPerson?.()
      pages?.close()
      await closeControl?.()
      await runtime.close()
      closeAgent()
    },
  }
}

/** The options of the runtime that say where its data is, and how it hears of other processes. */
async function openStore(
  data: Settings['data'],
  bus: BusLink | undefined,
  redis: Redis | undefined,
  log: Log,
): Promise<Pick<RuntimeOptions, 'data' | 'bus'>> {
  if (typeof data !== 'object' || !('databaseUrl' in data)) return { data, bus }
  const database = await connectDatabase(data.databaseUrl, log, data)
  const ownLink = () =>
    redis ? createRedisLink({ redis, log }) : createNotifyLink({ url: data.databaseUrl, db: database, log })
  return { data: { database }, bus: bus ?? ownLink() }
}

/** Which of texts and calls a carrier takes, for the log. */
function abilitiesOf({ send, call }: Carrier): string {
  if (send && call) return 'The carrier sends texts and places calls'
  return send
    ? 'The carrier sends texts, and has no function call: calls fail'
    : 'The carrier places calls, and has no function send: texts are refused'
}

/** Answers the operator's commands. A failure is logged, and the server still serves visitors. */
async function openControl(folder: string, runtime: Runtime, log: Log) {
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
