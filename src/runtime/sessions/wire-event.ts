// Makes wire events: stored events have a sequence, transient events do not.

import type { Custom } from '../../protocol/index.ts'
import type { Clock } from '../clock.ts'
import type { PublishedType, WireEvent } from './hub.ts'
import type { StoredEvent } from './state/session.ts'

export function wireEvent(event: StoredEvent): WireEvent {
  return {
    id: event.id,
    type: event.type,
    sequence: event.sequence,
    timestamp: new Date(event.created_at).toISOString(),
    payload: event.payload,
    ...(event.custom && { metadata: { custom: event.custom } }),
    ...(event.first_sequence !== null && { first_sequence: event.first_sequence }),
  }
}

/** The types of events that are not stored and answer one socket alone. */
type AnsweredType =
  | 'EVENT_TYPE_HEARTBEAT'
  | 'EVENT_TYPE_REQUEST_POLY_AGENT_JOIN'
  | 'EVENT_TYPE_CSAT_RESPONSE'
  | 'EVENT_TYPE_USER_FEEDBACK'
  | 'EVENT_TYPE_SYSTEM_MESSAGE'

/** Makes events that are not stored. */
export interface TransientEvents {
  event(type: PublishedType | AnsweredType, payload: Record<string, unknown>, custom?: Custom): WireEvent
  /** A system message of level error. */
  error(message: string, custom?: Custom): WireEvent
}

export function createTransientEvents(clock: Clock, uuid: () => string): TransientEvents {
  const event: TransientEvents['event'] = (type, payload, custom) => ({
    id: uuid(),
    type,
    sequence: null,
    timestamp: new Date(clock.now()).toISOString(),
    payload,
    ...(custom && { metadata: { custom: { ...custom } } }),
  })
  return {
    event,
    error: (message, custom) =>
      event('EVENT_TYPE_SYSTEM_MESSAGE', { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message }, custom),
  }
}
