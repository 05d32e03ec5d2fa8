// The runtime, put together: store, rules, agent, doors.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Agent } from './agents/agent.ts'
import { createGuide } from './agents/guide.ts'
import { type Clock, every, systemClock } from './clock.ts'
import { type ConversationSettings, createConversations, DEFAULT_SETTINGS } from './conversation.ts'
import { createDoors } from './http.ts'
import { createHub } from './hub.ts'
import { createSockets } from './socket.ts'
import {
  createRegistry,
  createSessions,
  type Database,
  migrate,
  openPglite,
  openPostgres,
} from './store/index.ts'
import { createTokens } from './tokens.ts'
import { createTurns } from './turns.ts'

const SWEEP_MS = 1_000
const HEARTBEAT_MS = 5_000
const DEAD_AFTER_MS = 15_000
const STOP_MS = 5_000

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
}

export type RuntimeOptions = {
  /** `folder`: embedded, in this folder. `databaseUrl`: a PostgreSQL server. `memory`: gone with the process. */
  data: { folder: string } | { databaseUrl: string } | { database: Database } | 'memory'
  agent: Agent | 'guide'
  /** Whose Markdown files the guide answers from. */
  guideFolder?: string
  connectors: readonly ConnectorOptions[]
  settings?: Partial<ConversationSettings> & { tokenTtlSeconds?: number }
  /** Keys that sign access tokens, the first for new ones. Default: one that is made once and kept in the store. */
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
  /** Closes every socket with 1001, stops the agents and closes the store. */
  close(): Promise<void>
}

/** Starts the runtime. Rejects with a DataFolderError where its folder is in use or cannot be written. */
export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  const clock = options.clock ?? systemClock
  const log = options.log ?? (() => {})
  const uuid = randomUUID
  const processId = uuid()
  const { database, exclusive } = await openStore(options.data)
  try {
    await migrate(database)
    const registry = createRegistry(database)
    // Nobody else can be at an embedded store: whoever is named there was killed.
    const alive = () => new Date(clock.now() - DEAD_AFTER_MS)
    await registry.heartbeat(processId, new Date(clock.now()), exclusive ? new Date('9999-01-01') : alive())
    for (const { token, host, ...connector } of options.connectors)
      await registry.saveConnector(
        {
          id: connector.id,
          host,
          allow_subdomains: connector.allowSubdomains ?? false,
          account_id: connector.accountId,
          project_id: connector.projectId,
          environment: connector.environment,
        },
        token,
      )

    const sessions = createSessions(database, uuid)
    const hub = createHub()
    const conversations = createConversations({
      sessions,
      hub,
      clock,
      uuid,
      settings: { ...DEFAULT_SETTINGS, ...options.settings },
      wake: (sessionId) => turns.wake(sessionId),
    })
    const agent =
      options.agent === 'guide'
        ? await createGuide({ database, folder: options.guideFolder ?? 'docs' })
        : options.agent
    const turns = createTurns({ agent, conversations, sessions, hub, clock, processId, uuid, log })
    const tokens = createTokens({
      keys: options.signingKeys ?? [await registry.secret('signing-key')],
      issuer: `foyer:${options.region ?? 'local'}`,
      ttlSeconds: options.settings?.tokenTtlSeconds ?? 86_400,
      now: clock.now,
      uuid,
    })
    const doors = createDoors({
      registry,
      tokens,
      conversations,
      headerPrefix: options.headerPrefix ?? 'Svc',
      uuid,
      log,
    })
    const sockets = createSockets({ conversations, registry, tokens, hub, clock, processId, uuid, log })

    const guarded = (name: string, task: () => Promise<unknown>) => () =>
      task().then(
        () => {},
        (error: Error) => log(`${name} failed: ${error.message}`),
      )
    await turns.recover()
    const stops = [
      every(
        clock,
        SWEEP_MS,
        guarded('the sweep', () => conversations.sweep()),
      ),
      every(
        clock,
        HEARTBEAT_MS,
        guarded('the heartbeat', async () => {
          await registry.heartbeat(processId, new Date(clock.now()), alive())
          await turns.recover()
        }),
      ),
    ]
    let closing: Promise<void> | undefined
    return {
      fetch: doors.fetch,
      upgrade: sockets.upgrade,
      expire: (sessionId) => conversations.expire(sessionId, true),
      close() {
        closing ??= (async () => {
          for (const stop of stops) stop()
          await turns.stop()
          await sockets.stop(STOP_MS)
          await registry.forgetProcess(processId)
          await database.close()
        })()
        return closing
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

async function openStore(data: RuntimeOptions['data']): Promise<{ database: Database; exclusive: boolean }> {
  if (data === 'memory') return { database: await openPglite(undefined), exclusive: true }
  if ('folder' in data) return { database: await openPglite(data.folder), exclusive: true }
  if ('databaseUrl' in data) return { database: openPostgres(data.databaseUrl), exclusive: false }
  return { database: data.database, exclusive: false }
}
