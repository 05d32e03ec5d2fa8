// Says how much a message may hold, in characters. The service counts bytes.

import { useContext } from 'preact/hooks'
import type { Refusal } from '../../chat/index.ts'
import { Panel, useWords } from '../context/context.ts'

/** From so much of the limit on, the composer counts. */
const NEAR = 0.8

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** How many more characters such as those of the text fit, once it comes near the limit. `limit`: bytes. */
export function charactersLeft(text: string, limit: number): number | undefined {
  // No character has more than three bytes a unit.
  if (text.length * 3 < limit * NEAR) return undefined
  const bytes = bytesOf(text)
  if (bytes < limit * NEAR) return undefined
  const each = bytes / [...text].length
  return Math.floor((limit - bytes) / each)
}

/** How many characters at the end of the text hold so many bytes. */
function charactersOf(text: string, bytes: number): number {
  let count = 0
  for (const character of [...text].reverse()) {
    if (bytes <= 0) break
    bytes -= bytesOf(character)
    count++
  }
  return count
}

/** Why a message is not sent. */
export function Trouble({ trouble, text }: { trouble: Refusal; text: string }) {
  const { locale } = useContext(Panel)
  const say = useWords()
  const more = trouble.reason === 'too-long' ? charactersOf(text, trouble.bytes - trouble.limit) : undefined
  return (
    <p class="notice trouble" role="alert" id="foyer-trouble">
      <span>
        {more === undefined ? say.outboxFull : say.tooLong(new Intl.NumberFormat(locale.value).format(more))}
      </span>
    </p>
  )
}
