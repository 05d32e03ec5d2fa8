// Tells a visitor who waits for a person their place in the queue, and offers the way back to the agent.

import { useContext } from 'preact/hooks'
import type { Handoff } from '../../chat/index.ts'
import { Panel } from '../context/context.ts'
import { keepFocus } from '../focus/focus.ts'
import type { Words } from '../locales/en.ts'

type Pending = Extract<Handoff, { state: 'pending' }>

export function Queue({ handoff }: { handoff: Pending }) {
  const { chat, words, locale } = useContext(Panel)
  const say = words.value
  return (
    // Silent: the region of the announcer says it, behind what the agent said before.
    <div part="notice" class="notice" aria-live="off">
      <span>{queueText(say, locale.value, handoff)}</span>
      {chat.leavable.value && (
        <button ref={keepFocus} type="button" class="quiet once" onClick={() => chat.leaveQueue()}>
          {say.leaveQueue}
        </button>
      )}
    </div>
  )
}

/** That the visitor waits, and where in the queue, if that is known; in the service's own words where it has some. */
export function queueText(say: Words, locale: string, handoff: Pending): string {
  const { message, position, waitSeconds } = handoff
  if (message) return message
  if (position === undefined) return say.waitingForPerson
  const minutes = waitSeconds === undefined ? undefined : Math.max(1, Math.round(waitSeconds / 60))
  const unit = { style: 'unit', unit: 'minute', unitDisplay: 'short' } as const
  const about = minutes === undefined ? undefined : new Intl.NumberFormat(locale, unit).format(minutes)
  return say.statusQueue(new Intl.NumberFormat(locale).format(position), about)
}
