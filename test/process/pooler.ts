// The line between a server and its database through a transaction pooler, as far as notifications go: none arrives.

import { openDatabaseLine } from './database-line.ts'

/** PostgreSQL's NotificationResponse. */
const NOTIFICATION = 'A'.charCodeAt(0)
/** The type of a message and its length. */
const HEAD = 5

export const openPooler = (database: string) => openDatabaseLine(database, withoutNotifications)

function withoutNotifications(): (data: Buffer) => Buffer {
  let rest = Buffer.alloc(0)
  return (data) => {
    rest = Buffer.concat([rest, data])
    const passed: Buffer[] = []
    while (rest.length >= HEAD) {
      const length = 1 + rest.readUInt32BE(1)
      if (rest.length < length) break
      if (rest[0] !== NOTIFICATION) passed.push(rest.subarray(0, length))
      rest = rest.subarray(length)
    }
    return Buffer.concat(passed)
  }
}
