export { cancelConfirm, type Decided, isChoiceOf, openConfirm } from './decision.ts'
export { endSession } from './end.ts'
export { createHub, eventsOf, type Hub, type Told, TRANSIENT, type WireEvent } from './hub.ts'
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
  SessionEvents,
  StopAsked,
  UserTyped,
} from './locked-session.ts'
export { recordMessage, storeOutgoingMessage } from './message.ts'
export { sessionRoutes } from './routes.ts'
export { sessionsSchema } from './schema.ts'
export { createSessions, type Sessions } from './sessions.ts'
export { createPlaces, type Places } from './socket/places.ts'
export { createPresence, type Presence } from './socket/presence.ts'
export { createSockets, type Sockets } from './socket/socket.ts'
export { recordAway } from './socket-store.ts'
export { removeEvents } from './state/event-removal-store.ts'
export {
  chunksOf,
  deleteChunks,
  hasAnswerAfter,
  isMessageStored,
  messagesBefore,
  nextInput,
  type SaidMessage,
} from './state/event-store.ts'
export { inHandoffQueue } from './state/mode.ts'
export {
  liveAgentFields,
  messagePayload,
  type OutgoingMessage,
  textMessage,
} from './state/outgoing-message.ts'
export {
  isActive,
  type LiveAgent,
  type NewEvent,
  type OpenConfirm,
  type Page,
  type Session,
  type StoredEvent,
} from './state/session.ts'
export { forgetAccessTokens, lastSequences, lockSessions } from './state/session-store.ts'
export { createSessionEvents } from './unit-of-work.ts'
export { createTransientEvents, type TransientEvents } from './wire-event.ts'
