// Draws the parts below the words of an answer. They arrive with the last chunk, so they are watched separately.

import { useComputed } from '@preact/signals'
import type { Content, MessageEntry } from '../chat/index.ts'
import { lazy } from './lazy.tsx'
import { Stopped, Tools } from './tools.tsx'

const Cards = lazy(() => import('./cards.tsx').then(({ Cards, styles }) => ({ part: Cards, styles })))

export function Extras({ entry, isLast, isNear }: { entry: MessageEntry; isLast: boolean; isNear: boolean }) {
  // Each part by itself: most chunks change none of them, so they draw nothing here.
  const part = <K extends keyof Content>(key: K) => useComputed(() => entry.content.value[key]).value
  const attachments = part('attachments')
  const callActions = part('callActions')
  const complete = part('complete')
  return (
    <>
      {attachments.length + callActions.length > 0 && <Cards content={{ attachments, callActions }} />}
      {part('stopped') && <Stopped isLast={isLast} />}
      {complete && isNear && <Tools entry={entry} />}
    </>
  )
}
