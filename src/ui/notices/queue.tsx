// Tells a visitor who waits for a person what happens, and offers the way back to the agent. The header shows the place in the queue.

import { useContext } from 'preact/hooks'
import type { Handoff } from '../../chat/index.ts'
import { Panel, useWords } from '../context/context.ts'
import { keepFocus } from '../focus/focus.ts'
import type { Words } from '../locales/en.ts'

export function Queue() {
  const { chat } = useContext(Panel)
  const say = useWords()
  return (
    // Silent: the transcript tells screen readers of the handoff.
    <div part="notice" class="notice" aria-live="off">
      <span>{say.waitingForPerson}</span>
      <button ref={keepFocus} type="button" class="quiet once" onClick={() => chat.leaveQueue()}>
        {say.leaveQueue}
      </button>
    </div>
  )
}

/** The place in the queue, as the header shows it. */
export function queueText(
  say: Words,
  locale: string,
  handoff: Extract<Handoff, { state: 'pending' }>,
): string {
  if (handoff.message) return handoff.message
  if (handoff.position === undefined) return say.statusHandoff
  const wait = handoff.waitSeconds
  const minutes = wait === undefined ? undefined : Math.max(1, Math.round(wait / 60))
  const unit = { style: 'unit', unit: 'minute', unitDisplay: 'short' } as const
  const about = minutes === undefined ? undefined : new Intl.NumberFormat(locale, unit).format(minutes)
  return say.statusQueue(new Intl.NumberFormat(locale).format(handoff.position), about)
}
