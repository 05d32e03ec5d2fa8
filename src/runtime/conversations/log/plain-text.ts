// Turns Markdown into plain text, for phones and for the log.

import type { Channel } from './opening-store.ts'

/** Words hold no bracket, and an address only pairs of parentheses: then no character is tried twice. */
const LINK = /!?\[([^[\]]*)\]\(([^()]*(?:\([^()]*\)[^()]*)*)\)/g

/** Between two marks stands no third. */
const BOLD = /(\*\*|__)(?=\S)((?:(?!\1).)+)(?<=\S)\1/g

/** Formats Markdown the way people type on a phone. */
export const plainText = (markdown: string): string =>
  markdown
    .replace(/^```.*$/gm, '')
    .replace(LINK, (link, words: string, target: string) => {
      const [url] = /^\S+/.exec(target) ?? []
      return url === undefined ? link : words ? `${words} (${url})` : url
    })
    .replace(BOLD, '$2')
    .replace(/(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])/g, '$1')
    .replace(/`([^`\n]+)`/g, '$1')
    .replace(/^#{1,6}\s+/gm, '')
    .replace(/[*+-](?<=^\s*.)\s+/gm, '• ')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

/** Returns the text of a message for the log. In SMS and RCS a marker stands for each attachment. */
export function loggedText(channel: Channel, markdown: string, attachments: number): string {
  if (channel === 'WEBCHAT') return markdown
  if (channel === 'VOICE-SIP') return plainText(markdown)
  const marker = attachments > 0 ? '<metadata><media/></metadata>' : ''
  return [plainText(markdown), marker].filter((part) => part !== '').join('\n')
}
