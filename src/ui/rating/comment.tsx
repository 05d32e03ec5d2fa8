// Asks what was wrong with an answer, once its thumb points down. It can be left alone: the rating itself is sent already.

import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Panel, useWords } from '../context/context.ts'
import { focusAfterUse } from '../focus/focus.ts'
import { RatingThanks } from './rating-thanks.tsx'

const LONGEST = 2_000

export function Comment({ answer, onDone }: { answer: string; onDone(): void }) {
  const { chat } = useContext(Panel)
  const say = useWords()
  const [text, setText] = useState('')
  const [sent, setSent] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  // It stands before the thumb that asked for it. On a phone a focused field would raise the keyboard over the answer.
  useLayoutEffect(() => {
    if (!field.current?.closest('.phone')) field.current?.focus()
  }, [])
  return (
    <>
      {!sent && (
        <form
          class="rating comment"
          aria-label={say.badAnswer}
          onSubmit={(event) => {
            event.preventDefault()
            if (text.trim() === '') return
            focusAfterUse(event.currentTarget)
            chat.feedback(answer, 'down', text.trim())
            setSent(true)
          }}
        >
          <textarea
            ref={field}
            rows={2}
            maxLength={LONGEST}
            value={text}
            dir={text === '' ? undefined : 'auto'}
            aria-label={say.rateComment}
            placeholder={say.rateComment}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <div class="acts">
            <button type="button" class="quiet once" onClick={onDone}>
              {say.notNow}
            </button>
            <button type="submit" class="primary small" aria-disabled={text.trim() === ''}>
              {say.send}
            </button>
          </div>
        </form>
      )}
      <RatingThanks given={sent} class="thanks" />
    </>
  )
}
