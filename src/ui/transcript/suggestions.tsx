// Suggestions as chips in a few rows. "More" shows the rest, where that is worth a press.

import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Suggestion } from '../../protocol/index.ts'
import { Panel, useWords } from '../context/context.ts'
import { focusAfterUse } from '../focus/focus.ts'

const MOST = 30
/** Fewer are not hidden: the button would take the place of one. */
const LEAST_HIDDEN = 3

/** `rows`: so many are shown. */
export function Suggestions({ rows }: { rows: number }) {
  const { chat } = useContext(Panel)
  // Further suggestions are dropped.
  const suggestions = chat.suggestions.value.slice(0, MOST)
  if (suggestions.length === 0 || chat.status.value === 'ended') return null
  // A new list starts folded.
  return (
    <Chips
      key={suggestions.map(({ message_text }) => message_text).join('\n')}
      suggestions={suggestions}
      rows={rows}
    />
  )
}

function Chips({ suggestions, rows }: { suggestions: readonly Suggestion[]; rows: number }) {
  const { chat, locale } = useContext(Panel)
  const say = useWords()
  const row = useRef<HTMLDivElement>(null)
  /** How many are shown while folded; undefined until measured. */
  const [fitting, setFitting] = useState<number>()
  const [unfolded, setUnfolded] = useState(false)

  useLayoutEffect(() => {
    const { current } = row
    if (unfolded) current?.scrollIntoView({ block: 'nearest' })
    if (!current || unfolded) return
    const measure = () => setFitting(countFitting(current, rows))
    measure()
    let width = current.clientWidth
    const observer = new ResizeObserver(() => {
      // Its height changes with what is folded; only another width asks for another count.
      if (current.clientWidth === width) return
      width = current.clientWidth
      measure()
    })
    observer.observe(current)
    return () => observer.disconnect()
  }, [unfolded, rows])

  // An answer may take the chips away while one of them has the focus.
  useLayoutEffect(() => {
    const { current } = row
    return () => {
      if (current?.matches(':focus-within')) focusAfterUse(current)
    }
  }, [])

  /** Shows the rest, and moves the focus to the first of it: the button disappears. */
  function unfold(from: number): void {
    const next = row.current?.querySelectorAll<HTMLElement>('.chip')[from]
    if (next) next.hidden = false
    next?.focus()
    setUnfolded(true)
  }

  const rest = suggestions.length - (fitting ?? 0)
  const plus = new Intl.NumberFormat(locale.value, { signDisplay: 'always' }).format(rest)
  const folded = !unfolded && fitting !== undefined && fitting < suggestions.length
  return (
    // biome-ignore lint/a11y/useSemanticElements: chips in a row are no form
    <div class="chips" ref={row} role="group" aria-label={say.suggestions}>
      {suggestions.map(({ message_text }, index) => (
        <button
          key={message_text}
          type="button"
          // The last before the button leaves room for it.
          class={folded && index === fitting - 1 ? 'chip once tight' : 'chip once'}
          dir="auto"
          title={message_text}
          hidden={folded && index >= fitting}
          onClick={() => chat.send(message_text)}
        >
          <span>{message_text}</span>
        </button>
      ))}
      {!unfolded && (
        <button
          type="button"
          class="chip more"
          hidden={!folded}
          aria-expanded={false}
          aria-label={say.moreSuggestions(plus, new Intl.PluralRules(say.language).select(rest))}
          onClick={() => unfold(fitting ?? 0)}
        >
          {plus}
        </button>
      )}
    </div>
  )
}

/** How many chips are shown in so many rows, with the button behind them where not all are. Leaves the row as it was. */
function countFitting(row: HTMLElement, rows: number): number {
  const chips = [...row.querySelectorAll<HTMLElement>('.chip:not(.more)')]
  const more = row.querySelector<HTMLElement>('.more')
  const all = more ? [...chips, more] : chips
  const before = all.map((each) => ({ hidden: each.hidden, name: each.className }))
  const rowsWith = (count: number): number => {
    for (const [index, chip] of chips.entries()) {
      chip.hidden = index >= count
      chip.classList.toggle('tight', count < chips.length && index === count - 1)
    }
    if (more) more.hidden = count === chips.length
    return new Set(all.filter((each) => !each.hidden).map((each) => each.offsetTop)).size
  }
  let count = chips.length
  while (count > 1 && rowsWith(count) > rows) count--
  if (chips.length - count < LEAST_HIDDEN) count = chips.length
  for (const [index, each] of all.entries()) {
    each.hidden = before[index]?.hidden ?? false
    each.className = before[index]?.name ?? ''
  }
  return count
}
