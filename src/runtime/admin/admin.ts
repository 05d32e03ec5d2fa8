// What the operator does: keys, connectors, projects, and what is to be forgotten.

import { randomBytes, randomUUID } from 'node:crypto'
import { ENVIRONMENTS } from '../../api/index.ts'
import { systemClock } from '../clock.ts'
import { createClean } from '../redact.ts'
import type { ConnectorOptions, ProjectOptions } from '../runtime.ts'
import {
  type ApiKey,
  type Connector,
  type KeyKind,
  openStore,
  PERMISSIONS,
  type Permission,
  type Project,
  type Registry,
  type Store,
  type StoreData,
} from '../store-index.ts'

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

/** A number or an RCS sender that a project writes from and is written to. */
type Sender = Parameters<Registry['saveSender']>[0]

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
    if (kind !== 'runtime' && options.permissions !== undefined)
      throw new CommandError('Only runtime keys have permissions. Leave --permissions away.')
    if (kind !== 'calling' && connectorId !== undefined)
      throw new CommandError(`A ${kind} key belongs to no connector. Leave --connector away.`)
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
      if (connectorId !== undefined && connector?.account_id !== options.accountId)
        throw new CommandError(
          `The account ${options.accountId} has no connector ${connectorId}. See: connectors list`,
        )
      if (connector === undefined)
        throw new CommandError(
          'A calling token needs the ID of a connector of the account: --connector CON-…',
        )
      if (projectId !== undefined && projectId !== connector.project_id)
        throw new CommandError(
          `The connector ${connector.id} is of ${connector.project_id}: its calling tokens are for no other project.`,
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

  /** A name may mean one thing only: it stands in paths, and in what phones are answered from. */
  async function saveSender(sender: Sender): Promise<void> {
    const { project_id, environment, address } = sender
    if (!(await registry.projectOf(project_id))) throw new CommandError(`There is no project ${project_id}.`)
    const known = await registry.findSender(address)
    if (known && (known.project_id !== project_id || known.environment !== environment))
      throw new CommandError(
        `${address} is a sender of ${known.project_id} in ${known.environment}: what is written to it would not be told apart.`,
      )
    await registry.saveSender(sender)
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
    /** Its access tokens too are good for nothing from now on. False where it is unknown or was revoked before. */
    revokeConnector: registry.revokeConnector,

    projects: registry.projects,
    /** Makes a project, and the account where it is the first in it. */
    async createProject(options: {
      /** Default: made. */
      id?: string | undefined
      slug: string
      /** Default: the account that has the slug, or a new one. */
      accountId?: string | undefined
      /** Default: that of the account. */
      accountSlug?: string | undefined
    }): Promise<Project> {
      const { slug } = options
      if (options.accountId === undefined && options.accountSlug === undefined)
        throw new CommandError('Name the account with --account, or a new one with --account-slug.')
      const projects = await registry.projects()
      const account = projects.find((project) =>
        options.accountId === undefined
          ? project.account_slug === options.accountSlug
          : project.account_id === options.accountId,
      )
      const id = options.id ?? `PROJECT-${short()}`
      const accountId = options.accountId ?? account?.account_id ?? `ws-${short()}`
      const accountSlug = options.accountSlug ?? account?.account_slug
      if (projects.some((project) => project.id === id))
        throw new CommandError(`There is a project ${id} already. Choose another ID.`)
      if (accountSlug === undefined)
        throw new CommandError(`The account ${accountId} is new: give it a slug with --account-slug.`)
      if (account && account.account_slug !== accountSlug)
        throw new CommandError(
          `The account ${accountId} has the slug ${account.account_slug}. Give that one, or none.`,
        )
      // In a path an account is named by either.
      const taken = projects.some(
        (project) =>
          project.account_id !== accountId &&
          [project.account_slug, project.account_id].includes(accountSlug),
      )
      if (taken || (/^ws-[a-z0-9]{8}$/.test(accountSlug) && accountSlug !== accountId))
        throw new CommandError(`The slug ${accountSlug} means another account. Choose another one.`)
      if (projects.some((project) => project.account_id === accountId && project.slug === slug))
        throw new CommandError(
          `The account ${accountId} has a project with the slug ${slug} already. Choose another one.`,
        )
      const project = {
        id,
        slug,
        account_id: accountId,
        account_slug: accountSlug,
        transcripts: true,
        settings: {},
      }
      await registry.saveProject(project)
      return project
    },
    async saveProject(options: ProjectOptions): Promise<Project> {
      const { id, slug, accountId, accountSlug, senders = [], transcripts: given, ...settings } = options
      // A start writes the projects of its options again: what a command switched off stays off.
      const transcripts = given ?? (await registry.projectOf(id))?.transcripts ?? true
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
    saveSender,
    /** Its senders in all environments. */
    async senders(projectId: string): Promise<Sender[]> {
      const found = ENVIRONMENTS.map((environment) => registry.senders(projectId, environment))
      return (await Promise.all(found)).flat()
    },

    /** Erases a conversation with all that hangs on it. False where there is none. */
    eraseConversation: records.erase,
    /** Erases what is known of a phone number. Returns how many conversations went. */
    async eraseNumber(number: string): Promise<number> {
      const sender = await registry.findSender(number)
      if (sender)
        throw new CommandError(
          `${number} is a sender of ${sender.project_id}: everybody's conversations with it would go. Name the number of a person.`,
        )
      return records.eraseNumber(number)
    },
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

/** Opens the store for commands alone. Rejects with a DataFolderError where another process is at its folder. */
export async function openCommands(
  data: StoreData,
  { region = 'local' }: { region?: string | undefined } = {},
): Promise<{ commands: Commands; close(): Promise<void> }> {
  const store = await openStore(data, randomUUID, createClean({ cards: true }))
  return {
    commands: createCommands({ store, region, now: systemClock.now, uuid: randomUUID }),
    close: store.close,
  }
}
