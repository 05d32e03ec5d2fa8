export {
  ALWAYS,
  type Condition,
  type Database,
  inTransaction,
  isLockTimeout,
  type Queries,
  type Reading,
  type Reads,
  retryOnConflict,
  type Transaction,
  textArray,
} from './database.ts'
export { createHealthCheck } from './health.ts'
export { DataFolderError } from './lock.ts'
export { isValidIndex, makeIndex } from './make-index.ts'
export { connectDatabase, openDatabase, type StoreData } from './open.ts'
export { createOutageLog } from './outage.ts'
export { openPglite } from './pglite.ts'
export { DEFAULT_CONNECTIONS, DEFAULT_READ_SECONDS, openPostgres, type PostgresOptions } from './postgres.ts'
export { type PostgresProbe, probePostgres, reachPostgres } from './probe.ts'
export { ReadTimeout, readsOf } from './reads.ts'
export { migrate, runSteps, type Schema, stepsOf } from './schema-runner.ts'
export { findTemplate, writeTemplate } from './template.ts'
export { isUnreachable, whileUnreachable } from './unreachable.ts'
