// Draws the tools of an answer: copy it, and rate it.

import { useContext, useLayoutEffect, useState } from 'preact/hooks'
import type { MessageEntry } from '../../chat/index.ts'
import { Panel, useWords } from '../context/context.ts'
import { RetryButton } from '../notices/retry-button.tsx'
import { DoneIcon, Icon, ThumbIcon } from '../theme/icons.tsx'

export function Tools({ entry }: { entry: MessageEntry }) {
  const panel = useContext(Panel)
  const { chat, extras, markdown } = panel
  const say = useWords()
  const [copied, setCopied] = useState(false)
  const [asks, setAsks] = useState(false)
  // Not after the frame, which would ask for another one.
  useLayoutEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [copied])
  const { length, rating: given } = entry.content.value
  const Comment = extras.value?.Comment
  if (length === 0) return null
  const copy = () => extras.value?.copy(panel, entry, () => setCopied(true))
  const rate = (rating: 'up' | 'down') => {
    setAsks(rating === 'down')
    chat.feedback(entry.key, rating)
  }
  return (
    <>
      {asks && Comment && <Comment answer={entry.key} onDone={() => setAsks(false)} />}
      <div class="tools">
        {/* Not before Markdown is there: its source is nothing to paste. */}
        {extras.value && markdown.value.plainText && (
          <button type="button" class="tool" aria-label={copied ? say.copied : say.copyAnswer} onClick={copy}>
            {copied ? <DoneIcon /> : <CopyIcon />}
          </button>
        )}
        {entry.role === 'agent' && chat.capabilities.value?.feedback && (
          <>
            <Thumb rating="up" given={given} label={say.goodAnswer} onRate={rate} />
            <Thumb rating="down" given={given} label={say.badAnswer} onRate={rate} />
          </>
        )}
      </div>
    </>
  )
}

/** Below an answer that the visitor stopped. */
export function StoppedNote({ entry }: { entry: MessageEntry }) {
  const say = useWords()
  return (
    <p class="stopped">
      {say.stopped}
      <RetryButton of={entry.key} />
    </p>
  )
}

type ThumbProps = {
  rating: 'up' | 'down'
  given: string | undefined
  label: string
  onRate(rating: 'up' | 'down'): void
}

function Thumb({ rating, given, label, onRate }: ThumbProps) {
  return (
    <button
      type="button"
      class={`tool ${rating}`}
      aria-label={label}
      aria-pressed={given === rating}
      onClick={() => onRate(rating)}
    >
      <ThumbIcon isDown={rating === 'down'} />
    </button>
  )
}

const CopyIcon = () => (
  <Icon>
    <rect x="7" y="7" width="9.5" height="9.5" rx="2.5" />
    <path d="M13 4.5A1.5 1.5 0 0 0 11.5 3.5H6A2.5 2.5 0 0 0 3.5 6v5.5A1.5 1.5 0 0 0 4.5 13" />
  </Icon>
)
