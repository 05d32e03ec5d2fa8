// Lists the schemas of all nouns in the order in which their tables are created: each refers only to those before it.

import { createHash } from 'node:crypto'
import { accountsSchema } from './accounts/index.ts'
import { callsSchema } from './calls/index.ts'
import { conversationsSchema } from './conversations/index.ts'
import { type Schema, stepsOf } from './database/index.ts'
import { filesSchema } from './files/index.ts'
import { handoffSchema } from './handoff/index.ts'
import { jobsSchema } from './jobs/index.ts'
import { messagingSchema } from './messaging/index.ts'
import { sessionsSchema, TRANSIENT } from './sessions/index.ts'

export const SCHEMAS: readonly Schema[] = [
  jobsSchema,
  accountsSchema,
  conversationsSchema,
  sessionsSchema,
  messagingSchema,
  callsSchema,
  handoffSchema,
  filesSchema,
]

/** Names this build for other processes of the database: another one has other tables, or tells other events. */
export const BUILD = createHash('sha256')
  .update(JSON.stringify([stepsOf(SCHEMAS), TRANSIENT]))
  .digest('base64url')
  .slice(0, 16)
