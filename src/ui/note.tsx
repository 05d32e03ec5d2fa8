// Draws the lines between messages: notices, the beginning of a session, the day.

import { useComputed } from '@preact/signals'
import { useContext } from 'preact/hooks'
import type { Chat, DividerEntry, NoticeEntry } from '../chat/index.ts'
import { Panel } from './context.ts'
import { dayText } from './day.ts'
import { noticeText } from './notice-text.ts'
import { clockTime } from './time.tsx'
import { useWords } from './words.ts'

export function Note({ entry }: { entry: NoticeEntry | DividerEntry }) {
  const say = useWords()
  if (entry.kind === 'divider') return <div class="divider">{noticeText(entry, say)}</div>
  if (entry.notice === 'error') return <Failure entry={entry} />
  return (
    // The service's words have their own direction; ours have that of the locale, even if they begin with a name.
    <div class="line" dir={entry.text === undefined ? undefined : 'auto'}>
      {noticeText(entry, say)}
    </div>
  )
}

/** An error of the agent. While it is the last thing said, the question before it can be asked again. */
function Failure({ entry }: { entry: NoticeEntry }) {
  const { chat } = useContext(Panel)
  const say = useWords()
  const isLast = useComputed(
    () =>
      chat.status.value === 'live' &&
      chat.typing.value === undefined &&
      chat.outbox.value.length === 0 &&
      chat.transcript.value.at(-1)?.key === entry.key,
  )
  const asked = isLast.value ? lastAsked(chat) : undefined
  return (
    <div class="line error">
      <span dir="auto">{noticeText(entry, say)}</span>
      {asked !== undefined && (
        <button type="button" class="quiet once" onClick={() => chat.send(asked.text)}>
          {asked.answered ? say.askAgain : say.tryAgain}
        </button>
      )}
    </div>
  )
}

/** The visitor's last message in this session, and whether a part of an answer followed it. */
export function lastAsked({ transcript }: Chat): { text: string; answered: boolean } | undefined {
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

/** The day that begins here, and the time of its first message. */
export function Day({ at }: { at: number }) {
  const { locale } = useContext(Panel)
  return (
    <div class="divider day">
      {dayText(at, Date.now(), locale.value)} {clockTime(at, locale.value)}
    </div>
  )
}
