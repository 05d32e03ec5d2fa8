export type { Act, Agent, Turn } from './agents/agent.ts'
export type {
  CallLine,
  CallOutcome,
  Carrier,
  InboundMessage,
  PhoneCall,
  TextMessage,
} from './carriers/carrier.ts'
export {
  createSimulatedCarrier,
  type Device,
  type PhoneMessage,
  type SimulatedCarrier,
  type Written,
} from './carriers/simulated.ts'
export { type Clock, systemClock } from './clock.ts'
export { CommandError, type Commands, type KeyOptions, openCommands } from './commands.ts'
export type { Desk, DeskEntry, DeskLine } from './desk.ts'
export type { Embeddings } from './embeddings/embeddings.ts'
export { type EndpointOptions, endpointEmbeddings } from './embeddings/endpoint.ts'
export {
  type ConnectorOptions,
  createRuntime,
  type ProjectOptions,
  type Runtime,
  type RuntimeOptions,
  type RuntimeSettings,
} from './runtime.ts'
export { type Database, DataFolderError, openPglite, openPostgres, PERMISSIONS } from './store/index.ts'
