export { type CallRow, type Calls, createCalls } from './calls.ts'
export type { Database, Queries } from './database.ts'
export type { ConversationRow, Filter } from './filter.ts'
export type { DeskAgent, HandoffRow, Handoffs } from './handoffs.ts'
export { DataFolderError } from './lock.ts'
export { migrate } from './migrations.ts'
export type { Passage, Passages } from './passages.ts'
export { openPglite } from './pglite.ts'
export { openPostgres } from './postgres.ts'
export type { Channel, NewConversation, Understanding } from './recorder.ts'
export type { Records, TurnRow } from './records.ts'
export {
  type ApiKey,
  type Connector,
  type KeyKind,
  PERMISSIONS,
  type Permission,
  type Project,
  type ProjectSettings,
  type Registry,
} from './registry.ts'
export type {
  LockedSession,
  NewEvent,
  NewSession,
  SessionMode,
  SessionRow,
  Sessions,
  StoredEvent,
} from './sessions.ts'
export { openStore, type Store, type StoreData, storeOver } from './store.ts'
export type { Delivery, Texts } from './texts.ts'
export { TooManyToCompare } from './vectors.ts'
