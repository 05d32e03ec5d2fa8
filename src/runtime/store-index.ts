export {
  type ApiKey,
  type Connector,
  type KeyKind,
  PERMISSIONS,
  type Permission,
  type Project,
  type ProjectSettings,
  type Registry,
} from './accounts/store.ts'
export { type CallRow, type Calls, createCalls } from './calls/store.ts'
export type { ConversationRow, Filter } from './conversations/filter-store.ts'
export type { Records, TurnRow } from './conversations/store.ts'
export { TooManyToCompare } from './conversations/vector-store.ts'
export type { Channel, NewConversation, Understanding } from './conversations/writer-store.ts'
export type { Database, Queries } from './database/database.ts'
export { DataFolderError } from './database/lock.ts'
export { migrate } from './database/migrations.ts'
export { openPglite } from './database/pglite.ts'
export { openPostgres } from './database/postgres.ts'
export type { DeskAgent, HandoffRow, Handoffs } from './handoff/store.ts'
export type { Delivery, Texts } from './messaging/store.ts'
export type {
  LockedSession,
  NewEvent,
  NewSession,
  SessionMode,
  SessionRow,
  Sessions,
  StoredEvent,
} from './sessions/store.ts'
export { openStore, type Store, type StoreData, storeOver } from './store.ts'
