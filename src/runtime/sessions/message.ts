// Stores a whole message to the user: its event, its text in the log, and the additions of subscribers.

import { loggedText, type Speaker } from '../conversations/index.ts'
import type { LockedSession } from './locked-session.ts'
import type { OutgoingMessage } from './state/outgoing-message.ts'
import type { NewEvent } from './state/session.ts'

/** Appends the event of a message, and records the message. */
export async function storeOutgoingMessage(
  locked: LockedSession,
  message: OutgoingMessage,
  event: NewEvent,
  by: Speaker,
): Promise<void> {
  // Attachments are not kept beyond their delivery to a phone.
  const kept =
    locked.session.family === 'chat' ? event : { ...event, payload: { ...event.payload, attachments: [] } }
  locked.append(kept)
  await recordMessage(locked, message, by)
}

/** Logs a message whose event is already appended, and notifies the subscribers. */
export async function recordMessage(
  locked: LockedSession,
  message: OutgoingMessage,
  by: Speaker,
  at: Date = locked.now,
): Promise<void> {
  const { channel } = locked.session.conversation
  const words = message.verbatim
    ? message.text
    : loggedText(channel, message.text, message.attachments.length)
  if (words !== '') locked.log.respond(words, at, by)
  await locked.events.messageStored.publish({ locked, message })
}
