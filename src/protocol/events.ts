// Defines the events that client and service exchange over the socket, with the names of the wire.

/** What the service says where its agent failed, as a system message of level error. */
export const AGENT_FAILED = 'Sorry, I encountered an error. Please try again.'

/** Platforms a session can report. `ios-web` and `android-web` are pages inside a native WebView. */
export const PLATFORMS = ['web', 'ios', 'android', 'ios-web', 'android-web', 'custom'] as const
/** What a chat runs on, as its client says. */
export type Platform = (typeof PLATFORMS)[number]

/** What the service says of a session: it is open, over by inactivity, over by someone, or nothing that the access token may know. */
export const SESSION_STATES = ['active', 'expired', 'ended', 'unknown'] as const
export type SessionState = (typeof SESSION_STATES)[number]

/** Strings that the service echoes, in errors too. Foyer's client puts the id of a message in them. */
export type Custom = Readonly<Record<string, string>>

/** Whether someone types. */
export type TypingState = 'TYPING_STATE_STARTED' | 'TYPING_STATE_STOPPED'

/** A card below a message: a link or a picture. */
export type Attachment = {
  content_type: 'ATTACHMENT_CONTENT_TYPE_URL' | 'ATTACHMENT_CONTENT_TYPE_IMAGE'
  content_url: string
  title?: string | undefined
  preview_image_url?: string | undefined
  call_to_action_text?: string | undefined
}

/** A tap sends `message_text` as a message of the visitor. */
export type Suggestion = { message_text: string; payload?: string | undefined }

/** A phone button. */
export type CallAction = { title: string; contact_number: string }

/** A phone button as the reader returns it. Without a number only its title can be shown. */
export type ReadCallAction = { title: string; contact_number?: string | undefined }

/** The person who answers. */
export type LiveAgent = {
  id?: string | undefined
  name?: string | undefined
  avatar_url?: string | undefined
}

/** What the service can do in this session, with its limits. */
export type Capabilities = {
  streaming: boolean
  max_message_size_bytes: number
  /** 0: no cap. */
  max_reconnect_attempts: number
  /** 0: no periodic heartbeats. */
  heartbeat_interval_seconds: number
  /** Undefined if the service does not send it: the client uses its default. */
  session_idle_seconds?: number | undefined
  /** Whether the service takes a rating of the chat, a stop, a rating of an answer, and a way out of the queue. */
  csat: boolean
  stop: boolean
  feedback: boolean
  leave_queue: boolean
  /** Whether the service takes the decision about a question that it sent with `confirm`. */
  confirm: boolean
  /** Whether the service says over HTTP what became of a session. */
  session_status: boolean
}

/** A rating of an answer. */
export type FeedbackRating = 'up' | 'down'

/** A question of the agent that the visitor decides by a press. Plain texts; `id` is that of its message. */
export type Confirm = {
  id: string
  title: string
  summary: string
  /** The words of the two choices. */
  confirm: string
  cancel: string
}

/** What the visitor decided. A question that nothing can decide any more gets `cancel`. */
export type Decision = 'confirm' | 'cancel'

/** A whole message of the agent or of a live agent. */
export type MessagePayload = {
  message_id?: string | undefined
  text: string
  attachments: Attachment[]
  response_suggestions: Suggestion[]
  chat_call_actions: ReadCallAction[]
  agent_name?: string | undefined
  avatar_url?: string | undefined
  /** True ends the session. */
  end_conversation?: boolean | undefined
  /** True where the visitor stopped the answer: it holds what was said until then. */
  stopped?: boolean | undefined
  /** The visitor has to decide. Text and suggestions say the same, for clients that do not know this field. */
  confirm?: Confirm | undefined
}

/** A piece of a streamed answer. */
export type ChunkPayload = {
  message_id?: string | undefined
  text: string
  attachments: Attachment[]
  response_suggestions: Suggestion[]
  /** Counts from 1 or from 0. */
  chunk_index?: number | undefined
  is_complete: boolean
  stopped?: boolean | undefined
}

/** How grave a message of the system is. */
export type SystemLevel =
  | 'SYSTEM_MESSAGE_LEVEL_INFO'
  | 'SYSTEM_MESSAGE_LEVEL_WARNING'
  | 'SYSTEM_MESSAGE_LEVEL_ERROR'

/** The meaning of a system message, for clients that have their own words for it. `waiting`: no live agent is there yet. */
type SystemCode = 'waiting'

type Empty = Record<never, never>
type Reason = { reason?: string | undefined }

/** Payloads of everything the service sends, by type. */
export type ServerPayloads = {
  // echoes of what a client sent
  EVENT_TYPE_REQUEST_POLY_AGENT_JOIN: Empty
  EVENT_TYPE_USER_MESSAGE: { text: string; message_id?: string | undefined }
  EVENT_TYPE_USER_END_SESSION: Empty
  EVENT_TYPE_HEARTBEAT: Empty
  EVENT_TYPE_CSAT_RESPONSE: { score?: number | undefined; comment?: string | undefined }
  EVENT_TYPE_USER_FEEDBACK: { message_id: string; rating: FeedbackRating; comment?: string | undefined }
  EVENT_TYPE_USER_DECISION: { confirm_id: string; decision: Decision }
  // session
  EVENT_TYPE_SESSION_START: { capabilities: Capabilities; context_id?: string | undefined }
  EVENT_TYPE_SESSION_IDLE_WARNING: Empty
  EVENT_TYPE_SESSION_END: Reason
  EVENT_TYPE_SYSTEM_MESSAGE: { level: SystemLevel; message: string; code?: SystemCode | undefined }
  EVENT_TYPE_LANGUAGE_CHANGED: { language_code?: string | undefined }
  // the agent
  EVENT_TYPE_POLY_AGENT_JOINED: { agent_name?: string | undefined; agent_avatar_url?: string | undefined }
  EVENT_TYPE_POLY_AGENT_THINKING: Empty
  EVENT_TYPE_POLY_AGENT_MESSAGE: MessagePayload
  EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK: ChunkPayload
  EVENT_TYPE_POLY_AGENT_LEFT: Reason
  // handoff and the live agent
  EVENT_TYPE_POLY_AGENT_TRIGGERED_HANDOFF: Empty
  EVENT_TYPE_HANDOFF_ACCEPTED: { queue_name?: string | undefined }
  EVENT_TYPE_HANDOFF_QUEUE_STATUS: {
    queue_name?: string | undefined
    position_in_queue?: number | undefined
    estimated_wait_seconds?: number | undefined
    display_message?: string | undefined
  }
  EVENT_TYPE_HANDOFF_FAILED: Reason
  EVENT_TYPE_HANDOFF_TIMEOUT: Reason
  EVENT_TYPE_CLIENT_HANDOFF_REQUIRED: Reason & { queue_name?: string | undefined; route?: string | undefined }
  EVENT_TYPE_LIVE_AGENT_JOINED: { agent: LiveAgent }
  EVENT_TYPE_LIVE_AGENT_TYPING: {
    state: TypingState
    agent_id?: string | undefined
    agent_name?: string | undefined
  }
  EVENT_TYPE_LIVE_AGENT_MESSAGE: MessagePayload & { agent_id?: string | undefined }
  EVENT_TYPE_LIVE_AGENT_LEFT: Reason & { agent_id?: string | undefined; agent_name?: string | undefined }
  // rating of the chat
  EVENT_TYPE_SHOW_CSAT_REQUEST: Empty
  // in the vocabulary, but not sent today: the client reads and ignores them
  EVENT_TYPE_USER_RECEIVED_MESSAGE: Empty
  EVENT_TYPE_USER_READ_MESSAGE: Empty
  EVENT_TYPE_POLY_AGENT_RECEIVED_MESSAGE: Empty
  EVENT_TYPE_POLY_AGENT_READ_MESSAGE: Empty
  EVENT_TYPE_LIVE_AGENT_RECEIVED_MESSAGE: Empty
  EVENT_TYPE_LIVE_AGENT_READ_MESSAGE: Empty
}

/** The types of events of the service. */
export type ServerEventType = keyof ServerPayloads

/** The fields of an event beside its payload. */
export type Envelope = {
  /** UUID; only heartbeats may lack it. */
  id?: string | undefined
  /** Only grows within a session; undefined for transient events such as typing. */
  sequence?: number | undefined
  /** ISO 8601; only heartbeats may lack it. */
  timestamp?: string | undefined
  metadata?: { custom: Custom } | undefined
  /** For a replayed whole message: the sequence of its first chunk, which gives its place in the transcript. */
  first_sequence?: number | undefined
  /** True if the event came in a batch. Gaps between the sequences of a batch are not missing events. */
  replayed: boolean
}

/** One event of the service, checked and normalised by `readFrame`. */
export type ServerEvent = {
  [T in ServerEventType]: Envelope & { type: T; payload: ServerPayloads[T] }
}[ServerEventType]

/** Payloads of everything a client may send, by type. */
export type ClientPayloads = {
  EVENT_TYPE_REQUEST_POLY_AGENT_JOIN: Empty
  EVENT_TYPE_USER_MESSAGE: { text: string }
  EVENT_TYPE_USER_TYPING: { state: TypingState }
  EVENT_TYPE_USER_END_SESSION: Empty
  EVENT_TYPE_HEARTBEAT: Empty
  EVENT_TYPE_CSAT_RESPONSE: { score: number; comment?: string | undefined }
  EVENT_TYPE_USER_STOP_ANSWER: { message_id?: string | undefined }
  EVENT_TYPE_USER_FEEDBACK: { message_id: string; rating: FeedbackRating; comment?: string | undefined }
  EVENT_TYPE_USER_DECISION: { confirm_id: string; decision: Decision }
  EVENT_TYPE_USER_LEAVE_QUEUE: Empty
}

/** The types of events of a client. */
export type ClientEventType = keyof ClientPayloads

/** One event of a client. Nothing but these three fields goes over the wire. */
export type ClientEvent = {
  [T in ClientEventType]: { type: T; payload: ClientPayloads[T]; metadata?: { custom: Custom } | undefined }
}[ClientEventType]

/** The metadata that carries a message's id, under the keys of both kinds of service. */
export function customId(id: string): { custom: Custom } {
  return { custom: { client_event_id: id, local_id: id } }
}

/** The metadata of a join. `follows`: a message of the visitor comes right behind it, so that nothing has to be said before. */
export function joinMetadata(id: string, follows: boolean): { custom: Custom } {
  const { custom } = customId(id)
  return { custom: follows ? { ...custom, [MESSAGE_FOLLOWS]: 'yes' } : custom }
}
const MESSAGE_FOLLOWS = 'message_follows'

export const messageFollows = (custom: Custom | null): boolean => custom?.[MESSAGE_FOLLOWS] === 'yes'

/** What a client added to its event: `metadata.custom` without the fields that this protocol sets. */
export function addedTo(custom: Custom | null): Custom {
  const { custom: ours } = joinMetadata('', true)
  return Object.fromEntries(Object.entries(custom ?? {}).filter(([name]) => !Object.hasOwn(ours, name)))
}

/** The id that the sender gave a message, if any. */
export function idOf(custom: Custom | undefined): string | undefined {
  return custom?.client_event_id ?? custom?.local_id
}
