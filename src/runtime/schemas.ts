// Lists the schemas of all nouns in the order in which their tables are created: each refers only to those before it.

import { accountsSchema } from './accounts/index.ts'
import { callsSchema } from './calls/index.ts'
import { conversationsSchema } from './conversations/index.ts'
import type { Schema } from './database/index.ts'
import { filesSchema } from './files/index.ts'
import { handoffSchema } from './handoff/index.ts'
import { jobsSchema } from './jobs/index.ts'
import { messagingSchema } from './messaging/index.ts'
import { sessionsSchema } from './sessions/index.ts'

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
