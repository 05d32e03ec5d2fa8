// Creates connectors for existing projects.

import { randomBytes } from 'node:crypto'
import { type Connector, projectOf, saveConnector as storeConnector } from '../accounts/index.ts'
import { type AdminContext, shortId } from './context.ts'
import { CommandError, type ConnectorOptions } from './options.ts'

/** Creates a connector. Only this call returns its token; the database stores a hash. */
export async function createConnector(
  context: AdminContext,
  options: Omit<ConnectorOptions, 'token' | 'id'>,
): Promise<{ connector: Connector; token: string }> {
  const token = `ct_${randomBytes(32).toString('base64url')}`
  const id = `CON-${shortId(context.uuid)}`
  return { connector: await saveConnector(context, { ...options, id }, token), token }
}

export async function saveConnector(
  { db }: AdminContext,
  options: Omit<ConnectorOptions, 'token'>,
  token: string,
): Promise<Connector> {
  const project = await projectOf(db, options.projectId)
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
  await storeConnector(db, connector, token)
  return connector
}
