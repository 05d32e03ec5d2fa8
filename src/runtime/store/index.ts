export type { Database, Queries } from './database.ts'
export { DataFolderError } from './lock.ts'
export { migrate } from './migrations.ts'
export { createPassages, type Passage, type Passages } from './passages.ts'
export { openPglite } from './pglite.ts'
export { openPostgres } from './postgres.ts'
export { type Connector, createRegistry, type Registry } from './registry.ts'
export {
  createSessions,
  type LockedSession,
  type NewEvent,
  type SessionMode,
  type SessionRow,
  type Sessions,
  type StoredEvent,
} from './sessions.ts'
