// Stands for what reads Markdown until that is here: everything is plain text.

import type { MarkdownPart } from '../context/context.ts'

export const PLAIN: MarkdownPart = {
  Markdown: ({ content }) => {
    const { pieces, length } = content.value
    return <p class="plain">{pieces.slice(0, length).join('')}</p>
  },
  Disclaimer: () => null,
  linked: (text) => [text],
  parseBlocks: (text) => ({ blocks: [{ node: <p class="plain">{text}</p> }] }),
  readWords: (text) => text,
  announce: undefined,
}
