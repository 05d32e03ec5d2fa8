// Draws an entry of the transcript and what stands above it.

import type { ComponentChild } from 'preact'
import { useContext } from 'preact/hooks'
import type { Entry } from '../../chat/index.ts'
import { Panel } from '../context/context.ts'
import { Day, drawSilence, Note } from '../notices/note.tsx'
import { dayOf } from '../words/time.ts'
import { type MessageProps, useMessage } from './message.tsx'

const SILENCE_MS = 5 * 60_000

export type LineProps = Pick<MessageProps, 'isLast' | 'greets'> & { entry: Entry; before: Entry | undefined }

/** It draws a message itself: a component for each would be an eighth of what a long transcript holds. */
export function Line(props: LineProps): ComponentChild[] {
  const { above, message } = useLine(props)
  // An entry stays of its kind, so its hooks are always the same.
  return message ? [...above, ...useMessage(message)] : above
}

/** What stands above a message, or a notice whole; and the message, if the entry is one. */
export function useLine({ entry, before, isLast, greets }: LineProps): {
  above: ComponentChild[]
  message?: MessageProps
} {
  const { locale } = useContext(Panel)
  // A history of one day needs no mark.
  const isNewDay = before && dayOf(entry.at) !== dayOf(before.at)
  const day = isNewDay && <Day at={entry.at} />
  if (entry.kind !== 'message') return { above: [day, <Note key={entry.key} entry={entry} />] }
  const joined =
    !isNewDay && before?.kind === 'message' && before.role === entry.role && entry.at - before.at < SILENCE_MS
  const silence = !isNewDay && before && before.kind !== 'divider' && entry.at - before.at >= SILENCE_MS
  return {
    above: [day, silence && drawSilence(entry.at, locale.value)],
    message: { entry, joined, isLast, greets },
  }
}
