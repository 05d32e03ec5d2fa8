// Defines the events that client and service exchange over the socket, with the names of the wire.

/** What the service says where its agent failed, as a system message of level error. */
export const AGENT_FAILED = 'Sorry, I encountered an error. Please try again.'

/** Platforms a session can report. `ios-web` and `android-web` are pages inside a native WebView. */
export const PLATFORMS = ['web', 'ios', 'android', 'ios-web', 'android-web', 'custom'] as const
/** Where a chat runs. */
export type Platform = (typeof PLATFORMS)[number]

/** What the service says of a session: it is open, over by inactivity, over by someone, or nothing that the access token may know. */
export const SESSION_STATES = ['active', 'expired', 'ended', 'unknown'] as const
/** The state of a session. */
export type SessionState = (typeof SESSION_STATES)[number]

/** Strings that the service echoes, in errors too. Foyer's client puts the id of a message in them. */
export type Custom = Readonly<Record<string, string>>

/** Whether somebody types. */
export type TypingState = 'TYPING_STATE_STARTED' | 'TYPING_STATE_STOPPED'

/** A link or an image below a message. */
export type Attachment = {
  /** A link or an image. */
  content_type: 'ATTACHMENT_CONTENT_TYPE_URL' | 'ATTACHMENT_CONTENT_TYPE_IMAGE'
  /** The address of the page or of the image. */
  content_url: string
  /** The title of the card. */
  title?: string | undefined
  /** The address of a picture to show with a link. */
  preview_image_url?: string | undefined
  /** The text of the link or button that opens `content_url`. */
  call_to_action_text?: string | undefined
}

/** A reply that the visitor can choose. A tap sends `message_text` as a message of the visitor. */
export type Suggestion = {
  /** The text of the button, and of the message. */
  message_text: string
  /** Data of the agent; the client does not send it. */
  payload?: string | undefined
}

/** A phone button. */
export type CallAction = {
  /** The text of the button. */
  title: string
  /** The phone number to call. */
  contact_number: string
}

/** A phone button as the reader returns it. */
export type ReadCallAction = {
  /** The text of the button. */
  title: string
  /** The phone number to call. Without it only the title can be shown. */
  contact_number?: string | undefined
}

/** The person who has taken the conversation over. */
export type LiveAgent = {
  /** The ID of the person. */
  id?: string | undefined
  /** The name to show. */
  name?: string | undefined
  /** The address of a picture. */
  avatar_url?: string | undefined
}

/** What the service supports in a session, and its limits. The reader fills in what the service omits. */
export type Capabilities = {
  /** Answers arrive in chunks. */
  streaming: boolean
  /** Size of the largest frame, in bytes of UTF-8. */
  max_message_size_bytes: number
  /** How often a client may reconnect in a row. 0: no limit. */
  max_reconnect_attempts: number
  /** Seconds between heartbeats. 0: no heartbeats. */
  heartbeat_interval_seconds: number
  /** Seconds without activity until the session expires. Without it the client assumes 600. */
  session_idle_seconds?: number | undefined
  /** The service accepts `EVENT_TYPE_CSAT_RESPONSE`. */
  csat: boolean
  /** The service accepts `EVENT_TYPE_USER_STOP_ANSWER`. */
  stop: boolean
  /** The service accepts `EVENT_TYPE_USER_FEEDBACK`. */
  feedback: boolean
  /** The service accepts `EVENT_TYPE_USER_LEAVE_QUEUE`. */
  leave_queue: boolean
  /** The service accepts `EVENT_TYPE_USER_DECISION`. */
  confirm: boolean
  /** The service tells the state of a session over HTTP. */
  session_status: boolean
}

/** The rating of one answer. */
export type FeedbackRating = 'up' | 'down'

/** A question of the agent that the visitor decides by a press. All texts are plain. */
export type Confirm = {
  /** The ID of the message that asks. */
  id: string
  /** What the decision is about, in a few words. */
  title: string
  /** What happens if the visitor confirms. */
  summary: string
  /** The words of the choice that confirms. */
  confirm: string
  /** The words of the choice that cancels. */
  cancel: string
}

/** What the visitor decided. A question that nothing can decide any more gets `cancel`. */
export type Decision = 'confirm' | 'cancel'

/** A whole message of the agent or of a live agent. */
export type MessagePayload = {
  /** The ID of the message. */
  message_id?: string | undefined
  /** Markdown. */
  text: string
  /** Links and images below the message. */
  attachments: Attachment[]
  /** Replies that the visitor can choose. */
  response_suggestions: Suggestion[]
  /** Phone buttons. */
  chat_call_actions: ReadCallAction[]
  /** The name to show. */
  agent_name?: string | undefined
  /** The address of the agent's picture. */
  avatar_url?: string | undefined
  /** True ends the session. */
  end_conversation?: boolean | undefined
  /** True where the visitor stopped the answer: it holds what was said until then. */
  stopped?: boolean | undefined
  /** The visitor has to decide. Text and suggestions say the same, for clients that do not know this field. */
  confirm?: Confirm | undefined
}

/** A part of an answer. */
export type ChunkPayload = {
  /** The ID of the answer, the same in all its chunks. */
  message_id?: string | undefined
  /** Markdown. The texts of all chunks, joined with nothing between them, are the answer. */
  text: string
  /** The attachments of all chunks add up. */
  attachments: Attachment[]
  /** The last list that is not empty counts. */
  response_suggestions: Suggestion[]
  /** Counts from 1 or from 0. */
  chunk_index?: number | undefined
  /** True on the last chunk. */
  is_complete: boolean
  /** True on the last chunk where the visitor stopped the answer. */
  stopped?: boolean | undefined
}

/** The level of a system message. */
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
  /** Echo of the join. */
  EVENT_TYPE_REQUEST_POLY_AGENT_JOIN: Empty
  /** Echo of a message, and its delivery receipt: the message is stored. */
  EVENT_TYPE_USER_MESSAGE: { text: string; message_id?: string | undefined }
  /** Echo of the request to end the session. */
  EVENT_TYPE_USER_END_SESSION: Empty
  /** Echo of a heartbeat, to its sender only. */
  EVENT_TYPE_HEARTBEAT: Empty
  /** Echo of a rating of the chat. */
  EVENT_TYPE_CSAT_RESPONSE: { score?: number | undefined; comment?: string | undefined }
  /** Echo of a rating of one answer. */
  EVENT_TYPE_USER_FEEDBACK: { message_id: string; rating: FeedbackRating; comment?: string | undefined }
  /** Echo of a decision. Every later decision about the same question gets the first one as its echo. */
  EVENT_TYPE_USER_DECISION: { confirm_id: string; decision: Decision }
  // session
  /** The first event of a session. */
  EVENT_TYPE_SESSION_START: { capabilities: Capabilities; context_id?: string | undefined }
  /** The session is about to expire due to inactivity. */
  EVENT_TYPE_SESSION_IDLE_WARNING: Empty
  /** The session has ended: `REASON_USER_END`, `REASON_USER_ABANDONED`, `REASON_NATURAL_END` or another reason. Nothing follows. */
  EVENT_TYPE_SESSION_END: Reason
  /** A notice or an error. It never closes the socket. `code` is for clients that have words of their own. */
  EVENT_TYPE_SYSTEM_MESSAGE: { level: SystemLevel; message: string; code?: SystemCode | undefined }
  /** The language of the conversation from here on, as a BCP 47 tag. */
  EVENT_TYPE_LANGUAGE_CHANGED: { language_code?: string | undefined }
  // the agent
  /** The agent has joined. */
  EVENT_TYPE_POLY_AGENT_JOINED: { agent_name?: string | undefined; agent_avatar_url?: string | undefined }
  /** The agent works on an answer. */
  EVENT_TYPE_POLY_AGENT_THINKING: Empty
  /** A whole message of the agent. */
  EVENT_TYPE_POLY_AGENT_MESSAGE: MessagePayload
  /** A part of an answer, in sessions that stream. */
  EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK: ChunkPayload
  /** The agent has left the conversation. */
  EVENT_TYPE_POLY_AGENT_LEFT: Reason
  // handoff and the live agent
  /** The agent hands the conversation over to a person. */
  EVENT_TYPE_POLY_AGENT_TRIGGERED_HANDOFF: Empty
  /** The conversation waits in a queue. */
  EVENT_TYPE_HANDOFF_ACCEPTED: { queue_name?: string | undefined }
  /** The place in the queue, sent from time to time. */
  EVENT_TYPE_HANDOFF_QUEUE_STATUS: {
    queue_name?: string | undefined
    position_in_queue?: number | undefined
    estimated_wait_seconds?: number | undefined
    display_message?: string | undefined
  }
  /** Nobody takes the conversation over, and the visitor can go on. The reason `left`: the visitor has left the queue. */
  EVENT_TYPE_HANDOFF_FAILED: Reason
  /** Nobody took the conversation over in time, and the visitor can go on. */
  EVENT_TYPE_HANDOFF_TIMEOUT: Reason
  /** The page has to lead the visitor to a person, by `route`. */
  EVENT_TYPE_CLIENT_HANDOFF_REQUIRED: Reason & { queue_name?: string | undefined; route?: string | undefined }
  /** A person has taken the conversation over. */
  EVENT_TYPE_LIVE_AGENT_JOINED: { agent: LiveAgent }
  /** The live agent begins or stops typing. */
  EVENT_TYPE_LIVE_AGENT_TYPING: {
    state: TypingState
    agent_id?: string | undefined
    agent_name?: string | undefined
  }
  /** A message of the live agent. */
  EVENT_TYPE_LIVE_AGENT_MESSAGE: MessagePayload & { agent_id?: string | undefined }
  /** The live agent has left. This alone does not end the session. */
  EVENT_TYPE_LIVE_AGENT_LEFT: Reason & { agent_id?: string | undefined; agent_name?: string | undefined }
  // rating of the chat
  /** Asks the visitor to rate the chat. */
  EVENT_TYPE_SHOW_CSAT_REQUEST: Empty
  // in the vocabulary, but not sent today: the client reads and ignores them
  /** Not sent today; a client ignores it. */
  EVENT_TYPE_USER_RECEIVED_MESSAGE: Empty
  /** Not sent today; a client ignores it. */
  EVENT_TYPE_USER_READ_MESSAGE: Empty
  /** Not sent today; a client ignores it. */
  EVENT_TYPE_POLY_AGENT_RECEIVED_MESSAGE: Empty
  /** Not sent today; a client ignores it. */
  EVENT_TYPE_POLY_AGENT_READ_MESSAGE: Empty
  /** Not sent today; a client ignores it. */
  EVENT_TYPE_LIVE_AGENT_RECEIVED_MESSAGE: Empty
  /** Not sent today; a client ignores it. */
  EVENT_TYPE_LIVE_AGENT_READ_MESSAGE: Empty
}

/** The types of events that the service sends. */
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
  /** Asks the agent to join, once in a new session. A second join is echoed and does nothing. */
  EVENT_TYPE_REQUEST_POLY_AGENT_JOIN: Empty
  /** A message of the visitor, which must not be empty. */
  EVENT_TYPE_USER_MESSAGE: { text: string }
  /** The visitor begins or stops typing. Not echoed. */
  EVENT_TYPE_USER_TYPING: { state: TypingState }
  /** Ends the session. */
  EVENT_TYPE_USER_END_SESSION: Empty
  /** Keeps the socket open: the service closes one that sent nothing for 10 minutes. */
  EVENT_TYPE_HEARTBEAT: Empty
  /** Rates the chat with a score from 0 to 10. Needs the capability `csat`. */
  EVENT_TYPE_CSAT_RESPONSE: { score: number; comment?: string | undefined }
  /** Stops the running answer; with `message_id` that answer only. Not echoed. Needs the capability `stop`. */
  EVENT_TYPE_USER_STOP_ANSWER: { message_id?: string | undefined }
  /** Rates one answer; the latest rating counts. Needs the capability `feedback`. */
  EVENT_TYPE_USER_FEEDBACK: { message_id: string; rating: FeedbackRating; comment?: string | undefined }
  /** Decides a question that came with `confirm`. Needs the capability `confirm`. */
  EVENT_TYPE_USER_DECISION: { confirm_id: string; decision: Decision }
  /** Leaves the handoff queue. Answered by `EVENT_TYPE_HANDOFF_FAILED`. Needs the capability `leave_queue`. */
  EVENT_TYPE_USER_LEAVE_QUEUE: Empty
}

/** The types of events that a client may send. */
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
