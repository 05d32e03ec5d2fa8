// Reads the frames of clients for the service. It is strict, since the service can answer with an error.

import type { ClientEvent, ClientEventType, Custom } from './events.ts'
import { MAX_CUSTOM_BYTES, MAX_CUSTOM_KEYS } from './limits.ts'
import { isServerEventType, readCustom } from './read.ts'

const CLIENT_TYPES: Readonly<Record<ClientEventType, true>> = {
  EVENT_TYPE_REQUEST_POLY_AGENT_JOIN: true,
  EVENT_TYPE_USER_MESSAGE: true,
  EVENT_TYPE_USER_TYPING: true,
  EVENT_TYPE_USER_END_SESSION: true,
  EVENT_TYPE_HEARTBEAT: true,
  EVENT_TYPE_CSAT_RESPONSE: true,
}

/** The event in a client's frame, or the text of the SYSTEM_MESSAGE that answers an invalid one. */
export type Request =
  | { event: ClientEvent; custom: Custom | undefined }
  | { error: string; custom: Custom | undefined }

const UNKNOWN = 'Unknown event type or invalid message format'

/** Reads one frame of a client. Never throws. */
export function readRequest(text: string): Request {
  let frame: unknown
  try {
    frame = JSON.parse(text)
  } catch {
    return { error: UNKNOWN, custom: undefined }
  }
  if (typeof frame !== 'object' || frame === null || Array.isArray(frame))
    return { error: UNKNOWN, custom: undefined }
  const { type, payload } = frame as { type?: unknown; payload?: unknown }
  const given = readCustom(frame as Record<string, unknown>)
  const custom = given && withinLimits(given) ? given : undefined
  if (given && !custom)
    return {
      error: `Invalid metadata: custom takes at most ${MAX_CUSTOM_KEYS} keys, each key and value at most ${MAX_CUSTOM_BYTES} bytes`,
      custom,
    }
  if (typeof type !== 'string') return { error: UNKNOWN, custom }
  if (!Object.hasOwn(CLIENT_TYPES, type)) {
    return { error: isServerEventType(type) ? `Event type not allowed: ${type}` : UNKNOWN, custom }
  }
  const fields = (typeof payload === 'object' && payload !== null ? payload : {}) as Record<string, unknown>
  const metadata = custom && { custom }
  switch (type as ClientEventType) {
    case 'EVENT_TYPE_USER_MESSAGE':
      if (typeof fields.text !== 'string' || fields.text.trim() === '')
        return { error: 'Invalid message: payload.text must be a text that is not empty', custom }
      return { event: { type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: fields.text }, metadata }, custom }
    case 'EVENT_TYPE_USER_TYPING':
      if (fields.state !== 'TYPING_STATE_STARTED' && fields.state !== 'TYPING_STATE_STOPPED')
        return {
          error: 'Invalid typing state: payload.state must be TYPING_STATE_STARTED or TYPING_STATE_STOPPED',
          custom,
        }
      return { event: { type: 'EVENT_TYPE_USER_TYPING', payload: { state: fields.state }, metadata }, custom }
    case 'EVENT_TYPE_CSAT_RESPONSE': {
      if (!Number.isSafeInteger(fields.score))
        return { error: 'Invalid rating: payload.score must be a whole number', custom }
      const comment = typeof fields.comment === 'string' ? fields.comment : undefined
      return {
        event: {
          type: 'EVENT_TYPE_CSAT_RESPONSE',
          payload: { score: fields.score as number, comment },
          metadata,
        },
        custom,
      }
    }
    default:
      return { event: { type, payload: {}, metadata } as ClientEvent, custom }
  }
}

function withinLimits(custom: Custom): boolean {
  const entries = Object.entries(custom)
  const small = (text: string) => new TextEncoder().encode(text).length <= MAX_CUSTOM_BYTES
  return entries.length <= MAX_CUSTOM_KEYS && entries.every(([key, value]) => small(key) && small(value))
}
