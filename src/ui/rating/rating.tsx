// Asks the visitor to rate the chat: by stars or thumbs, and a comment. It stands above the composer and blocks nothing.

import { useContext, useState } from 'preact/hooks'
import { Panel, useWords } from '../context/context.ts'
import { focusAfterUse } from '../focus/focus.ts'
import { Icon, ThumbIcon } from '../theme/icons.tsx'
import { RatingThanks } from './rating-thanks.tsx'

/** The scores: thumbs are the two ends of the stars. */
const STARS = [1, 2, 3, 4, 5]
const THUMBS = [1, 5]
const LONGEST = 2_000

export function Rating({ scale, onDismiss }: { scale: 'stars' | 'thumbs'; onDismiss(): void }) {
  const { chat, locale } = useContext(Panel)
  const say = useWords()
  const [score, setScore] = useState<number>()
  const [comment, setComment] = useState('')
  const given = chat.csat.value.state === 'given'
  const nameOf = (value: number): string => {
    if (scale === 'thumbs') return value === 1 ? say.rateBad : say.rateGood
    const form = new Intl.PluralRules(say.language).select(value)
    return say.rateStars(new Intl.NumberFormat(locale.value).format(value), form)
  }
  return (
    <>
      {!given && (
        <form
          class="rating"
          aria-label={say.rateChat}
          onSubmit={(event) => {
            event.preventDefault()
            if (score === undefined) return
            focusAfterUse(event.currentTarget)
            chat.rate(score, comment.trim() || undefined)
          }}
        >
          <fieldset>
            <legend dir="auto">{say.rateChat}</legend>
            <div class={`scale ${scale}`}>
              {(scale === 'stars' ? STARS : THUMBS).map((value) => (
                <label
                  key={value}
                  class={score !== undefined && isOn(scale, value, score) ? 'on' : undefined}
                >
                  <input
                    type="radio"
                    name="score"
                    class="hidden"
                    value={value}
                    checked={score === value}
                    aria-label={nameOf(value)}
                    onChange={() => setScore(value)}
                  />
                  {scale === 'stars' ? <StarIcon /> : <ThumbIcon isDown={value === 1} />}
                </label>
              ))}
            </div>
          </fieldset>
          {score !== undefined && (
            <textarea
              rows={2}
              maxLength={LONGEST}
              value={comment}
              dir={comment === '' ? undefined : 'auto'}
              aria-label={say.rateComment}
              placeholder={say.rateComment}
              onInput={(event) => setComment(event.currentTarget.value)}
            />
          )}
          <div class="acts">
            <button type="button" class="quiet once" onClick={onDismiss}>
              {say.notNow}
            </button>
            {score !== undefined && (
              <button type="submit" class="primary small">
                {say.rateSend}
              </button>
            )}
          </div>
        </form>
      )}
      <RatingThanks given={given} class="notice" />
    </>
  )
}

const isOn = (scale: 'stars' | 'thumbs', value: number, score: number): boolean =>
  scale === 'stars' ? value <= score : value === score

const StarIcon = () => (
  <Icon>
    <path d="m10 2.75 2.2 4.6 5.05.65-3.7 3.5.95 5L10 14.05 5.5 16.5l.95-5-3.7-3.5 5.05-.65Z" />
  </Icon>
)
