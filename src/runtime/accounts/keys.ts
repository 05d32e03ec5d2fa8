// Creates API keys and calling tokens for existing accounts, projects and connectors, and revokes them.

import { randomBytes } from 'node:crypto'
import type { Queries } from '../database/index.ts'
import { CommandError } from './command-error.ts'
import { connectorOf } from './connector-store.ts'
import {
  type ApiKey,
  type KeyKind,
  listKeys,
  markKeyRevoked,
  PERMISSIONS,
  type Permission,
  saveKey,
} from './key-store.ts'
import { listProjects } from './project-store.ts'

/** A key of the API for servers, or a calling token. */
export type KeyOptions = {
  /** The ID by which the key is listed and revoked. Default: a generated ID. */
  id?: string
  /** What the key is for. Default `runtime`. */
  kind?: KeyKind
  /** What people call the key. Default: empty. */
  name?: string
  /** The account of the key. */
  accountId: string
  /** The one project of the key. Default: all projects of the account. */
  projectId?: string
  /** The connector of a calling token. */
  connectorId?: string
  /** What a key of the kind `runtime` may do. Default: all permissions. */
  permissions?: readonly Permission[]
  /** The region of the key. Default: the region of the runtime. */
  region?: string
}

/** Commands on keys. */
export interface KeyCommands {
  /** Creates a key. Only this call returns its secret; the database stores a hash. */
  createKey(options: KeyOptions): Promise<{ key: ApiKey; secret: string }>
  saveKey(options: KeyOptions, secret: string): Promise<ApiKey>
  keys(): Promise<ApiKey[]>
  /** False if the key is unknown or was revoked before. */
  revokeKey(id: string): Promise<boolean>
}

export type KeysOptions = { db: Queries; region: string; now: () => number; shortId: () => string }

const PREFIX: Readonly<Record<KeyKind, string>> = { runtime: 'fr', build: 'fb', calling: 'fc' }

export function createKeys({ db, region, now, shortId }: KeysOptions): KeyCommands {
  async function save(options: KeyOptions, secret: string): Promise<ApiKey> {
    await check(db, options)
    const { kind = 'runtime', permissions = PERMISSIONS } = options
    const key: ApiKey = {
      id: options.id ?? `KEY-${shortId()}`,
      kind,
      name: options.name ?? '',
      region: options.region ?? region,
      account_id: options.accountId,
      project_id: options.projectId ?? null,
      connector_id: options.connectorId ?? null,
      permissions: kind === 'runtime' ? [...permissions] : [],
      created_at: new Date(now()),
      revoked_at: null,
    }
    await saveKey(db, key, secret)
    return key
  }

  return {
    async createKey(options) {
      const secret = `${PREFIX[options.kind ?? 'runtime']}_${randomBytes(32).toString('base64url')}`
      return { key: await save(options, secret), secret }
    },
    saveKey: save,
    keys: () => listKeys(db),
    revokeKey: (id) => markKeyRevoked(db, id, new Date(now())),
  }
}

/** Throws a CommandError for the first option that is not valid. */
async function check(db: Queries, options: KeyOptions): Promise<void> {
  const { kind = 'runtime', permissions = PERMISSIONS, projectId, connectorId } = options
  if (kind !== 'runtime' && options.permissions !== undefined)
    throw new CommandError('Only runtime keys have permissions. Omit --permissions.')
  if (kind !== 'calling' && connectorId !== undefined)
    throw new CommandError(`A ${kind} key belongs to no connector. Omit --connector.`)
  const unknown = permissions.find((permission) => !PERMISSIONS.includes(permission))
  if (unknown)
    throw new CommandError(`There is no permission ${unknown}. There are: ${PERMISSIONS.join(', ')}.`)
  const projects = (await listProjects(db)).filter((project) => project.account_id === options.accountId)
  if (projects.length === 0)
    throw new CommandError(`There is no account ${options.accountId}. Create a project in it first.`)
  if (projectId !== undefined && !projects.some((project) => project.id === projectId))
    throw new CommandError(`The account ${options.accountId} has no project ${projectId}.`)
  if (kind !== 'calling') return
  const connector = connectorId === undefined ? undefined : await connectorOf(db, connectorId)
  if (connectorId !== undefined && connector?.account_id !== options.accountId)
    throw new CommandError(
      `The account ${options.accountId} has no connector ${connectorId}. See: connectors list`,
    )
  if (connector === undefined)
    throw new CommandError('A calling token needs the ID of a connector of the account: --connector CON-…')
  if (projectId !== undefined && projectId !== connector.project_id)
    throw new CommandError(
      `The connector ${connector.id} belongs to ${connector.project_id}: its calling tokens cannot be for another project.`,
    )
}
