// Draws the words of a visitor.

import type { VNode } from 'preact'
import type { MarkdownPart } from '../context/context.ts'

/** One to three emoji and nothing else, which are drawn large. */
const EMOJI_ALONE =
  /^(?:\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|️|‍\p{Extended_Pictographic})*\s*){1,3}$/u

export const drawVisitorText = (text: string, { linked }: Pick<MarkdownPart, 'linked'>): VNode => (
  <span dir="auto" class={EMOJI_ALONE.test(text) ? 'big' : undefined}>
    {linked(text)}
  </span>
)
