// The line between a server and its database through a transaction pooler, as far as notifications go: none arrives.

import { openDatabaseLine } from './database-line.ts'
import { createMessages } from './database-messages.ts'

/** PostgreSQL's NotificationResponse. */
const NOTIFICATION = 'A'.charCodeAt(0)

export const openPooler = (database: string) => openDatabaseLine(database, withoutNotifications)

function withoutNotifications(): (data: Buffer) => Buffer {
  const messages = createMessages()
  return (data) => Buffer.concat(messages(data).filter(([type]) => type !== NOTIFICATION))
}
