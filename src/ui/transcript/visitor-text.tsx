// Draws the words of a visitor.

import type { ComponentChild, VNode } from 'preact'
import type { Extras } from '../context/context.ts'

/** One to three emoji and nothing else, which are drawn large. */
const EMOJI_ALONE =
  /^(?:\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|️|‍\p{Extended_Pictographic})*\s*){1,3}$/u

/** What is longer, in UTF-16 units, is folded. */
const LONG = 2_000

export function drawVisitorText(
  text: string,
  { FoldedText }: Partial<Pick<Extras, 'FoldedText'>> = {},
  draw: (text: string) => ComponentChild = (words) => words,
): VNode {
  if (FoldedText && text.length > LONG) return <FoldedText text={text} draw={draw} />
  return (
    <span dir="auto" class={EMOJI_ALONE.test(text) ? 'big' : undefined}>
      {draw(text)}
    </span>
  )
}
