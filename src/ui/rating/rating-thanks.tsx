// Thanks the visitor for a rating.

import { useRef } from 'preact/hooks'
import { useWords } from '../context/context.ts'

/** There before its words, so that screen readers read them; told once, and silent from the first change of language on. */
export function RatingThanks({ given, class: name }: { given: boolean; class: string }) {
  const say = useWords()
  const first = useRef<string>(undefined)
  const silent = useRef(false)
  if (given) {
    first.current ??= say.rateThanks
    silent.current ||= first.current !== say.rateThanks
  }
  return (
    <div role="status" aria-live={silent.current ? 'off' : 'polite'}>
      {given && (
        <p class={name}>
          <span>{say.rateThanks}</span>
        </p>
      )}
    </div>
  )
}
