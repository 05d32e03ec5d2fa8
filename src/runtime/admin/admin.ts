// Creates the operator's commands: for projects, senders, connectors and keys, and for erasing.

import {
  type ApiKey,
  type Connector,
  listConnectors,
  listKeys,
  listProjects,
  markKeyRevoked,
  type Project,
  revokeConnector,
  type Sender,
  sendersOf,
} from '../accounts/index.ts'
import { type ConversationCounts, countConversations } from '../conversations/index.ts'
import { createConnector, saveConnector } from './connectors.ts'
import type { AdminContext, AdminOptions } from './context.ts'
import { eraseConversation, eraseEndedBefore, eraseNumber } from './erasing.ts'
import { createKey, saveKey } from './keys.ts'
import type { ConnectorOptions, KeyOptions, NewProject, ProjectOptions } from './options.ts'
import { createProject, saveProject, saveSender, setTranscripts } from './projects.ts'

/** A command that cannot be carried out rejects with a CommandError. */
export interface Commands {
  /** Creates a key. Only this call returns its secret. */
  createKey(options: KeyOptions): Promise<{ key: ApiKey; secret: string }>
  saveKey(options: KeyOptions, secret: string): Promise<ApiKey>
  keys(): Promise<ApiKey[]>
  /** False if the key is unknown or was revoked before. */
  revokeKey(id: string): Promise<boolean>

  /** Creates a connector. Only this call returns its token. */
  createConnector(
    options: Omit<ConnectorOptions, 'token' | 'id'>,
  ): Promise<{ connector: Connector; token: string }>
  saveConnector(options: Omit<ConnectorOptions, 'token'>, token: string): Promise<Connector>
  /** All connectors, revoked ones included. */
  connectors(): Promise<(Connector & { revoked: boolean })[]>
  /** Revokes a connector and the access tokens that it got. False if the connector is unknown or was revoked before. */
  revokeConnector(id: string): Promise<boolean>

  projects(): Promise<Project[]>
  /** Creates a project, and its account if the project is the first in it. */
  createProject(options: NewProject): Promise<Project>
  saveProject(options: ProjectOptions): Promise<Project>
  /** Switches whether the API shows transcripts. False if there is no such project. */
  setTranscripts(projectId: string, transcripts: boolean): Promise<boolean>
  saveSender(sender: Sender): Promise<void>
  /** The senders of a project, in all environments. */
  senders(projectId: string): Promise<Sender[]>

  /** Counts conversations and their vectors. */
  status(): Promise<ConversationCounts>
  /** Erases a conversation with everything that belongs to it. False if it does not exist. */
  eraseConversation(id: string): Promise<boolean>
  /** Erases all data of a phone number. Returns the number of erased conversations. */
  eraseNumber(number: string): Promise<number>
  /** Erases conversations that ended before the given time. Returns their number. */
  eraseEndedBefore(time: Date): Promise<number>
}

export function createCommands({ database, events, ...rest }: AdminOptions): Commands {
  const context: AdminContext = { db: database, ...rest }
  const { connectorRevoked, conversationsErasing: erasing } = events
  return {
    createKey: (options) => createKey(context, options),
    saveKey: (options, secret) => saveKey(context, options, secret),
    keys: () => listKeys(database),
    revokeKey: (id) => markKeyRevoked(database, id, new Date(context.now())),
    createConnector: (options) => createConnector(context, options),
    saveConnector: (options, token) => saveConnector(context, options, token),
    connectors: () => listConnectors(database),
    revokeConnector: (id) => revokeConnector(database, connectorRevoked, id),
    projects: () => listProjects(database),
    createProject: (options) => createProject(database, context, options),
    saveProject: (options) => saveProject(context, options),
    setTranscripts: (projectId, transcripts) => setTranscripts(context, projectId, transcripts),
    saveSender: (sender) => saveSender(context, sender),
    senders: (projectId) => sendersOf(database, projectId),
    status: () => countConversations(database),
    eraseConversation: (id) => eraseConversation(database, erasing, id),
    eraseNumber: (number) => eraseNumber(database, erasing, number),
    eraseEndedBefore: (time) => eraseEndedBefore(database, erasing, time),
  }
}
