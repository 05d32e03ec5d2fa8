// The names of the package entry foyer-server/client. docs/create-client.md lists them.

export type {
  CallStatus,
  Concurrency,
  Conversation,
  ConversationPage,
  HandoffState,
  Turn as ConversationTurn,
} from './answers.ts'
export { type Client, createClient } from './client.ts'
export {
  CallsFailure,
  ChatFailure,
  ClientError,
  ConcurrencyFailure,
  ConversationsFailure,
  type FailureFacts,
  type Family,
  HandoffFailure,
  InputError,
  SmsFailure,
} from './client-error.ts'
export type { ClientOptions, RequestOptions } from './client-options.ts'
export type {
  CallParameters,
  ConcurrencyParameters,
  HandoffParameters,
  IterateParameters,
  ListParameters,
  SampleParameters,
  SearchParameters,
  SessionParameters,
  SmsParameters,
  Time,
} from './parameters.ts'
export type { WaitOptions } from './wait-for-call.ts'
