// The panel as a whole: header, transcript, what is to be said about the connection, composer.

import { useComputed, useSignal } from '@preact/signals'
import { useContext, useLayoutEffect, useRef } from 'preact/hooks'
import { Announcer } from './announcer.tsx'
import { Composer, focusAfterUse, focusComposer } from './composer.tsx'
import { Panel } from './context.ts'
import { Header } from './header.tsx'
import { lazy } from './lazy.tsx'
import { NoticeLine } from './notice.tsx'
import { isOff } from './site.ts'
import { Transcript } from './transcript.tsx'

const Search = lazy(() => import('./search.tsx').then(({ Search, styles }) => ({ part: Search, styles })))

const Rating = lazy(() => import('./rating.tsx').then(({ Rating, styles }) => ({ part: Rating, styles })))

export function PanelView() {
  const { chat, words, showHeader, closable, modal, searching, deleted, answers, onClose } = useContext(Panel)
  const scrolled = useSignal(false)
  /** Something new came while the reader was further up. */
  const below = useSignal(false)
  const over = useComputed(() => chat.status.value === 'ended' || deleted.value)
  const section = useRef<HTMLElement>(null)
  const wasOver = useRef(over.value)
  useLayoutEffect(() => {
    if (wasOver.current === over.value) return
    wasOver.current = over.value
    const { current } = section
    if (!current) return
    // The control that had the focus is gone; what the visitor does elsewhere on the page is left alone.
    const { activeElement } = current.getRootNode() as Document | ShadowRoot
    const isFree = document.activeElement === null || document.activeElement === document.body
    if (isFree ? document.hasFocus() : current.contains(activeElement)) focusComposer(current)
  }, [over.value])
  const onKeyDown = (event: KeyboardEvent) => {
    // WebKit on Linux has no name for Tab with Shift.
    if (/^(Tab|Unidentified)$/.test(event.key) && section.current) answers.peek()?.skipOlder(section.current)
    if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || !closable.value) return
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
        <RatingPlace />
        <NoticeLine />
        {over.value ? <Over /> : <Composer />}
        <p class="small-print">
          {chat.agent.value.live ? words.value.smallPrintLive : words.value.smallPrint}
        </p>
      </div>
      <Announcer />
    </section>
  )
}

/** Asks for a rating when the service does, or at the end if the site wants it; once a session. */
function RatingPlace() {
  const { chat, rating, site } = useContext(Panel)
  /** The sessions whose visitor was asked here, and the one whose visitor said no. */
  const asked = useRef<string | undefined>(undefined)
  const refused = useSignal<string | undefined>(undefined)
  const session = chat.sessionId.value ?? asked.current
  const { state } = chat.csat.value
  const isOver = chat.status.value === 'ended' || chat.status.value === 'expired'
  const asks = state === 'asked' || (state === 'none' && isOver && rating.value !== undefined)
  if (asks) asked.current = session
  const thanks = state === 'given' && asked.current !== undefined && asked.current === session
  if (!(asks || thanks) || session === undefined || refused.value === session) return null
  if (isOff(site.value, 'rating')) return null
  return (
    <Rating
      scale={rating.value ?? 'stars'}
      onDismiss={() => {
        refused.value = session
      }}
    />
  )
}

/** The reason why the chat ended, and a button for a new one. */
function Over() {
  const { chat, words } = useContext(Panel)
  return (
    <div class="over">
      <button
        type="button"
        class="primary"
        onClick={() => (chat.status.value === 'idle' ? chat.open() : chat.restart())}
      >
        {words.value.newChat}
      </button>
    </div>
  )
}
