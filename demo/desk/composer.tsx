// Draws the live agent's composer: for the visitor, or for a note to the others. A slash opens the canned replies.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { CannedReply } from '../../src/runtime/index.ts'
import { SendIcon } from '../../src/ui/theme/icons.tsx'
import { ReplyIcon } from '../icons.tsx'
import { words } from '../words.ts'
import type { DeskState, Writing } from './state.ts'

const LONGEST = { answer: 16_000, note: 4_000 }
const MOST_SHOWN = 8

type Props = {
  state: DeskState
  id: string
  /** Somebody else's conversation, or one that waits, takes notes alone. */
  canAnswer: boolean
  onReplies(): void
}

export function DeskComposer({ state, id, canAnswer, onReplies }: Props) {
  const field = useRef<HTMLTextAreaElement>(null)
  const writing: Writing = canAnswer ? state.writing.value : 'note'
  const text = state.draftOf(id, writing)
  const [browsing, setBrowsing] = useState(false)
  const [at, setAt] = useState(0)
  const typed = /^\/([\p{L}\p{N}_-]*)$/u.exec(text)?.[1]
  const isOpen = writing === 'answer' && (browsing || typed !== undefined)
  const found = isOpen ? matching(state.replies.list.value, typed ?? '') : []
  const active = Math.min(at, found.length - 1)
  const optionId = (index: number) => `reply-${index}`

  // Both before the next key arrives: a person who opens or takes their own conversation types at once.
  useLayoutEffect(() => {
    if (!canAnswer) return
    state.resume(id)
    if (!document.querySelector('dialog[open]')) field.current?.focus()
  }, [canAnswer])
  useLayoutEffect(() => setAt(0), [typed, browsing])

  function close(): void {
    setBrowsing(false)
    if (typed !== undefined) state.draft(id, writing, '')
  }
  function pick(reply: CannedReply | undefined): void {
    if (!reply) return
    const words = reply.text.replaceAll('{name}', state.person.peek().name)
    const before = typed === undefined ? text.trimEnd() : ''
    state.draft(id, writing, before === '' ? words : `${before} ${words}`)
    setBrowsing(false)
    field.current?.focus()
  }
  function submit(): void {
    if (text.trim() === '') return
    void state.send(id, writing, text.trim())
    field.current?.focus()
  }
  function write(to: Writing): void {
    state.writing.value = to
    setBrowsing(false)
    field.current?.focus()
  }
  function keyed(event: KeyboardEvent): void {
    // 229: what some browsers say while an input method still composes.
    if (event.isComposing || event.keyCode === 229) return
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (isOpen && move !== undefined && found.length > 0) {
      event.preventDefault()
      return setAt((active + move + found.length) % found.length)
    }
    if (isOpen && event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      return close()
    }
    if (isOpen && (event.key === 'Enter' || event.key === 'Tab') && found[active] && !event.shiftKey) {
      event.preventDefault()
      return pick(found[active])
    }
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    // A mistyped name of a canned reply is nothing to say to a visitor. The button sends it all the same.
    if (!isOpen || typed === undefined) submit()
  }

  return (
    <div class={`writing ${writing}`}>
      {isOpen && (
        <div class="replies">
          <div id="reply-list" role="listbox" aria-label={words.desk.replies}>
            {found.map((reply, index) => (
              // The field has the keys; a tap needs none.
              // biome-ignore lint/a11y/useKeyWithClickEvents: see above
              // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
              <div
                key={reply.name}
                id={optionId(index)}
                role="option"
                aria-selected={index === active}
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => pick(reply)}
              >
                <b dir="auto">/{reply.name}</b>
                <span dir="auto">{reply.text}</span>
              </div>
            ))}
          </div>
          {found.length === 0 && (
            <p role="status">
              {state.replies.list.value.length === 0 ? words.desk.noReplies : words.desk.noReplyFound}
            </p>
          )}
          <button type="button" class="quiet" onClick={onReplies}>
            {words.desk.manageReplies}
          </button>
        </div>
      )}
      <fieldset class="kinds" aria-label={words.desk.writingTo}>
        {canAnswer && (
          <button type="button" aria-pressed={writing === 'answer'} onClick={() => write('answer')}>
            {words.desk.toVisitor}
          </button>
        )}
        <button type="button" aria-pressed={writing === 'note'} onClick={() => write('note')}>
          {words.desk.toDesk}
        </button>
        {writing === 'note' && <span>{words.desk.noteHint}</span>}
      </fieldset>
      <form
        class="composer"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <textarea
          ref={field}
          id="desk-field"
          rows={1}
          value={text}
          maxLength={LONGEST[writing]}
          dir={text === '' ? undefined : 'auto'}
          aria-label={writing === 'note' ? words.desk.note : words.desk.answer}
          aria-controls={isOpen ? 'reply-list' : undefined}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && active >= 0 ? optionId(active) : undefined}
          placeholder={writing === 'note' ? words.desk.notePlaceholder : words.desk.placeholder}
          enterkeyhint="send"
          onInput={(event) => state.draft(id, writing, event.currentTarget.value)}
          onKeyDown={keyed}
          onBlur={() => setBrowsing(false)}
        />
        {writing === 'answer' && (
          <button
            type="button"
            class="round"
            aria-label={words.desk.replies}
            title={words.desk.repliesHint}
            aria-expanded={isOpen}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => {
              field.current?.focus()
              setBrowsing(!isOpen)
            }}
          >
            <ReplyIcon />
          </button>
        )}
        <button
          type="submit"
          class={text.trim() === '' ? 'send' : 'send ready'}
          aria-label={writing === 'note' ? words.desk.saveNote : words.desk.send}
          aria-disabled={text.trim() === ''}
        >
          <SendIcon />
        </button>
      </form>
    </div>
  )
}

/** Those whose name begins with what was typed, then those that have it somewhere. */
function matching(replies: readonly CannedReply[], typed: string): CannedReply[] {
  const sought = typed.toLocaleLowerCase()
  const begins = replies.filter(({ name }) => name.toLocaleLowerCase().startsWith(sought))
  const holds = replies.filter(
    (each) => !begins.includes(each) && `${each.name} ${each.text}`.toLocaleLowerCase().includes(sought),
  )
  return [...begins, ...holds].slice(0, MOST_SHOWN)
}
