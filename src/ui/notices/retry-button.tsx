// Asks a question once more, beside an error of the agent and below an answer that was stopped.

import { useComputed } from '@preact/signals'
import { useContext } from 'preact/hooks'
import type { Chat } from '../../chat/index.ts'
import { Panel, useWords } from '../context/context.ts'
import { keepFocus } from '../focus/focus.ts'

/** `of`: the key of the entry, which has to be the last thing said. */
export function RetryButton({ of }: { of: string }) {
  const { chat } = useContext(Panel)
  const say = useWords()
  const isLast = useComputed(
    () =>
      chat.status.value === 'live' &&
      chat.typing.value === undefined &&
      chat.outbox.value.length === 0 &&
      chat.transcript.value.at(-1)?.key === of,
  )
  const asked = isLast.value ? lastAsked(chat) : undefined
  if (!asked) return null
  return (
    <button ref={keepFocus} type="button" class="quiet once" onClick={() => chat.send(asked.text)}>
      {asked.answered ? say.askAgain : say.tryAgain}
    </button>
  )
}

/** The visitor's last message in this session, and whether a part of an answer followed it. */
function lastAsked({ transcript }: Chat): { text: string; answered: boolean } | undefined {
  const entries = transcript.peek()
  let answered = false
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries[index]
    if (entry?.kind === 'divider') return undefined
    if (entry?.kind !== 'message') continue
    if (entry.role === 'visitor') return { text: entry.content.peek().pieces.join(''), answered }
    answered = true
  }
  return undefined
}
