// Reads the frames of the service, tolerantly: a frame may come from a newer service, an older one or a broken proxy.
// Unreadable parts are dropped with a note. Nothing throws.

import type {
  Attachment,
  Capabilities,
  Confirm,
  Custom,
  LiveAgent,
  MessagePayload,
  ReadCallAction,
  ServerEvent,
  ServerEventType,
  ServerPayloads,
  Suggestion,
} from './events.ts'
import { DEFAULT_HEARTBEAT_SECONDS, MAX_MESSAGE_BYTES } from './limits.ts'

/** Why an event or a frame was dropped. `sequence`: the sequence of the dropped event, if it had one. */
export type Drop = { reason: string; sequence?: number | undefined }

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const fields = (value: unknown): Fields => (isObject(value) ? value : {})
/** Own fields only: a payload cannot reach `constructor` and the like. */
const own = (from: Fields, name: string): unknown => (Object.hasOwn(from, name) ? from[name] : undefined)
const string = (from: Fields, name: string): string | undefined => {
  const value = own(from, name)
  return typeof value === 'string' ? value : undefined
}
const filled = (from: Fields, name: string): string | undefined => string(from, name) || undefined
const boolean = (from: Fields, name: string): boolean | undefined => {
  const value = own(from, name)
  return typeof value === 'boolean' ? value : undefined
}
/** A whole number of at least `min`. */
const whole = (from: Fields, name: string, min = 0): number | undefined => {
  const value = own(from, name)
  return Number.isSafeInteger(value) && (value as number) >= min ? (value as number) : undefined
}
const optional = <T>(from: Fields, name: string, read: (item: Fields) => T | undefined): T | undefined => {
  const value = own(from, name)
  return isObject(value) ? read(value) : undefined
}
const list = <T>(from: Fields, name: string, read: (item: Fields) => T | undefined): T[] => {
  const value = own(from, name)
  if (!Array.isArray(value)) return []
  return value.flatMap((item) => (isObject(item) ? (read(item) ?? []) : []))
}

const attachment = (item: Fields): Attachment | undefined => {
  const content_url = filled(item, 'content_url')
  if (!content_url) return undefined
  const isImage = string(item, 'content_type') === 'ATTACHMENT_CONTENT_TYPE_IMAGE'
  return {
    // An attachment of an unknown type is shown as a link.
    content_type: isImage ? 'ATTACHMENT_CONTENT_TYPE_IMAGE' : 'ATTACHMENT_CONTENT_TYPE_URL',
    content_url,
    title: filled(item, 'title'),
    preview_image_url: filled(item, 'preview_image_url'),
    call_to_action_text: filled(item, 'call_to_action_text'),
  }
}
const suggestion = (item: Fields): Suggestion | undefined => {
  const message_text = filled(item, 'message_text')
  return message_text ? { message_text, payload: filled(item, 'payload') } : undefined
}
const callAction = (item: Fields): ReadCallAction | undefined => {
  const contact_number = filled(item, 'contact_number')
  const title = filled(item, 'title') ?? contact_number
  return title ? { title, contact_number } : undefined
}
const capabilities = (from: Fields): Capabilities => ({
  streaming: boolean(from, 'streaming') ?? false,
  max_message_size_bytes: whole(from, 'max_message_size_bytes', 1) ?? MAX_MESSAGE_BYTES,
  max_reconnect_attempts: whole(from, 'max_reconnect_attempts') ?? 0,
  heartbeat_interval_seconds: whole(from, 'heartbeat_interval_seconds') ?? DEFAULT_HEARTBEAT_SECONDS,
  session_idle_seconds: whole(from, 'session_idle_seconds', 1),
  csat: boolean(from, 'csat') ?? false,
  stop: boolean(from, 'stop') ?? false,
  feedback: boolean(from, 'feedback') ?? false,
  leave_queue: boolean(from, 'leave_queue') ?? false,
  confirm: boolean(from, 'confirm') ?? false,
  session_status: boolean(from, 'session_status') ?? false,
})
/** Undefined if a part is missing without which nobody can decide. */
const confirm = (from: Fields): Confirm | undefined => {
  const [id, title] = [filled(from, 'id'), filled(from, 'title')]
  const [confirm, cancel] = [filled(from, 'confirm'), filled(from, 'cancel')]
  return id && title && confirm && cancel
    ? { id, title, summary: string(from, 'summary') ?? '', confirm, cancel }
    : undefined
}
const message = (from: Fields): MessagePayload => ({
  message_id: filled(from, 'message_id'),
  text: string(from, 'text') ?? '',
  attachments: list(from, 'attachments', attachment),
  response_suggestions: list(from, 'response_suggestions', suggestion),
  chat_call_actions: list(from, 'chat_call_actions', callAction),
  agent_name: filled(from, 'agent_name'),
  avatar_url: filled(from, 'avatar_url'),
  end_conversation: boolean(from, 'end_conversation'),
  stopped: boolean(from, 'stopped'),
  confirm: optional(from, 'confirm', confirm),
})
const liveAgent = (from: Fields): LiveAgent => {
  const agent = fields(own(from, 'agent'))
  return {
    id: filled(agent, 'id') ?? filled(from, 'agent_id'),
    name: filled(agent, 'name') ?? filled(from, 'agent_name'),
    avatar_url: filled(agent, 'avatar_url') ?? filled(from, 'avatar_url'),
  }
}
const reason = (from: Fields) => ({ reason: filled(from, 'reason') })
const empty = () => ({})

/** One reader for each type. Undefined: a required field is missing. */
const readers: { [T in ServerEventType]: (from: Fields) => ServerPayloads[T] | undefined } = {
  EVENT_TYPE_REQUEST_POLY_AGENT_JOIN: empty,
  EVENT_TYPE_USER_MESSAGE: (from) => {
    const text = string(from, 'text')
    return text === undefined ? undefined : { text, message_id: filled(from, 'message_id') }
  },
  EVENT_TYPE_USER_END_SESSION: empty,
  EVENT_TYPE_HEARTBEAT: empty,
  EVENT_TYPE_CSAT_RESPONSE: (from) => ({ score: whole(from, 'score'), comment: filled(from, 'comment') }),
  EVENT_TYPE_USER_FEEDBACK: (from) => {
    const message_id = filled(from, 'message_id')
    const rating = string(from, 'rating')
    return message_id && (rating === 'up' || rating === 'down')
      ? { message_id, rating, comment: filled(from, 'comment') }
      : undefined
  },
  EVENT_TYPE_USER_DECISION: (from) => {
    const confirm_id = filled(from, 'confirm_id')
    const decision = string(from, 'decision')
    return confirm_id && (decision === 'confirm' || decision === 'cancel')
      ? { confirm_id, decision }
      : undefined
  },
  EVENT_TYPE_SESSION_START: (from) => ({
    capabilities: capabilities(fields(own(from, 'capabilities'))),
    context_id: filled(from, 'context_id'),
  }),
  EVENT_TYPE_SESSION_IDLE_WARNING: empty,
  EVENT_TYPE_SESSION_END: reason,
  EVENT_TYPE_SYSTEM_MESSAGE: (from) => {
    const level = string(from, 'level')
    return {
      level:
        level === 'SYSTEM_MESSAGE_LEVEL_ERROR' || level === 'SYSTEM_MESSAGE_LEVEL_WARNING'
          ? level
          : 'SYSTEM_MESSAGE_LEVEL_INFO',
      message: string(from, 'message') ?? '',
      code: string(from, 'code') === 'waiting' ? 'waiting' : undefined,
    }
  },
  EVENT_TYPE_LANGUAGE_CHANGED: (from) => ({ language_code: filled(from, 'language_code') }),
  EVENT_TYPE_POLY_AGENT_JOINED: (from) => ({
    agent_name: filled(from, 'agent_name'),
    agent_avatar_url: filled(from, 'agent_avatar_url') ?? filled(from, 'avatar_url'),
  }),
  EVENT_TYPE_POLY_AGENT_THINKING: empty,
  EVENT_TYPE_POLY_AGENT_MESSAGE: message,
  EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK: (from) => ({
    message_id: filled(from, 'message_id'),
    text: string(from, 'text') ?? '',
    attachments: list(from, 'attachments', attachment),
    response_suggestions: list(from, 'response_suggestions', suggestion),
    chunk_index: whole(from, 'chunk_index'),
    is_complete: boolean(from, 'is_complete') ?? false,
    stopped: boolean(from, 'stopped'),
  }),
  EVENT_TYPE_POLY_AGENT_LEFT: reason,
  EVENT_TYPE_POLY_AGENT_TRIGGERED_HANDOFF: empty,
  EVENT_TYPE_HANDOFF_ACCEPTED: (from) => ({ queue_name: filled(from, 'queue_name') }),
  EVENT_TYPE_HANDOFF_QUEUE_STATUS: (from) => ({
    queue_name: filled(from, 'queue_name'),
    position_in_queue: whole(from, 'position_in_queue') ?? whole(from, 'position'),
    estimated_wait_seconds: whole(from, 'estimated_wait_seconds'),
    display_message: filled(from, 'display_message'),
  }),
  EVENT_TYPE_HANDOFF_FAILED: reason,
  EVENT_TYPE_HANDOFF_TIMEOUT: reason,
  EVENT_TYPE_CLIENT_HANDOFF_REQUIRED: (from) => ({
    ...reason(from),
    queue_name: filled(from, 'queue_name'),
    route: filled(from, 'route'),
  }),
  EVENT_TYPE_LIVE_AGENT_JOINED: (from) => ({ agent: liveAgent(from) }),
  EVENT_TYPE_LIVE_AGENT_TYPING: (from) => ({
    state: string(from, 'state') === 'TYPING_STATE_STOPPED' ? 'TYPING_STATE_STOPPED' : 'TYPING_STATE_STARTED',
    agent_id: filled(from, 'agent_id'),
    agent_name: filled(from, 'agent_name'),
  }),
  EVENT_TYPE_LIVE_AGENT_MESSAGE: (from) => ({ ...message(from), agent_id: filled(from, 'agent_id') }),
  EVENT_TYPE_LIVE_AGENT_LEFT: (from) => ({
    ...reason(from),
    agent_id: filled(from, 'agent_id'),
    agent_name: filled(from, 'agent_name'),
  }),
  EVENT_TYPE_SHOW_CSAT_REQUEST: empty,
  EVENT_TYPE_USER_RECEIVED_MESSAGE: empty,
  EVENT_TYPE_USER_READ_MESSAGE: empty,
  EVENT_TYPE_POLY_AGENT_RECEIVED_MESSAGE: empty,
  EVENT_TYPE_POLY_AGENT_READ_MESSAGE: empty,
  EVENT_TYPE_LIVE_AGENT_RECEIVED_MESSAGE: empty,
  EVENT_TYPE_LIVE_AGENT_READ_MESSAGE: empty,
}

export const isServerEventType = (type: string): type is ServerEventType => Object.hasOwn(readers, type)

const BATCH = 'EVENT_TYPE_EVENT_BATCH'

/** The strings in `metadata.custom`. Undefined if there is no such object. */
export function readCustom(frame: Fields): Custom | undefined {
  const custom = own(fields(own(frame, 'metadata')), 'custom')
  if (!isObject(custom)) return undefined
  const read: Record<string, string> = Object.create(null)
  for (const [key, value] of Object.entries(custom)) if (typeof value === 'string') read[key] = value
  return read
}

function readEvent(frame: Fields, replayed: boolean, drop: (note: Drop) => void): ServerEvent | undefined {
  const type = string(frame, 'type')
  const sequence = whole(frame, 'sequence')
  if (type === undefined) return void drop({ reason: 'an event without a type', sequence })
  if (!isServerEventType(type)) return void drop({ reason: `unknown type ${type.slice(0, 80)}`, sequence })
  const byTypeName = type.slice('EVENT_TYPE_'.length).toLowerCase()
  const payload = readers[type](fields(own(frame, 'payload') ?? own(frame, byTypeName)))
  if (payload === undefined) return void drop({ reason: `${type} without what it is about`, sequence })
  const id = filled(frame, 'id')
  const timestamp = filled(frame, 'timestamp')
  if (type !== 'EVENT_TYPE_HEARTBEAT' && (id === undefined || timestamp === undefined))
    return void drop({ reason: `${type} without an id or a timestamp`, sequence })
  const custom = readCustom(frame)
  return {
    type,
    payload,
    id,
    sequence,
    timestamp,
    metadata: custom && { custom },
    first_sequence: whole(frame, 'first_sequence'),
    replayed,
  } as ServerEvent
}

/** The content of one frame. `batch`: the frame is a batch of the replay, which may be empty. */
export type Frame = { batch: boolean; events: ServerEvent[]; drops: Drop[] }

/** Reads one frame of the service. Never throws; `drops` lists what could not be read. */
export function parseFrame(text: string): Frame {
  const drops: Drop[] = []
  const drop = (note: Drop) => void drops.push(note)
  const unreadable = (reason: string): Frame => ({ batch: false, events: [], drops: [{ reason }] })
  let frame: unknown
  try {
    frame = JSON.parse(text)
  } catch {
    return unreadable('a frame that is not JSON')
  }
  if (!isObject(frame)) return unreadable('a frame that is not a JSON object')
  if (string(frame, 'type') !== BATCH) {
    const event = readEvent(frame, false, drop)
    return { batch: false, events: event ? [event] : [], drops }
  }
  const list = own(fields(own(frame, 'payload') ?? own(frame, 'event_batch')), 'events')
  if (!Array.isArray(list)) return unreadable('a batch without events')
  const events = list.flatMap((event) => {
    if (isObject(event)) return readEvent(event, true, drop) ?? []
    drop({ reason: 'something in a batch that is not an event' })
    return []
  })
  return { batch: true, events: inOrder(events), drops }
}

/** Sorts by sequence. An event without a sequence stays behind its predecessor. */
function inOrder(events: ServerEvent[]): ServerEvent[] {
  let last = 0
  const placed = events.map((event) => {
    last = event.sequence ?? last
    return { event, at: last }
  })
  return placed.sort((a, b) => a.at - b.at).map(({ event }) => event)
}

/**
 * Reads one frame of the service: a single event, or the events of a batch sorted by their sequence.
 * Never throws; reports what it could not read to `drop`, for a debug log.
 */
export function readFrame(text: string, drop: (note: Drop) => void = () => {}): ServerEvent[] {
  const { events, drops } = parseFrame(text)
  for (const note of drops) drop(note)
  return events
}
