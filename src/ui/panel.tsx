// The panel as a whole: header, transcript, what is to be said about the connection, composer.

import { useComputed, useSignal } from '@preact/signals'
import { useContext, useLayoutEffect, useRef } from 'preact/hooks'
import { Announcer } from './announcer.tsx'
import { Composer, focusAfterUse, focusComposer } from './composer.tsx'
import { Panel } from './context.ts'
import { Header } from './header.tsx'
import { lazy } from './lazy.tsx'
import { isGivenUp } from './status-text.ts'
import { Transcript } from './transcript.tsx'

const Search = lazy(() => import('./search.tsx'))

export function PanelView() {
  const { chat, words, showHeader, closable, modal, searching, deleted, answers, rest, onClose } =
    useContext(Panel)
  const { value: module } = rest
  const scrolled = useSignal(false)
  /** Something new came while the reader was further up. */
  const below = useSignal(false)
  const over = useComputed(() => rest.value !== undefined && (chat.status.value === 'ended' || deleted.value))
  const section = useRef<HTMLElement>(null)
  const drawn = useRef({ over: over.value, module })
  /** Where the focus is while the panel is drawn anew; afterwards its control may be gone. */
  const focused = () => (section.current?.getRootNode() as Document | ShadowRoot | undefined)?.activeElement
  const hadFocus = section.current?.contains(focused() ?? null)
  useLayoutEffect(() => {
    const before = drawn.current
    drawn.current = { over: over.value, module }
    const { current } = section
    if (!current || before.over === over.value) return
    // The control that had the focus is gone; what the visitor does elsewhere on the page is left alone. Safari focuses no button that
    // is pressed; a part that arrives takes no focus that nobody had.
    const { activeElement, body } = document
    const isFree = (activeElement ?? body) === body && document.hasFocus()
    if (hadFocus || (before.module === module && isFree)) focusComposer(current)
  }, [over.value, module])
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey, keyCode } = event
    // WebKit on Linux has no name for Tab with Shift; neither has Android for what its keyboards write, which is 229.
    if ((key === 'Tab' || (key === 'Unidentified' && shiftKey && keyCode !== 229)) && section.current)
      answers.peek()?.skipOlder(section.current)
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
      {searching.value && <Search />}
      <Transcript scrolled={scrolled} below={below} />
      <div class="foot">
        {module && <module.RatingPlace />}
        {/* The region exists before its words, so that screen readers read them. */}
        <div role="status">
          {module ? (
            <module.Notice />
          ) : (
            // The header says what is wrong until the notice is here.
            isGivenUp(chat.status.value) && (
              <button type="button" class="quiet once" onClick={() => chat.open()}>
                {words.value.retry}
              </button>
            )
          )}
        </div>
        {/* What is written after the end begins a new chat. */}
        {module && over.value ? <module.Over /> : <Composer />}
        <p class="small-print">
          {chat.agent.value.live ? !over.value && words.value.smallPrintLive : words.value.smallPrint}
        </p>
      </div>
      <Announcer />
    </section>
  )
}
