// Shows a notice above the composer: what happened, and one action.

import type { VNode } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { Panel, useWords } from '../context/context.ts'
import { keepFocus } from '../focus/focus.ts'
import { countdown } from '../words/time.ts'
import { Queue } from './queue.tsx'

export function Notice(): VNode | null {
  const { chat, deleted } = useContext(Panel)
  const { value: notice } = chat.notice
  const { value: handoff } = chat.handoff
  const { value: status } = chat.status
  const say = useWords()
  if (deleted.value) return <p class="ended">{say.deleted}</p>
  if (status === 'ended') return <p class="ended">{say.endedByAgent}</p>
  if (status === 'expired') return <NoticeLine text={say.endedIdle} />
  switch (notice?.kind) {
    case undefined:
      return handoff.state === 'pending' ? <Queue handoff={handoff} /> : null
    case 'offline':
      return <NoticeLine text={say.offline} />
    case 'busy':
      // It asks as soon as the service allows it, and not before, whatever is pressed: a button could do nothing.
      return <NoticeLine text={say.busy} />
    case 'reconnecting':
      // What was never there is not found again.
      return (
        <NoticeLine
          text={status === 'connecting' ? say.stillConnecting : say.reconnecting}
          action={say.tryAgain}
          onAction={() => chat.wake()}
        />
      )
    case 'unavailable':
      return (
        <NoticeLine
          text={notice.cause === 'refused' ? say.refused : say.unavailable}
          action={say.tryAgain}
          onAction={() => chat.open()}
        />
      )
    case 'idle-warning':
      return <Countdown endsAt={notice.endsAt} />
  }
}

function NoticeLine({ text, action, onAction }: { text: string; action?: string; onAction?: () => void }) {
  return (
    <div part="notice" class="notice">
      <span>{text}</span>
      {action && (
        <button ref={keepFocus} type="button" class="quiet once" onClick={onAction}>
          {action}
        </button>
      )}
    </div>
  )
}

function Countdown({ endsAt }: { endsAt: number }) {
  const { chat, locale } = useContext(Panel)
  const say = useWords()
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  const leftAt = (time: number) => Math.max(0, Math.ceil((endsAt - time) / 1000))
  /** When the warning came. */
  const begun = useRef({ endsAt: 0, at: 0 }).current
  if (begun.endsAt !== endsAt) Object.assign(begun, { endsAt, at: Date.now() })
  return (
    <div part="notice" class="notice">
      <span class="time" aria-hidden="true">
        {say.idleWarning(countdown(leftAt(now), locale.value))}
      </span>
      {/* Said once, not every second. */}
      <span class="hidden">{say.idleWarning(countdown(leftAt(begun.at), locale.value))}</span>
      <button ref={keepFocus} type="button" class="quiet once" onClick={() => chat.keepAlive()}>
        {say.keepChatting}
      </button>
    </div>
  )
}
