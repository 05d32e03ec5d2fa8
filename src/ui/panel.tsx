// The panel as a whole: header, transcript, what is to be said about the connection, composer.

import { useComputed, useSignal } from '@preact/signals'
import { useContext } from 'preact/hooks'
import { Announcer } from './announcer.tsx'
import { Composer } from './composer.tsx'
import { Panel } from './context.ts'
import { Header } from './header.tsx'
import { NoticeLine } from './notice.tsx'
import { Transcript } from './transcript.tsx'

export function PanelView() {
  const { chat, words, showHeader, closable, onClose } = useContext(Panel)
  const scrolled = useSignal(false)
  /** Something new came while the reader was further up. */
  const below = useSignal(false)
  const over = useComputed(() => chat.status.value === 'ended')
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || !closable.value) return
    event.preventDefault()
    onClose()
  }
  return (
    <section class="content" role="dialog" aria-label={words.value.chat} onKeyDown={onKeyDown}>
      {showHeader.value && <Header scrolled={scrolled.value} />}
      <Transcript scrolled={scrolled} below={below} />
      <div class="foot">
        <NoticeLine />
        {over.value ? <Over /> : <Composer />}
        <p class="small-print">{words.value.smallPrint}</p>
      </div>
      <Announcer />
    </section>
  )
}

/** What ended the chat, and the way to the next. */
function Over() {
  const { chat, words } = useContext(Panel)
  return (
    <div class="over">
      <span>{words.value.endedByAgent}</span>
      <button type="button" class="primary" onClick={() => chat.restart()}>
        {words.value.newChat}
      </button>
    </div>
  )
}
