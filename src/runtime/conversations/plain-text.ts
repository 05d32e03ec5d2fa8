// Turns Markdown into plain text, for phones and for the log.

import type { Channel } from './opening-store.ts'

/** Formats Markdown the way people type on a phone. */
export const plainText = (markdown: string): string =>
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

/** Returns the text of a message for the log. In SMS and RCS a marker stands for each attachment. */
export function loggedText(channel: Channel, markdown: string, attachments: number): string {
  if (channel === 'WEBCHAT') return markdown
  if (channel === 'VOICE-SIP') return plainText(markdown)
  const marker = attachments > 0 ? '<metadata><media/></metadata>' : ''
  return [plainText(markdown), marker].filter((part) => part !== '').join('\n')
}
