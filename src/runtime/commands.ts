// Wires the operator's commands: what nouns do when a connector is revoked, or conversations are erased.

import { randomUUID } from 'node:crypto'
import { type AdminEvents, type Commands, createCommands } from './admin/index.ts'
import { eraseCallsTo } from './calls/index.ts'
import { systemClock } from './clock.ts'
import { openDatabase, type StoreData } from './database/index.ts'
import { createDomainEvent } from './domain-event.ts'
import { eraseConsent } from './messaging/index.ts'
import { SCHEMAS } from './schemas.ts'
import { forgetAccessTokens, lockSessions } from './sessions/index.ts'

/** The events of commands, with what each noun does in their transactions. */
export function createAdminEvents(): AdminEvents {
  const events: AdminEvents = {
    connectorRevoked: createDomainEvent(),
    conversationsErasing: createDomainEvent(),
  }
  events.connectorRevoked.subscribe(({ tx, connectorId }) => forgetAccessTokens(tx, connectorId))
  // Everybody who writes to a session locks it before its conversation: erasing does too, or two could deadlock.
  events.conversationsErasing.subscribe(({ tx, ids }) => lockSessions(tx, ids))
  events.conversationsErasing.subscribe(async ({ tx, number }) => {
    if (number === undefined) return
    await eraseCallsTo(tx, number)
    await eraseConsent(tx, number)
  })
  return events
}

/** Opens the data for commands alone. Rejects with a DataFolderError where another process has its folder. */
export async function openCommands(
  data: StoreData,
  { region = 'local' }: { region?: string | undefined } = {},
): Promise<{ commands: Commands; close(): Promise<void> }> {
  const { database } = await openDatabase(data, SCHEMAS)
  return {
    commands: createCommands({
      database,
      events: createAdminEvents(),
      region,
      now: systemClock.now,
      uuid: randomUUID,
    }),
    close: database.close,
  }
}
