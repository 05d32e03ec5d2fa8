export {
  type Database,
  isLockTimeout,
  isUniqueViolation,
  type Queries,
  type Transaction,
  textArray,
} from './database.ts'
export { createHealthCheck } from './health.ts'
export { DataFolderError } from './lock.ts'
export { connectDatabase, openDatabase, type StoreData } from './open.ts'
export { openPglite } from './pglite.ts'
export { openPostgres } from './postgres.ts'
export { type PostgresProbe, probePostgres } from './probe.ts'
export { migrate, runSteps, type Schema, stepsOf } from './schema-runner.ts'
export { findTemplate, writeTemplate } from './template.ts'
export { isUnreachable, whileUnreachable } from './unreachable.ts'
