// From a message of an agent to what a phone shows. An SMS is plain text: what hangs on a message becomes part
// of it. A device with RCS gets it rich, and the plain text beside it for the case that it has no RCS after all.

import type { Attachment, CallAction, Suggestion } from '../../protocol/index.ts'
import type { LockedSession } from '../store-index.ts'
import type { TextMessage } from './carrier.ts'

const MOST_SUGGESTIONS = 3
const MOST_CARDS = 10

export type Outgoing = {
  id: string
  /** Markdown. */
  text: string
  attachments: readonly Attachment[]
  suggestions: readonly Suggestion[]
  callActions: readonly CallAction[]
}

/**
 * Puts a message on its way, within the transaction that stores it; a chat has no phone, so there nothing
 * happens. Returns the words for the record: attachments leave only a marker there.
 */
export async function sendByText(session: LockedSession, said: Outgoing, now: Date): Promise<string> {
  const { row } = session
  if (row.channel === 'WEBCHAT') return said.text
  if (row.channel === 'VOICE-SIP') return plain(said.text)
  await session.deliveries.send(said.id, toTextMessage(row, said), now)
  const marker = said.attachments.length > 0 ? '<metadata><media/></metadata>' : ''
  return [plain(said.text), marker].filter((part) => part !== '').join('\n')
}

export function toTextMessage(
  row: { channel: string; user_number: string; agent_number: string; rcs_sender: string },
  said: Outgoing,
): TextMessage {
  const lines = [
    plain(said.text),
    ...said.attachments.map(({ title, content_url }) => [title, content_url].filter(Boolean).join(': ')),
    ...said.callActions.map(({ title, contact_number }) => `${title}: ${contact_number}`),
    ...said.suggestions.map(({ message_text }) => `• ${message_text}`),
  ]
  const message = {
    id: said.id,
    to: row.user_number,
    from: row.agent_number,
    text: lines.filter((line) => line !== '').join('\n'),
  }
  if (row.channel !== 'RCS') return message
  return {
    ...message,
    rich: {
      sender: row.rcs_sender,
      text: plain(said.text),
      // A carousel has 1 to 10 cards; a single one is shown as a single card.
      cards: said.attachments.slice(0, MOST_CARDS),
      suggestions: said.suggestions.slice(0, MOST_SUGGESTIONS),
      callActions: said.callActions,
    },
  }
}

/** Markdown as one would type it on a phone. */
export const plain = (markdown: string): string =>
  markdown
    .replace(/^```.*$/gm, '')
    .replace(/!?\[([^\]]*)\]\(([^)\s]+)[^)]*\)/g, (_, text: string, url: string) =>
      text ? `${text} (${url})` : url,
    )
    .replace(/(\*\*|__)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replace(/(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])/g, '$1')
    .replace(/`([^`\n]+)`/g, '$1')
    .replace(/^#{1,6}\s+/gm, '')
    .replace(/^(\s*)[*+-]\s+/gm, '$1• ')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
