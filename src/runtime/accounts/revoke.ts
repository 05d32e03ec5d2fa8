// Revokes connectors, and notifies the nouns that store data for them.

import type { Database, Queries } from '../database/index.ts'
import type { DomainEvent } from '../domain-event.ts'
import { markConnectorRevoked } from './connector-store.ts'

/** Published when a connector is revoked, in the same transaction. */
export type ConnectorRevoked = { tx: Queries; connectorId: string }

/**
 * Revokes a connector: it gets no new access tokens, and the service refuses those it already got. False
 * if the connector is unknown or was revoked before.
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
