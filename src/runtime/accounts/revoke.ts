// Revokes connectors, and tells the nouns that hold something on their behalf.

import type { Database, Queries } from '../database/index.ts'
import type { DomainEvent } from '../domain-event.ts'
import { markConnectorRevoked } from './connector-store.ts'

/** A connector was revoked, in this transaction. */
export type ConnectorRevoked = { tx: Queries; connectorId: string }

/**
 * Revokes a connector: nobody gets an access token with it, and the tokens that it gave open nothing any more. False
 * where it is unknown or was revoked before.
 */
export const revokeConnector = (
  database: Database,
  connectorRevoked: DomainEvent<ConnectorRevoked>,
  id: string,
): Promise<boolean> =>
  database.transaction(async (tx) => {
    const revoked = await markConnectorRevoked(tx, id)
    await connectorRevoked.publish({ tx, connectorId: id })
    return revoked
  })
