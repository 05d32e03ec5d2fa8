// Creates connectors for existing projects, and revokes them.

import { randomBytes } from 'node:crypto'
import { type Database, inTransaction, type Queries } from '../database/index.ts'
import type { DomainEvent } from '../domain-event.ts'
import { CommandError } from './command-error.ts'
import { type Connector, listConnectors, markConnectorRevoked, saveConnector } from './connector-store.ts'
import { projectOf } from './project-store.ts'

/** A connector: the credential with which a site gets access tokens. */
export type ConnectorOptions = {
  /** The ID of the connector, `CON-` and 8 characters. */
  id: string
  /** Secret. Stored as a hash. */
  token: string
  /** The domain, origin or app namespace that X-Host must hold. */
  host: string
  /** Whether subdomains of `host` count too. Default: false. */
  allowSubdomains?: boolean
  /** The account of the project. */
  accountId: string
  /** The project whose agent answers. */
  projectId: string
  /** The environment of its conversations, such as `live` or `sandbox`. */
  environment: string
  /** Whether its calling tokens may start calls. Default: false. */
  outboundCalling?: boolean
}

/** Commands on connectors. */
export interface ConnectorCommands {
  /** Creates a connector. Only this call returns its token; the database stores a hash. */
  createConnector(
    options: Omit<ConnectorOptions, 'token' | 'id'>,
  ): Promise<{ connector: Connector; token: string }>
  saveConnector(options: Omit<ConnectorOptions, 'token'>, token: string): Promise<Connector>
  /** All connectors, revoked ones included. */
  connectors(): Promise<(Connector & { revoked: boolean })[]>
  /**
   * Revokes a connector: it gets no new access tokens, and the service refuses those it already got. False
   * if the connector is unknown or was revoked before.
   */
  revokeConnector(id: string): Promise<boolean>
}

/** Published when a connector is revoked, in the same transaction. */
export type ConnectorRevoked = { tx: Queries; connectorId: string }

export type ConnectorsOptions = {
  database: Database
  connectorRevoked: DomainEvent<ConnectorRevoked>
  shortId: () => string
}

export function createConnectors({
  database,
  connectorRevoked,
  shortId,
}: ConnectorsOptions): ConnectorCommands {
  async function save(options: Omit<ConnectorOptions, 'token'>, token: string): Promise<Connector> {
    const project = await projectOf(database, options.projectId)
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
    await saveConnector(database, connector, token)
    return connector
  }

  return {
    async createConnector(options) {
      const token = `ct_${randomBytes(32).toString('base64url')}`
      return { connector: await save({ ...options, id: `CON-${shortId()}` }, token), token }
    },
    saveConnector: save,
    connectors: () => listConnectors(database),
    revokeConnector: (id) =>
      inTransaction(database, 'revoke a connector', async (tx) => {
        const revoked = await markConnectorRevoked(tx, id)
        await connectorRevoked.publish({ tx, connectorId: id })
        return revoked
      }),
  }
}
