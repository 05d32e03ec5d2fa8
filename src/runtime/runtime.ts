// The runtime, put together: store, rules, agent, doors.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { createTokens } from './accounts/tokens.ts'
import { type Commands, createCommands, type KeyOptions } from './admin/admin.ts'
import { type CallSettings, createCallService, DEFAULT_CALL_SETTINGS } from './calls/calls.ts'
import { type Clock, every, systemClock } from './clock.ts'
import { createCursors } from './conversations/cursor.ts'
import { createEmbedder } from './conversations/embedder.ts'
import type { Embeddings } from './conversations/embeddings.ts'
import { offlineEmbeddings } from './conversations/offline-embeddings.ts'
import { createDesk, type Desk } from './handoff/queue.ts'
import { createDoors } from './http/router.ts'
import { type Carrier, noCarrier } from './messaging/carrier.ts'
import { createTextService, warnByText } from './messaging/messaging.ts'
import { createClean } from './redact.ts'
import { createHub } from './sessions/hub.ts'
import { type ConversationSettings, createConversations, DEFAULT_SETTINGS } from './sessions/sessions.ts'
import { createSockets } from './sessions/socket.ts'
import { openStore, type ProjectSettings, type Store, type StoreData } from './store-index.ts'
import type { Agent } from './turns/agent.ts'
import { createTurns } from './turns/turns.ts'

const SWEEP_MS = 1_000
const HEARTBEAT_MS = 5_000
const TIDY_MS = 300_000
const DEAD_AFTER_MS = 15_000
const STOP_MS = 5_000
const DAY_MS = 86_400_000

/** A connector: what a site has to show for itself. */
export type ConnectorOptions = {
  id: string
  /** Secret. Stored as a hash. */
  token: string
  /** Domain, origin or app namespace that must come as X-Host. */
  host: string
  allowSubdomains?: boolean
  accountId: string
  projectId: string
  environment: string
  /** Whether its calling tokens may call. */
  outboundCalling?: boolean
}

/** A project, which the document also calls the agent. */
export type ProjectOptions = {
  /** `PROJECT-` and 8 characters. */
  id: string
  slug: string
  /** `ws-` and 8 characters. */
  accountId: string
  accountSlug: string
  /** Whether the API shows what was said. Default true. */
  transcripts?: boolean
  /** Sender numbers and RCS senders by environment. */
  senders?: readonly { environment: string; kind: 'sms' | 'rcs'; address: string }[]
} & ProjectSettings

export type RuntimeSettings = ConversationSettings &
  CallSettings & {
    tokenTtlSeconds: number
    /** Access tokens that one connector gets in a minute; all its visitors share them. */
    tokensPerMinute: number
    /** Seconds that a conversation may wait at the desk. */
    deskWaitSeconds: number
    /** Days after which a conversation that ended is erased; 0: never. */
    retentionDays: number
    /** Whether card numbers are masked before anything is stored. */
    maskCards: boolean
  }

export type RuntimeOptions = {
  data: StoreData
  /** Answers visitors. */
  agent: Agent
  connectors: readonly ConnectorOptions[]
  projects?: readonly ProjectOptions[]
  /** Keys that are made beside those of the store. */
  keys?: readonly (KeyOptions & { secret: string })[]
  /** Default: none; messages wait and calls fail. */
  carrier?: Carrier
  /** Default: vectors without a model, which need no network. */
  embeddings?: Embeddings
  settings?: Partial<RuntimeSettings>
  /** Keys that sign access tokens and cursors, the first for new ones. Default: made once and kept in the store. */
  signingKeys?: readonly string[]
  region?: string
  headerPrefix?: string
  clock?: Clock
  log?: (line: string) => void
}

export type Runtime = {
  fetch(request: Request, context: { address: string }): Promise<Response>
  /** For the `upgrade` event of a Node server. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Ends a session as inactivity would. False where it is not active. */
  expire(sessionId: string): Promise<boolean>
  /** Where people take over from the agent. */
  desk: Desk
  /** Keys, connectors, projects, and what is to be forgotten. */
  commands: Commands
  /** Closes every socket with 1001, stops the agents and closes the store. */
  close(): Promise<void>
}

/** What holds where `settings` says nothing. */
export const defaultRuntimeSettings: Readonly<RuntimeSettings> = {
  ...DEFAULT_SETTINGS,
  ...DEFAULT_CALL_SETTINGS,
  tokenTtlSeconds: 86_400,
  tokensPerMinute: 6_000,
  deskWaitSeconds: 600,
  retentionDays: 90,
  maskCards: true,
}

/** Starts the runtime. Rejects with a DataFolderError where its folder is in use or cannot be written. */
export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  for (const [index, { token }] of options.connectors.entries())
    if (typeof token !== 'string' || token === '')
      throw new TypeError(`connectors[${index}].token is missing: give the secret that the site shows`)
  const clock = options.clock ?? systemClock
  const log = options.log ?? (() => {})
  const uuid = randomUUID
  const processId = uuid()
  const region = options.region ?? 'local'
  const headerPrefix = options.headerPrefix ?? 'Svc'
  const settings = { ...defaultRuntimeSettings, ...options.settings }
  const clean = createClean({ cards: settings.maskCards })
  const store = await openStore(options.data, uuid, clean, log)
  const now = clock.now
  try {
    const { registry, sessions, records, handoffs, texts, calls: callRows } = store
    // Nobody else can be at an embedded store: whoever is named there was killed.
    const alive = () => new Date(now() - DEAD_AFTER_MS)
    await registry.heartbeat(processId, new Date(now()), store.exclusive ? new Date('9999-01-01') : alive())
    const commands = createCommands({ store, region, now, uuid })
    await setUp(options, store, commands)

    const hub = createHub((error) => log(`a listener failed: ${(error as Error).message}`))
    const wake = (sessionId: string) => turns.wake(sessionId)
    const queueChanged = () => desk.queueChanged()
    const conversations = createConversations({
      sessions,
      registry,
      hub,
      clock,
      uuid,
      settings,
      warnByText: (session) => warnByText(session, uuid, new Date(now())),
      queueChanged,
      wake,
      log,
    })
    const { deskWaitSeconds } = settings
    const desk = createDesk({ handoffs, conversations, sessions, hub, clock, deskWaitSeconds, uuid, log })
    const turns = createTurns({
      agent: options.agent,
      conversations,
      sessions,
      records,
      clean,
      queueChanged,
      hub,
      clock,
      processId,
      uuid,
      log,
    })
    const carrier = options.carrier ?? noCarrier
    const text = createTextService({
      conversations,
      sessions,
      registry,
      texts,
      carrier,
      clock,
      uuid,
      processId,
      wake,
      log,
    })
    const calls = createCallService({
      calls: callRows,
      conversations,
      turns,
      hub,
      carrier,
      clock,
      uuid,
      processId,
      settings,
      clean,
      log,
    })
    const embeddings = options.embeddings ?? offlineEmbeddings
    await records.useModel(embeddings.model, embeddings.size)
    const embedder = createEmbedder({ records, embeddings, now })
    const keys = async (name: string) => options.signingKeys ?? [await registry.secret(name)]
    const tokens = createTokens({
      keys: await keys('signing-key'),
      issuer: `foyer:${region}`,
      ttlSeconds: settings.tokenTtlSeconds,
      now,
      uuid,
    })
    const doors = createDoors({
      registry,
      records,
      handoffs,
      tokens,
      tokensPerMinute: settings.tokensPerMinute,
      conversations,
      text,
      calls,
      embeddings,
      cursors: createCursors(await keys('cursor-key')),
      region,
      headerPrefix,
      now,
      uuid,
      log,
    })
    const sockets = createSockets({ conversations, registry, tokens, hub, clock, processId, uuid, log })

    const repeat = (ms: number, name: string, task: () => Promise<unknown>) =>
      every(clock, ms, () =>
        task().then(
          () => {},
          (error: Error) => log(`${name} failed: ${error.message}`),
        ),
      )
    await turns.recover()
    const stops = [
      // Each by itself: what fails in one holds up no other.
      repeat(SWEEP_MS, 'the sweep of conversations', () => conversations.sweep()),
      repeat(SWEEP_MS, 'the sweep of the desk', () => desk.sweep()),
      repeat(SWEEP_MS, 'the sweep of calls', () => calls.sweep()),
      repeat(SWEEP_MS, 'delivery', async () => text.deliver()),
      repeat(SWEEP_MS, 'embedding', () => embedder.work()),
      repeat(HEARTBEAT_MS, 'the heartbeat', async () => {
        await registry.heartbeat(processId, new Date(now()), alive())
        await turns.recover()
      }),
      repeat(TIDY_MS, 'tidying', async () => {
        await registry.forgetRates(new Date(now() - TIDY_MS * 2))
        if (settings.retentionDays > 0)
          await commands.eraseEndedBefore(new Date(now() - settings.retentionDays * DAY_MS))
      }),
    ]
    let closing: Promise<void> | undefined
    return {
      fetch: doors.fetch,
      upgrade: sockets.upgrade,
      expire: (sessionId) => conversations.expire(sessionId, true),
      desk,
      commands,
      close() {
        closing ??= (async () => {
          for (const stop of stops) stop()
          await calls.stop(STOP_MS)
          await turns.stop()
          await text.stop(STOP_MS)
          await sockets.stop(STOP_MS)
          await embedder.stop()
          await desk.settled()
          await registry.forgetProcess(processId)
          await store.close()
        })()
        return closing
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Writes what the options name into the store. */
async function setUp(options: RuntimeOptions, store: Store, commands: Commands): Promise<void> {
  for (const project of options.projects ?? []) await commands.saveProject(project)
  for (const { token, ...connector } of options.connectors) {
    const { accountId, projectId: id } = connector
    if (!(await store.registry.projectOf(id)))
      await commands.saveProject({ id, slug: id, accountId, accountSlug: accountId })
    await commands.saveConnector(connector, token)
  }
  for (const { secret, ...key } of options.keys ?? []) await commands.saveKey(key, secret)
}
