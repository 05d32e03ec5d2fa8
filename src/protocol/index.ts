export { chatEndpoint, isLoopback, pageAddress, socketUrl } from './address.ts'
export { CLOSE, type CloseMeaning, closeMeaning } from './close.ts'
export {
  AGENT_FAILED,
  type Attachment,
  addedTo,
  type CallAction,
  type Capabilities,
  type ChunkPayload,
  type ClientEvent,
  type ClientEventType,
  type ClientPayloads,
  type Confirm,
  type Custom,
  customId,
  type Decision,
  type Envelope,
  type FeedbackRating,
  idOf,
  joinMetadata,
  type LiveAgent,
  type MessagePayload,
  messageFollows,
  PLATFORMS,
  type Platform,
  type ReadCallAction,
  SESSION_STATES,
  type ServerEvent,
  type ServerEventType,
  type ServerPayloads,
  type SessionState,
  type Suggestion,
  type SystemLevel,
  type TypingState,
} from './events.ts'
export { languagesOf } from './language.ts'
export {
  DEFAULT_HEARTBEAT_SECONDS,
  DEFAULT_SESSION_IDLE_SECONDS,
  idleWarningLead,
  MAX_COMMENT_LENGTH,
  MAX_MESSAGE_BYTES,
  MAX_SCORE,
  MAX_SOCKETS_PER_SESSION,
} from './limits.ts'
export { type Drop, type Frame, parseFrame, readFrame } from './read.ts'
export { type Request, readRequest } from './request.ts'
export { readRetryAfter } from './retry-after.ts'
