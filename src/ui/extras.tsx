// Draws the parts below the words of an answer. They arrive with the last chunk, so they are watched separately.

import type { MessageEntry } from '../chat/index.ts'
import { lazy } from './lazy.tsx'
import { Stopped, Tools } from './tools.tsx'

const Cards = lazy(() => import('./cards.tsx').then(({ Cards, styles }) => ({ part: Cards, styles })))

export function Extras({ entry, isLast, isNear }: { entry: MessageEntry; isLast: boolean; isNear: boolean }) {
  const content = entry.content.value
  return (
    <>
      {content.attachments.length + content.callActions.length > 0 && <Cards content={content} />}
      {content.stopped && <Stopped isLast={isLast} />}
      {content.complete && isNear && <Tools entry={entry} />}
    </>
  )
}
