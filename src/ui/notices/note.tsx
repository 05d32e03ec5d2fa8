// Draws the lines between messages: notices, the beginning of a session, the day.

import type { VNode } from 'preact'
import { useContext } from 'preact/hooks'
import type { DividerEntry, NoticeEntry } from '../../chat/index.ts'
import { Panel, useWords } from '../context/context.ts'
import { noticeText } from '../words/notice-text.ts'
import { clockTime, dayText } from '../words/time.ts'
import { RetryButton } from './retry-button.tsx'

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

/** An error of the agent. */
function Failure({ entry }: { entry: NoticeEntry }) {
  const say = useWords()
  return (
    <div class="line error">
      <span dir="auto">{noticeText(entry, say)}</span>
      <RetryButton of={entry.key} />
    </div>
  )
}

/** When a message was sent, for the eye: a screen reader has it with the name. */
export const drawTime = (at: number, locale: string): VNode => (
  <time class="time" aria-hidden="true">
    {clockTime(at, locale)}
  </time>
)

/** When a silence ended. */
export const drawSilence = (at: number, locale: string): VNode => (
  <time class="time between">{clockTime(at, locale)}</time>
)

/** The day that begins here, and the time of its first message. */
export function Day({ at }: { at: number }) {
  const { locale } = useContext(Panel)
  return (
    <div class="divider day">
      {dayText(at, Date.now(), locale.value)} {clockTime(at, locale.value)}
    </div>
  )
}
