export type { Act, Agent, Turn } from './agents/agent.ts'
export type { Clock } from './clock.ts'
export { type ConnectorOptions, createRuntime, type Runtime, type RuntimeOptions } from './runtime.ts'
export { type Database, DataFolderError, openPglite, openPostgres } from './store/index.ts'
