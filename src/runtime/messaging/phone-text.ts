// Turns a message into what a phone shows. An SMS is plain text: attachments, phone buttons and suggestions become
// lines of it. A device with RCS gets them as cards and buttons, with the plain text beside them in case it has no RCS.

import { plainText } from '../conversations/index.ts'
import type { OutgoingMessage, Session } from '../sessions/index.ts'
import type { TextMessage } from './carrier.ts'

const MOST_SUGGESTIONS = 3
export const MOST_CARDS = 10

export function phoneText(
  { channel, userNumber, agentNumber, rcsSender }: Session['conversation'],
  message: OutgoingMessage,
): TextMessage {
  const { id, attachments, suggestions, callActions } = message
  const words = message.verbatim ? message.text : plainText(message.text)
  const lines = [
    words,
    ...attachments.map(({ title, content_url }) => [title, content_url].filter(Boolean).join(': ')),
    ...callActions.map(({ title, contact_number }) => `${title}: ${contact_number}`),
    ...suggestions.map(({ message_text }) => `• ${message_text}`),
  ]
  const text = lines.filter((line) => line !== '').join('\n')
  const sms = { id, to: userNumber, from: agentNumber, text }
  if (channel !== 'RCS') return sms
  return {
    ...sms,
    rich: {
      sender: rcsSender,
      text: words,
      // A carousel has 1 to 10 cards; a single one is shown as a card.
      cards: attachments.slice(0, MOST_CARDS),
      suggestions: suggestions.slice(0, MOST_SUGGESTIONS),
      callActions,
    },
  }
}
