// Stores the user's ratings of answers and of the whole chat. A rating may arrive after the end of the session.

import type { ClientEvent, Custom } from '../../protocol/index.ts'
import { idOf } from '../../protocol/index.ts'
import type { WireEvent } from './hub.ts'
import type { LockedSession } from './locked-session.ts'
import { findByClientId, isAnswer } from './state/event-store.ts'
import { isActive, type StoredEvent } from './state/session.ts'
import { type TransientEvents, wireEvent } from './wire-event.ts'

export type RatingEvent = Extract<
  ClientEvent,
  { type: 'EVENT_TYPE_CSAT_RESPONSE' | 'EVENT_TYPE_USER_FEEDBACK' }
>

export const isRating = (event: ClientEvent): event is RatingEvent =>
  event.type === 'EVENT_TYPE_CSAT_RESPONSE' || event.type === 'EVENT_TYPE_USER_FEEDBACK'

/** Stores a rating in the log, and echoes it: to every socket while the session is active, later only to the sender. */
export async function receiveRating(
  locked: LockedSession,
  transient: TransientEvents,
  event: RatingEvent,
): Promise<WireEvent[]> {
  const custom = event.metadata?.custom
  const knownRating = await findKnown(locked, custom)
  if (knownRating) return [wireEvent(knownRating)]
  if (event.type === 'EVENT_TYPE_USER_FEEDBACK') {
    const { rating, comment } = event.payload
    const messageId = locked.redact.id(event.payload.message_id)
    if (!(await isAnswer(locked.tx, locked.session.id, messageId)))
      return [transient.error('Invalid feedback: the session has no such answer', custom)]
    await locked.log.feedback(messageId, rating, comment)
  } else await locked.log.csat(event.payload.score, event.payload.comment)
  const payload = Object.fromEntries(Object.entries(event.payload).filter(([, value]) => value !== undefined))
  // After the end of a session no event is stored.
  if (!isActive(locked.session)) return [transient.event(event.type, locked.redact.deep(payload), custom)]
  locked.append({ type: event.type, payload, custom, clientId: idOf(custom) })
  return []
}

/** The event that this user sent before under the same id. */
async function findKnown(
  { tx, session, redact }: LockedSession,
  custom: Custom | undefined,
): Promise<StoredEvent | undefined> {
  const id = idOf(custom)
  return id === undefined ? undefined : findByClientId(tx, session.id, redact.id(id))
}
