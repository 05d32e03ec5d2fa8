// The question before an act that cannot be taken back: it covers the panel until it is answered.

import { useId } from 'preact/hooks'
import { useWords } from '../context/context.ts'

type Props = {
  asked: string
  /** The act, as the menu names it. */
  act: string
  onYes(event: MouseEvent): void
  onNo(): void
}

export function Question({ asked, act, onYes, onNo }: Props) {
  const say = useWords()
  const id = useId()
  return (
    <div class="question" role="alertdialog" aria-modal="true" aria-labelledby={id}>
      <p id={id}>{asked}</p>
      <div class="question-acts">
        <button type="button" class="secondary" onClick={onNo}>
          {say.cancel}
        </button>
        <button type="button" class="primary grave" onClick={onYes}>
          {act}
        </button>
      </div>
    </div>
  )
}
