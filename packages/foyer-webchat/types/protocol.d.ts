declare function socketUrl(chatUrl: string, sessionId: string, accessToken: string, cursor?: number): string

declare const CLOSE: {
  readonly clean: 1000
  readonly goingAway: 1001
  readonly none: 1005
  readonly abnormal: 1006
  readonly policy: 1008
  readonly tooLarge: 1009
  readonly failed: 1011
  readonly restarting: 1012
  readonly tryLater: 1013
  readonly replaced: 4000
  readonly unknownSession: 4001
  readonly forced: 4002
  readonly networkLost: 4003
}

type CloseMeaning = 'reconnect' | 'renew' | 'later' | 'spread' | 'oversize'

declare function closeMeaning(code: number): CloseMeaning

declare const PLATFORMS: readonly ['web', 'ios', 'android', 'ios-web', 'android-web', 'custom']

type Platform = (typeof PLATFORMS)[number]

type Custom = Readonly<Record<string, string>>

type TypingState = 'TYPING_STATE_STARTED' | 'TYPING_STATE_STOPPED'

type Attachment = {
  content_type: 'ATTACHMENT_CONTENT_TYPE_URL' | 'ATTACHMENT_CONTENT_TYPE_IMAGE'
  content_url: string
  title?: string | undefined
  preview_image_url?: string | undefined
  call_to_action_text?: string | undefined
}

type Suggestion = {
  message_text: string
  payload?: string | undefined
}

type CallAction = {
  title: string
  contact_number: string
}

type ReadCallAction = {
  title: string
  contact_number?: string | undefined
}

type LiveAgent = {
  id?: string | undefined
  name?: string | undefined
  avatar_url?: string | undefined
}

type Capabilities = {
  streaming: boolean
  max_message_size_bytes: number
  max_reconnect_attempts: number
  heartbeat_interval_seconds: number
  session_idle_seconds?: number | undefined
  csat: boolean
  stop: boolean
  feedback: boolean
  leave_queue: boolean
  confirm: boolean
  session_status: boolean
}

type FeedbackRating = 'up' | 'down'

type Confirm = {
  id: string
  title: string
  summary: string
  confirm: string
  cancel: string
}

type Decision = 'confirm' | 'cancel'

type MessagePayload = {
  message_id?: string | undefined
  text: string
  attachments: Attachment[]
  response_suggestions: Suggestion[]
  chat_call_actions: ReadCallAction[]
  agent_name?: string | undefined
  avatar_url?: string | undefined
  end_conversation?: boolean | undefined
  stopped?: boolean | undefined
  confirm?: Confirm | undefined
}

type ChunkPayload = {
  message_id?: string | undefined
  text: string
  attachments: Attachment[]
  response_suggestions: Suggestion[]
  chunk_index?: number | undefined
  is_complete: boolean
  stopped?: boolean | undefined
}

type SystemLevel = 'SYSTEM_MESSAGE_LEVEL_INFO' | 'SYSTEM_MESSAGE_LEVEL_WARNING' | 'SYSTEM_MESSAGE_LEVEL_ERROR'

type SystemCode = 'waiting'
type Empty = Record<never, never>
type Reason = {
  reason?: string | undefined
}

type ServerPayloads = {
  EVENT_TYPE_REQUEST_POLY_AGENT_JOIN: Empty
  EVENT_TYPE_USER_MESSAGE: {
    text: string
    message_id?: string | undefined
  }
  EVENT_TYPE_USER_END_SESSION: Empty
  EVENT_TYPE_HEARTBEAT: Empty
  EVENT_TYPE_CSAT_RESPONSE: {
    score?: number | undefined
    comment?: string | undefined
  }
  EVENT_TYPE_USER_FEEDBACK: {
    message_id: string
    rating: FeedbackRating
    comment?: string | undefined
  }
  EVENT_TYPE_USER_DECISION: {
    confirm_id: string
    decision: Decision
  }
  EVENT_TYPE_SESSION_START: {
    capabilities: Capabilities
    context_id?: string | undefined
  }
  EVENT_TYPE_SESSION_IDLE_WARNING: Empty
  EVENT_TYPE_SESSION_END: Reason
  EVENT_TYPE_SYSTEM_MESSAGE: {
    level: SystemLevel
    message: string
    code?: SystemCode | undefined
  }
  EVENT_TYPE_LANGUAGE_CHANGED: {
    language_code?: string | undefined
  }
  EVENT_TYPE_POLY_AGENT_JOINED: {
    agent_name?: string | undefined
    agent_avatar_url?: string | undefined
  }
  EVENT_TYPE_POLY_AGENT_THINKING: Empty
  EVENT_TYPE_POLY_AGENT_MESSAGE: MessagePayload
  EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK: ChunkPayload
  EVENT_TYPE_POLY_AGENT_LEFT: Reason
  EVENT_TYPE_POLY_AGENT_TRIGGERED_HANDOFF: Empty
  EVENT_TYPE_HANDOFF_ACCEPTED: {
    queue_name?: string | undefined
  }
  EVENT_TYPE_HANDOFF_QUEUE_STATUS: {
    queue_name?: string | undefined
    position_in_queue?: number | undefined
    estimated_wait_seconds?: number | undefined
    display_message?: string | undefined
  }
  EVENT_TYPE_HANDOFF_FAILED: Reason
  EVENT_TYPE_HANDOFF_TIMEOUT: Reason
  EVENT_TYPE_CLIENT_HANDOFF_REQUIRED: Reason & {
    queue_name?: string | undefined
    route?: string | undefined
  }
  EVENT_TYPE_LIVE_AGENT_JOINED: {
    agent: LiveAgent
  }
  EVENT_TYPE_LIVE_AGENT_TYPING: {
    state: TypingState
    agent_id?: string | undefined
    agent_name?: string | undefined
  }
  EVENT_TYPE_LIVE_AGENT_MESSAGE: MessagePayload & {
    agent_id?: string | undefined
  }
  EVENT_TYPE_LIVE_AGENT_LEFT: Reason & {
    agent_id?: string | undefined
    agent_name?: string | undefined
  }
  EVENT_TYPE_SHOW_CSAT_REQUEST: Empty
  EVENT_TYPE_USER_RECEIVED_MESSAGE: Empty
  EVENT_TYPE_USER_READ_MESSAGE: Empty
  EVENT_TYPE_POLY_AGENT_RECEIVED_MESSAGE: Empty
  EVENT_TYPE_POLY_AGENT_READ_MESSAGE: Empty
  EVENT_TYPE_LIVE_AGENT_RECEIVED_MESSAGE: Empty
  EVENT_TYPE_LIVE_AGENT_READ_MESSAGE: Empty
}

type ServerEventType = keyof ServerPayloads

type Envelope = {
  id?: string | undefined
  sequence?: number | undefined
  timestamp?: string | undefined
  metadata?:
    | {
        custom: Custom
      }
    | undefined
  first_sequence?: number | undefined
  replayed: boolean
}

type ServerEvent = {
  [T in ServerEventType]: Envelope & {
    type: T
    payload: ServerPayloads[T]
  }
}[ServerEventType]

type ClientPayloads = {
  EVENT_TYPE_REQUEST_POLY_AGENT_JOIN: Empty
  EVENT_TYPE_USER_MESSAGE: {
    text: string
  }
  EVENT_TYPE_USER_TYPING: {
    state: TypingState
  }
  EVENT_TYPE_USER_END_SESSION: Empty
  EVENT_TYPE_HEARTBEAT: Empty
  EVENT_TYPE_CSAT_RESPONSE: {
    score: number
    comment?: string | undefined
  }
  EVENT_TYPE_USER_STOP_ANSWER: {
    message_id?: string | undefined
  }
  EVENT_TYPE_USER_FEEDBACK: {
    message_id: string
    rating: FeedbackRating
    comment?: string | undefined
  }
  EVENT_TYPE_USER_DECISION: {
    confirm_id: string
    decision: Decision
  }
  EVENT_TYPE_USER_LEAVE_QUEUE: Empty
}

type ClientEventType = keyof ClientPayloads

type ClientEvent = {
  [T in ClientEventType]: {
    type: T
    payload: ClientPayloads[T]
    metadata?:
      | {
          custom: Custom
        }
      | undefined
  }
}[ClientEventType]

declare function customId(id: string): {
  custom: Custom
}

declare function idOf(custom: Custom | undefined): string | undefined

type Drop = {
  reason: string
  sequence?: number | undefined
}

declare function readFrame(text: string, drop?: (note: Drop) => void): ServerEvent[]
export {
  type Attachment,
  CLOSE,
  type CallAction,
  type Capabilities,
  type ChunkPayload,
  type ClientEvent,
  type ClientEventType,
  type ClientPayloads,
  type CloseMeaning,
  type Confirm,
  type Custom,
  type Decision,
  type Drop,
  type Envelope,
  type LiveAgent,
  type MessagePayload,
  type Platform,
  type ReadCallAction,
  type ServerEvent,
  type ServerEventType,
  type ServerPayloads,
  type Suggestion,
  type SystemLevel,
  type TypingState,
  closeMeaning,
  customId,
  idOf,
  readFrame,
  socketUrl,
}
