// Draws below a message what became of it: waiting, not sent, not delivered, with a retry.

import { useContext, useEffect, useState } from 'preact/hooks'
import type { OutboxItem } from '../../chat/index.ts'
import { HELD_MS, Panel, useWords } from '../context/context.ts'
import { keepFocus } from '../focus/focus.ts'

/** The delivery state of a message, and its actions. `undelivered`: the service has it and could not process it. */
export function Outcome({ id, state }: { id: string; state: OutboxItem['state'] | 'undelivered' }) {
  const { chat } = useContext(Panel)
  const say = useWords()
  const { value: status } = chat.status
  const isSoon = status === 'live' || (status === 'connecting' && chat.notice.value === undefined)
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (state !== 'held') return
    const timer = setTimeout(() => setLate(true), HELD_MS)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [state])
  const text = {
    held: late ? say.held : undefined,
    sent: undefined,
    queued: isSoon ? undefined : say.waiting,
    failed: say.notSent,
    unconfirmed: say.maybeSent,
    undelivered: say.notDelivered,
  }[state]
  if (text === undefined) return null
  const trouble = state !== 'queued' && state !== 'held'
  return (
    <div class={`outcome${trouble ? ' trouble' : ''}`}>
      <span>{text}</span>
      <span class="acts">
        {trouble && (
          <button ref={keepFocus} type="button" class="quiet once" onClick={() => chat.retry(id)}>
            {say.retry}
          </button>
        )}
        {state !== 'queued' && state !== 'undelivered' && (
          <button ref={keepFocus} type="button" class="quiet once" onClick={() => chat.discard(id)}>
            {say.discard}
          </button>
        )}
      </span>
    </div>
  )
}
