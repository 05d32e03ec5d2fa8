export {
  CommandError,
  type ConnectorOptions,
  type DisclosureSetting,
  type KeyOptions,
  PERMISSIONS,
  type ProjectOptions,
} from './accounts/index.ts'
export { moveFolder, probeDatabase } from './before-start.ts'
export { type BusLink, createNotifyLink, createRedisLink, deploymentOf } from './bus/index.ts'
export type { CallLeg, CallOutcome, PhoneCall } from './calls/index.ts'
export { isDisclosure } from './check-options.ts'
export { type Clock, sleep, systemClock, wrongClock } from './clock.ts'
export { type Commands, openCommands } from './commands.ts'
export {
  type Embeddings,
  type EndpointOptions,
  endpointEmbeddings,
  plainText,
} from './conversations/index.ts'
export {
  connectDatabase,
  type Database,
  DataFolderError,
  DEFAULT_CONNECTIONS,
  DEFAULT_READ_SECONDS,
  openPglite,
  openPostgres,
  type PostgresOptions,
} from './database/index.ts'
export type { BuildFiles } from './files/index.ts'
export {
  type CannedReply,
  type Desk,
  type DeskAgent,
  type DeskEntry,
  DeskError,
  type DeskLine,
} from './handoff/index.ts'
export { answerClientError, endWithProblem, refusedRequest } from './http/index.ts'
export {
  CarrierError,
  type InboundMessage,
  type Keyword,
  keywordOf,
  type Receipt,
  type SendOutcome,
  type TextMessage,
} from './messaging/index.ts'
export {
  type Carrier,
  DEFAULT_REGION,
  defaultRuntimeSettings,
  isCarrier,
  misspeltInCarrier,
  type RuntimeOptions,
  type RuntimeSettings,
} from './options.ts'
export { createRedaction, shortReason } from './redact.ts'
export { createRuntime, type Runtime } from './runtime.ts'
export {
  AGENT,
  type Agent,
  type AgentEvent,
  type AgentFor,
  type DeskState,
  isAgent,
  misspeltInAgent,
  type Served,
  type Turn,
} from './turns/index.ts'
