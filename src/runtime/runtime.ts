// Wires the runtime: opens the database, creates every noun, and subscribes the nouns to the domain events of
// lower nouns.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { correlationHeaderOf, DEFAULT_HEADER_PREFIX, noMeter } from '../api/index.ts'
import { accessTokenRoutes, createAccessTokens, keptSecret } from './accounts/index.ts'
import { createBus, createNotifyLink, type NotifyOptions } from './bus/index.ts'
import { type CallLeg, callRoutes, createCalls } from './calls/index.ts'
import { checkRuntimeOptions } from './check-options.ts'
import { isShared, sharedClock, systemClock } from './clock.ts'
import { type Commands, createCommands, saveOptions } from './commands.ts'
import {
  concurrencyRoutes,
  conversationRoutes,
  createCursors,
  createEmbedder,
  createIndexer,
  createSearchUpkeep,
  createVectorStore,
  findConversation,
  offlineEmbeddings,
} from './conversations/index.ts'
import { createHealthCheck, createOutageLog, type Database, openDatabase, readsOf } from './database/index.ts'
import { createDomainEvent, type DomainEvent } from './domain-event.ts'
import { type BuildFiles, createBuildFiles } from './files/index.ts'
import { registerGauges } from './gauges.ts'
import {
  createDesks,
  createHandoffQueue,
  createLiveAgents,
  createQueuePresence,
  type Desk,
  type HandoffQueue,
  handoffRoutes,
} from './handoff/index.ts'
import { answerClientError, createRouter } from './http/index.ts'
import { countRequest, createHeartbeat } from './jobs/index.ts'
import { createMessaging, type Messaging, messagingRoutes } from './messaging/index.ts'
import { DEFAULT_REGION, defaultRuntimeSettings, type RuntimeOptions } from './options.ts'
import { startPeriodicJobs } from './periodic-jobs.ts'
import { createRedaction } from './redact.ts'
import { BUILD, SCHEMAS } from './schemas.ts'
import {
  createHub,
  createInactivity,
  createPlaces,
  createPresence,
  createSessionEvents,
  createSessions,
  createSockets,
  createTransientEvents,
  lastSequences,
  type SessionEvents,
  sessionRoutes,
} from './sessions/index.ts'
import { createShutdown, type Shutdown } from './shutdown.ts'
import { createTurns, type HandedOff, type Turns } from './turns/index.ts'

/** A running runtime. */
export type Runtime = Shutdown & {
  /** Answers one request over HTTP. `address`: of the visitor, for limits. */
  fetch(request: Request, context: { address: string }): Promise<Response>
  /** For the `upgrade` event of a Node server. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /**
   * For the `clientError` event of a Node server: answers what Node cannot read, such as an address that is not percent-encoded, in the
   * error format of the address, and closes the connection.
   */
  clientError(error: Error, socket: Duplex): void
  /** Expires a session now. False if it is not active. */
  expire(sessionId: string): Promise<boolean>
  /** The metrics of a conversation by name, each with one value or several. Undefined if the conversation does not exist. */
  metrics(conversationId: string): Promise<Readonly<Record<string, string | string[]>> | undefined>
  /**
   * The runtime's end of a call in progress, by its SID, on any process of the database: for a carrier whose webhooks reach another
   * process than the one that placed the call. Undefined if the call is unknown, not placed yet, or over.
   */
  leg(callSid: string): Promise<CallLeg | undefined>
  /** Whether the database answers. Resolves within three seconds. */
  healthy(): Promise<boolean>
  /**
   * Counts a request of a BFF, for all processes on this database: the requests of `key` in the current window of so many
   * seconds, and the seconds until it ends.
   */
  countRequest(key: string, seconds: number): Promise<{ count: number; wait: number }>
  /** A secret for the cookies of a BFF: generated once and kept in the database. */
  cookieSecret(): Promise<string>
  /** The widget's files of all builds that use the database. */
  files: BuildFiles
  /** The desk of a project: where its live agents take over from the agent. */
  desk(projectId: string): Desk
  /** The operator's commands. */
  commands: Commands
}

/** The bus of a database that is named by its URL. */
const notifyLink = ({ data }: RuntimeOptions, shared: Pick<NotifyOptions, 'db' | 'log'>) =>
  typeof data === 'object' && 'databaseUrl' in data
    ? createNotifyLink({ ...shared, url: data.databaseUrl })
    : undefined

/**
 * Starts the runtime. Rejects with a DataFolderError if its folder is in use, cannot be written, or was written
 * by another build.
 */
export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  checkRuntimeOptions(options)
  const opened = await openDatabase(options.data, SCHEMAS, options.log)
  try {
    return await wire(options, opened.database, opened.exclusive)
  } catch (error) {
    await opened.database.close()
    throw error
  }
}

async function wire(options: RuntimeOptions, database: Database, exclusive: boolean): Promise<Runtime> {
  const {
    clock: given = systemClock,
    log = () => {},
    meter = noMeter,
    region = DEFAULT_REGION,
    headerPrefix = DEFAULT_HEADER_PREFIX,
  } = options
  // Nothing corrects a clock that a test turns by hand.
  const clock = given === systemClock ? sharedClock() : given
  const uuid = randomUUID
  const processId = uuid()
  const now = clock.now
  const settings = { ...defaultRuntimeSettings, ...options.settings }
  const redact = createRedaction({ cards: settings.maskCards })
  const shared = {
    ...{ database, db: database, reads: readsOf(database), redact, clock, now, uuid },
    ...{ processId, deadAfterSeconds: settings.deadAfterSeconds, region, headerPrefix, log, meter },
    ...createOutageLog(log),
    correlationHeader: correlationHeaderOf(headerPrefix),
  }
  registerGauges(meter, database, clock)

  const heartbeat = createHeartbeat({ ...shared, build: BUILD, db: database.apart ?? database })
  const link = options.bus ?? notifyLink(options, shared)
  // Clocks that are turned by hand differ by more than the age of a text may be.
  const busNow = isShared(clock) ? now : Date.now
  const bus = createBus({ ...shared, now: busNow, link, key: await keptSecret(database, 'bus-signing-key') })
  // Only this process can have an embedded database open, so all other processes in its list were killed.
  bus.count(await heartbeat.start(exclusive))
  const hub = createHub({
    tell: bus.publish,
    lastSequences: (ids) => lastSequences(database, ids),
    failed: (error) => shared.logFailure('a listener failed', error),
  })
  const commands = createCommands({ ...shared, erased: (ids) => ids.forEach(hub.look) })
  await saveOptions(options, database, commands)

  const transient = createTransientEvents(clock, uuid)
  const events = createSessionEvents()
  const handedOff = createDomainEvent<HandedOff>()
  const sessions = createSessions({ ...shared, events, hub, capabilities: settings })
  const inactivity = createInactivity({ ...shared, sessions, transient, settings })
  const { agent, disclosure } = options
  const talk = { ...shared, sessions, transient, hub }
  const queue = createHandoffQueue({ ...talk, deskWaitSeconds: settings.deskWaitSeconds })
  const liveAgents = createLiveAgents({ ...shared, ...queue, sessions })
  const turns = createTurns({ ...talk, agent, disclosure, desk: liveAgents, handedOff })
  const presence = createPresence(now)
  const queuePresence = createQueuePresence({
    ...shared,
    presence,
    heartbeatSeconds: settings.heartbeatSeconds,
    watched: queue.watched,
    changed: queue.tellDeskHere,
  })
  const deskOf = createDesks({ ...talk, queue, presence: queuePresence, liveAgents })
  const messaging = createMessaging({
    ...shared,
    ...{ sessions, carrier: options.carrier, textGraceSeconds: settings.textGraceSeconds },
  })
  const calls = createCalls({ ...shared, sessions, turns, settings, carrier: options.carrier })
  subscribe({ events, handedOff, turns, messaging, queue })

  const embeddings = options.embeddings ?? offlineEmbeddings
  const vectors = createVectorStore(database)
  const embedder = createEmbedder({ ...shared, vectors, embeddings })
  const indexer = createIndexer({ database, now })
  const searchUpkeep = createSearchUpkeep({ database, vectors, embeddings })

  const keys = async (name: string) => options.signingKeys ?? [await keptSecret(database, name)]
  const tokens = createAccessTokens({
    ...shared,
    keys: await keys('signing-key'),
    issuer: `foyer:${region}`,
    ttlSeconds: settings.tokenTtlSeconds,
  })
  const cursors = createCursors(await keys('cursor-key'))
  const router = createRouter({
    ...shared,
    nouns: [
      accessTokenRoutes({ ...shared, tokens, tokensPerMinute: settings.tokensPerMinute }),
      sessionRoutes({ ...shared, sessions, tokens }),
      conversationRoutes({ ...shared, vectors, indexer, embeddings, cursors }),
      concurrencyRoutes(shared),
      handoffRoutes(shared),
      messagingRoutes({ ...shared, messaging }),
      callRoutes({ ...shared, calls }),
    ],
  })
  const places = createPlaces({ ...shared, hub, presence, transient })
  const sockets = createSockets({ ...shared, sessions, transient, tokens, hub, presence, places })

  await bus.open(hub)
  const files = createBuildFiles(database)
  await turns.recover()
  const stopPeriodic = startPeriodicJobs({
    ...shared,
    ...{ places, inactivity, queue, queuePresence, liveAgents, calls, messaging, turns },
    ...{ embedder, searchUpkeep, indexer, files, erasing: commands },
    beatSeconds: settings.beatSeconds,
    async heartbeat() {
      const others = await heartbeat.beat(sockets.register)
      bus.count(others)
      // A command on the database may have erased a conversation, and a process that was killed may not have told what it stored.
      hub.lookAtSessions()
    },
    retentionDays: settings.retentionDays,
  })
  return {
    fetch: router.fetch,
    upgrade: sockets.upgrade,
    clientError: (error, socket) => answerClientError(error, socket, headerPrefix),
    expire: (sessionId) => inactivity.expire(sessionId, true),
    healthy: createHealthCheck(database, clock),
    countRequest: (key, seconds) => countRequest(database, key, seconds, new Date(now())),
    cookieSecret: () => keptSecret(database, 'cookie-secret'),
    metrics: async (id) => (await findConversation(database, id))?.metrics,
    leg: calls.leg,
    files,
    desk: deskOf,
    commands,
    ...createShutdown({
      ...shared,
      ...{ calls, turns, messaging, sockets, embedder, indexer, queue, bus, stopPeriodic },
    }),
  }
}

/** What follows from the domain events of lower nouns. */
function subscribe({
  events,
  handedOff,
  turns,
  messaging,
  queue,
}: {
  events: SessionEvents
  handedOff: DomainEvent<HandedOff>
  turns: Turns
  messaging: Messaging
  queue: HandoffQueue
}): void {
  events.inputStored.subscribe(turns.inputStored)
  events.messageStored.subscribe(messaging.messageStored)
  events.idleWarningDue.subscribe(messaging.idleWarningDue)
  events.inputStored.subscribe(queue.inputStored)
  events.userTyped.subscribe(queue.userTyped)
  events.stopAsked.subscribe(turns.stopAsked)
  events.sessionEnded.subscribe(turns.sessionEnded)
  events.queueLeft.subscribe(queue.queueLeft)
  events.agentBack.subscribe(turns.agentBack)
  events.sessionEnded.subscribe(queue.sessionEnded)
  handedOff.subscribe(queue.handedOff)
}
