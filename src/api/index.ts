export { AccessToken, accessTokenRoute } from './access-token.ts'
export {
  CALL_SID,
  CallError,
  CallStarted,
  CallStatus,
  callRoute,
  callStatusRoute,
  isTerminal,
  OutboundCall,
} from './calls.ts'
export {
  anyTextOption,
  clockOption,
  flagOption,
  functionOption,
  hasFunctions,
  headerWordOption,
  isListOf,
  isObject,
  isText,
  objectOf,
  optionOf,
  optionProblem,
  textOption,
} from './check-options.ts'
export { type Clock, systemClock } from './clock.ts'
export {
  Concurrency,
  ConcurrencyInterval,
  ConcurrencyQuery,
  concurrencyConflict,
  concurrencyRoute,
  ErrorMessage,
} from './concurrency.ts'
export {
  Conversation,
  ConversationPage,
  ConversationsError,
  ConversationsQuery,
  conversationsConflict,
  conversationsRoute,
  searchIncompleteHeader,
  Turn,
} from './conversations.ts'
export { correlationHeaderOf, correlationOf } from './correlation.ts'
export {
  ChatError,
  type Problem,
  problemFormatAt,
  type RefusedRequest,
  refusal,
} from './error.ts'
export { HandoffQuery, HandoffState, handoffConflict, handoffRoute } from './handoff.ts'
export { consoleLog, type Log, type LogFailure, type LogLevel } from './log.ts'
export { METRICS, type Meter, noMeter } from './meter.ts'
export { editDistance, misspelt } from './near-name.ts'
export { readQuery, writeQuery } from './query.ts'
export { parseObject, readCapped } from './read-capped.ts'
export { CREDENTIALS, hasForm, type Route } from './route.ts'
export { BFF_PATHS, CONNECTOR_ENDPOINTS, ROUTES } from './routes.ts'
export { SessionCreated, SessionRequest, SessionStatus, sessionRoute, sessionStatusRoute } from './session.ts'
export { LONGEST_TEXT, OutboundSms, SmsError, smsConflict, smsRoute } from './sms.ts'
export {
  CORRELATION_ID,
  continueTrace,
  isTraced,
  openSpan,
  type TraceSpan,
  traced,
  traceHeaders,
  untraced,
  withCorrelation,
} from './trace.ts'
export {
  compactNumber,
  DEFAULT_HEADER_PREFIX,
  describeIssue,
  E164,
  ENVIRONMENTS,
  isJson,
  REGIONS,
  readDateTime,
} from './values.ts'
export {
  countingKey,
  createVisitorAddress,
  type VisitorAddress,
  type VisitorAddressOptions,
} from './visitor-address.ts'
