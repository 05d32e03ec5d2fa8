// Stands for what reads Markdown until that is here: everything is plain text, without the marks of headings and strong words.

import type { MarkdownPart } from '../context/context.ts'

export const PLAIN: MarkdownPart = {
  Markdown: ({ content }) => {
    const { pieces, length } = content.value
    return <p class="plain">{withoutMarks(pieces.slice(0, length).join(''))}</p>
  },
  linked: (text) => [text],
  parseBlocks: (text) => ({ blocks: [{ node: <p class="plain">{withoutMarks(text)}</p> }] }),
  readWords: (text) => text,
  announce: undefined,
}

const withoutMarks = (text: string): string => text.replace(/\*\*|^#{1,6} /gm, '')
