// Draws the region that screen readers read. The log itself is silent, since it changes with every chunk. The history, which the
// transcript holds when the chat is first live, is not read.

import { effect } from '@preact/signals'
import { useContext, useLayoutEffect, useState } from 'preact/hooks'
import type { Entry } from '../../chat/index.ts'
import { Panel } from '../context/context.ts'

export function Announcer() {
  const panel = useContext(Panel)
  const [line, setLine] = useState<{ id: number; text: string }>()
  // Before the first paint: a greeting that came by then would count as history.
  useLayoutEffect(() => {
    const { chat, markdown } = panel
    let count = 0
    let history: readonly Entry[] | undefined
    let undo: (() => void) | undefined
    const stopWaiting = effect(() => {
      if (chat.status.value === 'live') history ??= chat.transcript.peek()
      // Marks are not read. Without what knows them the transcript can still be read by its own keys.
      const { announce } = markdown.value
      if (!history || undo || !announce) return
      // A line is gone once it is read: the words stand in the transcript.
      undo = announce(panel, history, (text) =>
        setLine(text === undefined ? undefined : { id: ++count, text }),
      )
    })
    return () => {
      stopWaiting()
      undo?.()
    }
  }, [panel.chat])
  return (
    <div class="hidden" role="status" aria-live="polite" aria-atomic="false">
      {line && <p key={line.id}>{line.text}</p>}
    </div>
  )
}
