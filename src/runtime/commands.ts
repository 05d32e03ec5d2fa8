// Wires the operator's commands: gathers those of each noun, subscribes nouns to the revoking of connectors and the erasing of
// conversations, and saves the projects, connectors and keys of the options.

import { randomUUID } from 'node:crypto'
import {
  type ConnectorCommands,
  type ConnectorRevoked,
  createConnectors,
  createKeys,
  createProjects,
  type KeyCommands,
  type ProjectCommands,
  projectOf,
} from './accounts/index.ts'
import { createErasing, type Erasing } from './admin/index.ts'
import { eraseCallsTo } from './calls/index.ts'
import { systemClock } from './clock.ts'
import {
  type ConversationCounts,
  type ConversationsErasing,
  countConversations,
  type UnansweredFilter,
  type UnansweredQuestion,
  unansweredQuestions,
} from './conversations/index.ts'
import {
  type Database,
  openDatabase,
  reachPostgres,
  retryOnConflict,
  type StoreData,
} from './database/index.ts'
import { createDomainEvent } from './domain-event.ts'
import { eraseConsent } from './messaging/index.ts'
import { DEFAULT_REGION, type RuntimeOptions } from './options.ts'
import { SCHEMAS } from './schemas.ts'
import { forgetAccessTokens, lockSessions } from './sessions/index.ts'

/** A command that cannot be carried out rejects with a CommandError. */
export interface Commands extends ProjectCommands, ConnectorCommands, KeyCommands, Erasing {
  /** Counts conversations and their vectors. */
  status(): Promise<ConversationCounts>
  /** Lists what visitors said that the agent did not understand, most frequent first. */
  questions(filter: UnansweredFilter): Promise<UnansweredQuestion[]>
}

export type CommandsOptions = {
  database: Database
  region: string
  now: () => number
  uuid: () => string
  /** Called after conversations were erased. Default: nobody has a socket here. */
  erased?: (ids: readonly string[]) => void
}

/** The domain events of commands, with the subscribers of each noun. */
export function createCommandEvents() {
  const connectorRevoked = createDomainEvent<ConnectorRevoked>()
  connectorRevoked.subscribe(({ tx, connectorId }) => forgetAccessTokens(tx, connectorId))
  const conversationsErasing = createDomainEvent<ConversationsErasing>()
  // Every writer locks the session before its conversation. Erasing keeps this order, to prevent deadlocks.
  conversationsErasing.subscribe(({ tx, ids }) => lockSessions(tx, ids))
  conversationsErasing.subscribe(async ({ tx, number }) => {
    if (number === undefined) return
    await eraseCallsTo(tx, number)
    await eraseConsent(tx, number)
  })
  return { connectorRevoked, conversationsErasing }
}

export function createCommands({
  database,
  region,
  now,
  uuid,
  erased = () => {},
}: CommandsOptions): Commands {
  const { connectorRevoked, conversationsErasing } = createCommandEvents()
  const shortId = () => uuid().replaceAll('-', '').slice(0, 8)
  return {
    ...createProjects({ database, shortId }),
    ...createConnectors({ database, connectorRevoked, shortId }),
    ...createKeys({ db: database, region, now, shortId }),
    ...createErasing(database, conversationsErasing, erased),
    status: () => countConversations(database),
    questions: (filter) => unansweredQuestions(database, filter, now()),
  }
}

/** Opens the data for commands only. Rejects with a DataFolderError if another process holds the data folder. */
export async function openCommands(
  data: StoreData,
  { region = DEFAULT_REGION }: { region?: string | undefined } = {},
): Promise<{ commands: Commands; close(): Promise<void> }> {
  // Somebody waits for a command, who may have given a wrong address. A start waits for its database.
  if (typeof data === 'object' && 'databaseUrl' in data) await reachPostgres(data.databaseUrl)
  const { database } = await openDatabase(data, SCHEMAS)
  return {
    commands: createCommands({ database, region, now: systemClock.now, uuid: randomUUID }),
    close: database.close,
  }
}

/**
 * Saves a row, once more if another server that starts saved it at the same moment. Two columns of each row are unique and `ON CONFLICT`
 * names one: PostgreSQL may report the other first.
 */
const savedOnce = <T>(save: () => Promise<T>): Promise<T> => retryOnConflict(save, 2)

/** Saves the projects, connectors and keys that the options name. */
export async function saveOptions(
  options: RuntimeOptions,
  database: Database,
  commands: Commands,
): Promise<void> {
  for (const project of options.projects ?? []) await savedOnce(() => commands.saveProject(project))
  for (const { token, ...connector } of options.connectors) {
    const { accountId, projectId: id } = connector
    if (!(await projectOf(database, id)))
      await savedOnce(() => commands.saveProject({ id, slug: id, accountId, accountSlug: accountId }))
    await savedOnce(() => commands.saveConnector(connector, token))
  }
  for (const { secret, ...key } of options.keys ?? []) await savedOnce(() => commands.saveKey(key, secret))
}
