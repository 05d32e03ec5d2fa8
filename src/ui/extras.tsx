// Draws the parts below the words of an answer. They arrive with the last chunk, so they are watched separately.

import { useComputed } from '@preact/signals'
import type { MessageEntry } from '../chat/index.ts'
import { lazy } from './lazy.tsx'
import { Stopped, Tools } from './tools.tsx'

const Cards = lazy(() => import('./cards.tsx').then(({ Cards, styles }) => ({ part: Cards, styles })))

export function Extras({ entry, isLast, isNear }: { entry: MessageEntry; isLast: boolean; isNear: boolean }) {
  // Each by itself: most chunks change none of them, so they draw nothing here.
  const attachments = useComputed(() => entry.content.value.attachments).value
  const callActions = useComputed(() => entry.content.value.callActions).value
  const stopped = useComputed(() => entry.content.value.stopped).value
  const complete = useComputed(() => entry.content.value.complete).value
  return (
    <>
      {attachments.length + callActions.length > 0 && <Cards content={{ attachments, callActions }} />}
      {stopped && <Stopped isLast={isLast} />}
      {complete && isNear && <Tools entry={entry} />}
    </>
  )
}
