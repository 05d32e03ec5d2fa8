import type { ComponentChildren } from 'preact'
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { OutboxItem } from '../chat/index.ts'
import { focusAfterUse } from './composer.tsx'
import { HELD_MS, Panel } from './context.ts'
import { useWords } from './words.ts'

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
    return () => clearTimeout(timer)
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
      {trouble && <Once act={() => chat.retry(id)}>{say.retry}</Once>}
      {state !== 'queued' && state !== 'undelivered' && (
        <Once act={() => chat.discard(id)}>{say.discard}</Once>
      )}
    </div>
  )
}

/** The message may be sent or gone while the button has the focus. */
function Once({ act, children }: { act(): void; children: ComponentChildren }) {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(
    () => () => {
      const { current } = button
      if (current?.matches(':focus')) focusAfterUse(current)
    },
    [],
  )
  return (
    <button ref={button} type="button" class="quiet once" onClick={act}>
      {children}
    </button>
  )
}
