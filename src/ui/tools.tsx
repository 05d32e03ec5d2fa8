// Draws the tools of an answer: copy it, and rate it.

import { useContext, useLayoutEffect, useState } from 'preact/hooks'
import type { MessageEntry } from '../chat/index.ts'
import { Panel } from './context.ts'
import { Icon } from './icons.tsx'
import { lazy } from './lazy.tsx'
import { Again } from './note.tsx'
import { useWords } from './words.ts'

const Comment = lazy(() => import('./comment.tsx'))

export function Tools({ entry }: { entry: MessageEntry }) {
  const { chat } = useContext(Panel)
  const say = useWords()
  const [copied, setCopied] = useState(false)
  const [asks, setAsks] = useState(false)
  // Not after the frame, which would ask for another one.
  useLayoutEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [copied])
  const text = () => entry.content.peek().pieces.join('')
  if (entry.content.value.length === 0) return null
  const copy = () =>
    navigator.clipboard?.writeText(text()).then(
      () => setCopied(true),
      () => {},
    )
  const rate = (rating: 'up' | 'down') => {
    setAsks(rating === 'down')
    chat.feedback(entry.key, rating)
  }
  return (
    <>
      {asks && <Comment answer={entry.key} onDone={() => setAsks(false)} />}
      <div class="tools">
        <button type="button" class="tool" aria-label={copied ? say.copied : say.copyAnswer} onClick={copy}>
          {copied ? <DoneIcon /> : <CopyIcon />}
        </button>
        {entry.role === 'agent' && chat.capabilities.value?.feedback && (
          <>
            <Thumb entry={entry} rating="up" label={say.goodAnswer} onRate={rate} />
            <Thumb entry={entry} rating="down" label={say.badAnswer} onRate={rate} />
          </>
        )}
      </div>
    </>
  )
}

/** Below an answer that the visitor stopped. */
export function Stopped({ entry }: { entry: MessageEntry }) {
  const say = useWords()
  return (
    <p class="stopped">
      {say.stopped}
      <Again of={entry.key} />
    </p>
  )
}

type Rate = (rating: 'up' | 'down') => void

function Thumb(props: { entry: MessageEntry; rating: 'up' | 'down'; label: string; onRate: Rate }) {
  const { entry, rating, label, onRate } = props
  return (
    <button
      type="button"
      class={`tool ${rating}`}
      aria-label={label}
      aria-pressed={entry.content.value.rating === rating}
      onClick={() => onRate(rating)}
    >
      <ThumbIcon />
    </button>
  )
}

const CopyIcon = () => (
  <Icon>
    <rect x="7" y="7" width="9.5" height="9.5" rx="2.5" />
    <path d="M13 4.5A1.5 1.5 0 0 0 11.5 3.5H6A2.5 2.5 0 0 0 3.5 6v5.5A1.5 1.5 0 0 0 4.5 13" />
  </Icon>
)
const DoneIcon = () => (
  <Icon>
    <path d="m4.5 10.5 3.5 3.5 7.5-8" />
  </Icon>
)
const ThumbIcon = () => (
  <Icon>
    <path d="M6.5 9 9.25 3.5a1.75 1.75 0 0 1 1.75 1.75V8h3.75a1.5 1.5 0 0 1 1.5 1.75l-.75 5a1.5 1.5 0 0 1-1.5 1.25H6.5ZM6.5 9H4v7h2.5" />
  </Icon>
)
