// The panel as a whole: header, transcript, what is to be said about the connection, composer.

import { useComputed, useSignal } from '@preact/signals'
import { useContext, useLayoutEffect, useRef } from 'preact/hooks'
import { Disclaimer } from '../answer/disclaimer.tsx'
import { Composer } from '../composer/composer.tsx'
import { Panel } from '../context/context.ts'
import { focusAfterUse, focusComposer, skipOlder } from '../focus/focus.ts'
import { Notice } from '../notices/notice.tsx'
import { RatingPlace } from '../rating/rating-place.tsx'
import { useFollow } from '../scrolling/follow.ts'
import type { Below } from '../scrolling/pill.tsx'
import { Announcer } from '../speech/announcer.tsx'
import { Transcript } from '../transcript/transcript.tsx'
import { ChatEnded } from './chat-ended.tsx'
import { Header } from './header.tsx'

export function PanelView() {
  const { chat, words, showHeader, closable, modal, searching, deleted, extras, onClose } = useContext(Panel)
  const Search = extras.value?.Search
  const scrolled = useSignal(false)
  /** Why there is more below than the reader sees. */
  const below = useSignal<Below>(undefined)
  const over = useComputed(() => chat.status.value === 'ended' || deleted.value)
  const box = useRef<HTMLDivElement>(null)
  const log = useRef<HTMLDivElement>(null)
  const follow = useFollow(box, log, (top, view) => {
    scrolled.value = top > 4
    if (view === 'end') below.value = undefined
    if (view === 'held') below.value = 'held'
  })
  const section = useRef<HTMLElement>(null)
  const drawn = useRef(over.value)
  /** Where the focus is while the panel is drawn anew; afterwards its control may be gone. */
  const focused = () => (section.current?.getRootNode() as Document | ShadowRoot | undefined)?.activeElement
  const hadFocus = section.current?.contains(focused() ?? null)
  useLayoutEffect(() => {
    const before = drawn.current
    drawn.current = over.value
    const { current } = section
    if (!current || before === over.value) return
    // The control that had the focus is gone; what the visitor does elsewhere on the page is left alone. Safari focuses no button that
    // is pressed.
    const { activeElement, body } = document
    const isFree = (activeElement ?? body) === body && document.hasFocus()
    if (hadFocus || isFree) focusComposer(current)
  }, [over.value])
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey, keyCode } = event
    // WebKit on Linux has no name for Tab with Shift; neither has Android for what its keyboards write, which is 229.
    if ((key === 'Tab' || (key === 'Unidentified' && shiftKey && keyCode !== 229)) && section.current)
      skipOlder(section.current)
    if (key !== 'Escape' || event.defaultPrevented || event.isComposing || !closable.value) return
    event.preventDefault()
    onClose()
  }
  return (
    <section
      ref={section}
      class="content"
      role="dialog"
      aria-label={words.value.chat}
      aria-modal={modal.value || undefined}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      // Before the button's own handler, which may take it away.
      onClickCapture={({ target }) => {
        const used = (target as Element).closest('.once')
        if (used) focusAfterUse(used)
      }}
    >
      {showHeader.value && <Header scrolled={scrolled.value} />}
      {searching.value && Search && <Search log={log} show={follow.toElement} />}
      <Transcript box={box} log={log} follow={follow} below={below} />
      <div class="foot">
        <RatingPlace />
        {/* The region exists before its words, so that screen readers read them. */}
        <div role="status">
          <Notice />
        </div>
        <Disclaimer place="above" />
        {/* What is written after the end begins a new chat. */}
        {over.value ? <ChatEnded /> : <Composer />}
        <Disclaimer place="below" />
      </div>
      <Announcer />
    </section>
  )
}
