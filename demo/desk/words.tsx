// How messages read at the desk: Markdown as the visitor sees it, bare addresses as links, and plain words where there is little room.

import { useMemo } from 'preact/hooks'
import { linked, parseBlocks, readWords } from '../../src/ui/answer/markdown.tsx'

/** The text of an agent or live agent, in Markdown. */
export function Marked({ text }: { text: string }) {
  const blocks = useMemo(() => parseBlocks(text).blocks, [text])
  return (
    <div class="text" dir="auto">
      {blocks.map(({ node }, index) => (
        <div key={index} class="block">
          {node}
        </div>
      ))}
    </div>
  )
}

/** Draws a visitor's text exactly as the visitor typed it. */
export function Typed({ text }: { text: string }) {
  return (
    <p class="text typed" dir="auto">
      {useMemo(() => linked(text), [text])}
    </p>
  )
}

const LONGEST = 400

/** The beginning of a text without its marks. */
export const plainWords = (text: string): string => readWords(text.slice(0, LONGEST))
