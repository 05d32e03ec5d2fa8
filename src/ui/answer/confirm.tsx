// Draws a question that the visitor decides: its texts, the two choices, and afterwards what was decided.

import { useContext } from 'preact/hooks'
import type { Content, MessageEntry } from '../../chat/index.ts'
import type { Decision } from '../../protocol/index.ts'
import { Panel, useWords } from '../context/context.ts'
import { keepFocus } from '../focus/focus.ts'
import { DoneIcon } from '../theme/icons.tsx'
import { decidedText } from '../words/decided-text.ts'

type Props = { entry: MessageEntry; confirm: NonNullable<Content['confirm']> }

export function Confirm({ entry, confirm }: Props) {
  const { chat } = useContext(Panel)
  const say = useWords()
  const open = chat.question.value?.key === entry.key ? chat.question.value : undefined
  const choice = (decision: Decision) => (
    <button
      // What was decided takes its place.
      ref={keepFocus}
      type="button"
      class={decision === 'confirm' ? 'primary' : 'secondary'}
      dir="auto"
      aria-disabled={open?.chosen !== undefined}
      aria-pressed={open?.chosen === decision}
      onClick={() => chat.decide(entry.key, decision)}
    >
      {confirm[decision]}
    </button>
  )
  const decided = decidedText(say, confirm)
  return (
    // biome-ignore lint/a11y/useSemanticElements: two buttons are no form
    <div class="confirm" role="group" aria-label={confirm.title}>
      <b dir="auto">{confirm.title}</b>
      {confirm.summary && <p dir="auto">{confirm.summary}</p>}
      {decided !== undefined && (
        <p class="decided">
          {confirm.decision === 'confirm' && <DoneIcon />}
          <span>{decided}</span>
        </p>
      )}
      {open && (
        <div class="choices">
          {choice('cancel')}
          {choice('confirm')}
        </div>
      )}
      {open?.chosen && chat.status.value !== 'live' && <small>{say.waiting}</small>}
    </div>
  )
}
