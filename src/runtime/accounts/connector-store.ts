// Stores connectors, the credentials with which sites get access tokens.

import type { Queries } from '../database/index.ts'
import { hashOf } from './secret-store.ts'

/** A connector without its token: only the hash of the token is stored. */
export type Connector = {
  id: string
  /** The domain, origin or app namespace that X-Host must hold. */
  host: string
  allow_subdomains: boolean
  account_id: string
  project_id: string
  environment: string
  /** Whether its calling tokens may start calls. */
  outbound_calling: boolean
}

const CONNECTOR = 'id, host, allow_subdomains, account_id, project_id, environment, outbound_calling'
/** Replaces the hash of a revoked token. No token has such a hash. */
const REVOKED = "token_hash LIKE 'revoked %'"

export async function saveConnector(db: Queries, connector: Connector, token: string): Promise<void> {
  await db.query(
    `INSERT INTO foyer.connector
       (id, token_hash, host, allow_subdomains, account_id, project_id, environment, outbound_calling)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (id) DO UPDATE SET token_hash = excluded.token_hash,
       host = excluded.host, allow_subdomains = excluded.allow_subdomains, account_id = excluded.account_id,
       project_id = excluded.project_id, environment = excluded.environment,
       outbound_calling = excluded.outbound_calling`,
    [
      connector.id,
      hashOf(token),
      connector.host,
      connector.allow_subdomains,
      connector.account_id,
      connector.project_id,
      connector.environment,
      connector.outbound_calling,
    ],
  )
}

/** Finds a connector by its token. The index compares hashes, so its timing reveals nothing about the token. */
export async function findConnector(db: Queries, token: string): Promise<Connector | undefined> {
  const [connector] = await db.query<Connector>(
    `SELECT ${CONNECTOR} FROM foyer.connector WHERE token_hash = $1`,
    [hashOf(token)],
  )
  return connector
}

/** Undefined if the connector is unknown or revoked. */
export async function connectorOf(db: Queries, id: string): Promise<Connector | undefined> {
  const [connector] = await db.query<Connector>(
    `SELECT ${CONNECTOR} FROM foyer.connector WHERE id = $1 AND NOT ${REVOKED}`,
    [id],
  )
  return connector
}

/** Deletes the token. False if the connector is unknown or was revoked before. */
export async function markConnectorRevoked(tx: Queries, id: string): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE foyer.connector SET token_hash = 'revoked ' || id, outbound_calling = false
     WHERE id = $1 AND NOT ${REVOKED} RETURNING id`,
    [id],
  )
  return rows.length > 0
}

/** All connectors, revoked ones included. */
export const listConnectors = (db: Queries): Promise<(Connector & { revoked: boolean })[]> =>
  db.query(`SELECT ${CONNECTOR}, ${REVOKED} AS revoked FROM foyer.connector ORDER BY id`)
