// What the operator does: keys, connectors, projects, and what is to be forgotten.

import { randomBytes } from 'node:crypto'
import type { ConnectorOptions, ProjectOptions } from './runtime.ts'
import {
  type ApiKey,
  type Connector,
  type KeyKind,
  PERMISSIONS,
  type Permission,
  type Project,
  type Store,
} from './store/index.ts'

export type KeyOptions = {
  /** Default: made. */
  id?: string
  /** Default `runtime`. */
  kind?: KeyKind
  name?: string
  accountId: string
  /** Default: all projects of the account. */
  projectId?: string
  /** Whose calling token it is. */
  connectorId?: string
  /** Default: all. */
  permissions?: readonly Permission[]
  /** Default: that of the runtime. */
  region?: string
}

/** Something that was asked for and cannot be done. Its message says why, and what to do. */
export class CommandError extends Error {
  override name = 'CommandError'
}

export type Commands = ReturnType<typeof createCommands>

const PREFIX: Readonly<Record<KeyKind, string>> = { runtime: 'fr', build: 'fb', calling: 'fc' }

export function createCommands({
  store,
  region,
  now,
  uuid,
}: {
  store: Store
  region: string
  now: () => number
  uuid: () => string
}) {
  const { registry, records } = store
  const short = () => uuid().replaceAll('-', '').slice(0, 8)

  async function saveKey(options: KeyOptions, secret: string): Promise<ApiKey> {
    const { kind = 'runtime', permissions = PERMISSIONS, projectId, connectorId } = options
    const unknown = permissions.find((permission) => !PERMISSIONS.includes(permission))
    if (unknown)
      throw new CommandError(`There is no permission ${unknown}. There are: ${PERMISSIONS.join(', ')}.`)
    const projects = (await registry.projects()).filter((project) => project.account_id === options.accountId)
    if (projects.length === 0)
      throw new CommandError(`There is no account ${options.accountId}. Make a project in it first.`)
    if (projectId !== undefined && !projects.some((project) => project.id === projectId))
      throw new CommandError(`The account ${options.accountId} has no project ${projectId}.`)
    if (kind === 'calling') {
      const connector = connectorId === undefined ? undefined : await registry.connectorOf(connectorId)
      if (connector?.account_id !== options.accountId)
        throw new CommandError(
          'A calling token needs the ID of a connector of the account: --connector CON-…',
        )
    }
    const key: ApiKey = {
      id: options.id ?? `KEY-${short()}`,
      kind,
      name: options.name ?? '',
      region: options.region ?? region,
      account_id: options.accountId,
      project_id: projectId ?? null,
      connector_id: connectorId ?? null,
      permissions: kind === 'runtime' ? [...permissions] : [],
      created_at: new Date(now()),
      revoked_at: null,
    }
    await registry.saveKey(key, secret)
    return key
  }

  async function saveConnector(options: Omit<ConnectorOptions, 'token'>, token: string): Promise<Connector> {
    const project = await registry.projectOf(options.projectId)
    if (project?.account_id !== options.accountId)
      throw new CommandError(`The account ${options.accountId} has no project ${options.projectId}.`)
    const connector: Connector = {
      id: options.id,
      host: options.host,
      allow_subdomains: options.allowSubdomains ?? false,
      account_id: options.accountId,
      project_id: options.projectId,
      environment: options.environment,
      outbound_calling: options.outboundCalling ?? false,
    }
    await registry.saveConnector(connector, token)
    return connector
  }

  return {
    /** Makes a key. Its secret is told this once, and stored as a hash. */
    async createKey(options: KeyOptions): Promise<{ key: ApiKey; secret: string }> {
      const secret = `${PREFIX[options.kind ?? 'runtime']}_${randomBytes(32).toString('base64url')}`
      return { key: await saveKey(options, secret), secret }
    },
    saveKey,
    keys: registry.keys,
    /** False where there is no such key, or it was revoked before. */
    revokeKey: (id: string): Promise<boolean> => registry.revokeKey(id, new Date(now())),

    async createConnector(
      options: Omit<ConnectorOptions, 'token' | 'id'>,
    ): Promise<{ connector: Connector; token: string }> {
      const token = `ct_${randomBytes(32).toString('base64url')}`
      return { connector: await saveConnector({ ...options, id: `CON-${short()}` }, token), token }
    },
    saveConnector,
    connectors: registry.connectors,
    revokeConnector: registry.revokeConnector,

    projects: registry.projects,
    async saveProject(options: ProjectOptions): Promise<Project> {
      const { id, slug, accountId, accountSlug, transcripts = true, senders = [], ...settings } = options
      const project: Project = {
        id,
        slug,
        account_id: accountId,
        account_slug: accountSlug,
        transcripts,
        settings,
      }
      await registry.saveProject(project)
      for (const sender of senders) await registry.saveSender({ project_id: id, ...sender })
      return project
    },
    /** Switches whether the API shows what was said. False where there is no such project. */
    async setTranscripts(projectId: string, transcripts: boolean): Promise<boolean> {
      const project = await registry.projectOf(projectId)
      if (project) await registry.saveProject({ ...project, transcripts })
      return project !== undefined
    },

    /** Erases a conversation with all that hangs on it. False where there is none. */
    eraseConversation: records.erase,
    /** Erases what is known of a phone number. Returns how many conversations went. */
    eraseNumber: records.eraseNumber,
    /** Erases conversations that ended before. Returns how many. */
    async eraseEndedBefore(time: Date): Promise<number> {
      let all = 0
      for (;;) {
        const erased = await records.eraseEndedBefore(time)
        all += erased
        if (erased === 0) return all
      }
    },
  }
}
