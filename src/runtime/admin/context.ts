// Defines what the operator commands share: their dependencies and their domain events.

import type { ConnectorRevoked } from '../accounts/index.ts'
import type { ConversationsErasing } from '../conversations/index.ts'
import type { Database, Queries } from '../database/index.ts'
import type { DomainEvent } from '../domain-event.ts'

/** The dependencies of every command. */
export type AdminContext = { db: Queries; region: string; now: () => number; uuid: () => string }

/** The domain events that commands publish. */
export type AdminEvents = {
  connectorRevoked: DomainEvent<ConnectorRevoked>
  conversationsErasing: DomainEvent<ConversationsErasing>
}

export type AdminOptions = Omit<AdminContext, 'db'> & { database: Database; events: AdminEvents }

export const shortId = (uuid: () => string): string => uuid().replaceAll('-', '').slice(0, 8)
