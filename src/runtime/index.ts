export { CommandError, type Commands, type KeyOptions, openCommands } from './admin/admin.ts'
export { type Clock, sleep, systemClock } from './clock.ts'
export type { Embeddings } from './conversations/embeddings.ts'
export { type EndpointOptions, endpointEmbeddings } from './conversations/endpoint-embeddings.ts'
export type { Desk, DeskEntry, DeskLine } from './handoff/queue.ts'
export type {
  CallLine,
  CallOutcome,
  Carrier,
  InboundMessage,
  PhoneCall,
  TextMessage,
} from './messaging/carrier.ts'
export {
  type ConnectorOptions,
  createRuntime,
  defaultRuntimeSettings,
  type ProjectOptions,
  type Runtime,
  type RuntimeOptions,
  type RuntimeSettings,
} from './runtime.ts'
export {
  type Database,
  DataFolderError,
  openPglite,
  openPostgres,
  PERMISSIONS,
} from './store-index.ts'
export type { Act, Agent, Turn } from './turns/agent.ts'
