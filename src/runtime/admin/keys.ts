// Creates API keys and calling tokens for existing accounts, projects and connectors.

import { randomBytes } from 'node:crypto'
import {
  type ApiKey,
  connectorOf,
  type KeyKind,
  listProjects,
  PERMISSIONS,
  saveKey as storeKey,
} from '../accounts/index.ts'
import { type AdminContext, shortId } from './context.ts'
import { CommandError, type KeyOptions } from './options.ts'

const PREFIX: Readonly<Record<KeyKind, string>> = { runtime: 'fr', build: 'fb', calling: 'fc' }

/** Creates a key. Only this call returns its secret; the database stores a hash. */
export async function createKey(
  context: AdminContext,
  options: KeyOptions,
): Promise<{ key: ApiKey; secret: string }> {
  const secret = `${PREFIX[options.kind ?? 'runtime']}_${randomBytes(32).toString('base64url')}`
  return { key: await saveKey(context, options, secret), secret }
}

export async function saveKey(
  { db, region, now, uuid }: AdminContext,
  options: KeyOptions,
  secret: string,
): Promise<ApiKey> {
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
  if (kind === 'calling') {
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
  const key: ApiKey = {
    id: options.id ?? `KEY-${shortId(uuid)}`,
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
  await storeKey(db, key, secret)
  return key
}
