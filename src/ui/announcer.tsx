// Draws the region that screen readers read. The log itself is silent, since it changes with every chunk. The history, which the
// transcript holds when the chat is first live, is not read.

import { effect } from '@preact/signals'
import { useContext, useLayoutEffect, useState } from 'preact/hooks'
import { Panel } from './context.ts'
import { persist } from './persist.ts'

export function Announcer() {
  const panel = useContext(Panel)
  const [line, setLine] = useState<{ id: number; text: string }>()
  // Before the first paint: a greeting that came by then would count as history.
  useLayoutEffect(() => {
    let count = 0
    let undo: (() => void) | undefined
    let stopped = false
    const stopWaiting = effect(() => {
      if (undo !== undefined || panel.chat.status.value !== 'live') return
      const history = panel.chat.transcript.peek()
      undo = () => {}
      // Without it the transcript can still be read by its own keys.
      void persist(() => import('./voice.ts'), panel.gone).then(({ announce }) => {
        if (stopped) return
        // A line is gone once it is read: the words stand in the transcript.
        undo = announce(panel, history, (text) =>
          setLine(text === undefined ? undefined : { id: ++count, text }),
        )
      })
    })
    return () => {
      stopped = true
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
