export { endSession } from './end.ts'
export {
  chunksOf,
  deleteChunks,
  hasAnswerAfter,
  isMessageStored,
  messagesBefore,
  nextInput,
  type SaidMessage,
} from './event-store.ts'
export { createHub, type Hub, type WireEvent } from './hub.ts'
export {
  createInactivity,
  DEFAULT_INACTIVITY,
  type Inactivity,
  type InactivitySettings,
} from './inactivity.ts'
export { storeJoin, storeUserMessage } from './input.ts'
export type {
  AgentBack,
  IdleWarningDue,
  InputStored,
  LockedSession,
  MessageStored,
  QueueLeft,
  SessionEnded,
  StopAsked,
  UserTyped,
} from './locked-session.ts'
export { recordMessage, storeOutgoingMessage } from './message.ts'
export { inHandoffQueue } from './mode.ts'
export { liveAgentFields, messagePayload, type OutgoingMessage, textMessage } from './outgoing-message.ts'
export { createPresence, type Presence } from './presence.ts'
export { sessionRoutes } from './routes.ts'
export { sessionsSchema } from './schema.ts'
export {
  isActive,
  type LiveAgent,
  type NewEvent,
  type Session,
  type StoredEvent,
} from './session.ts'
export { forgetAccessTokens, lockSessions } from './session-store.ts'
export { createSessions, type Sessions } from './sessions.ts'
export { createSockets } from './socket.ts'
export { createSessionEvents } from './unit-of-work.ts'
export { createTransientEvents, type TransientEvents } from './wire-event.ts'
