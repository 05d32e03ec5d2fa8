// Transcript, then outbox: two lists shown one after the other, never merged (law L3).

import type { Signal } from '@preact/signals'
import { useContext, useLayoutEffect, useRef } from 'preact/hooks'
import type { Entry } from '../chat/index.ts'
import { Panel } from './context.ts'
import { DownIcon } from './icons.tsx'
import { MessageView } from './message.tsx'
import { OutboxView } from './outbox.tsx'
import { clockTime } from './time.ts'

const SILENCE_MS = 5 * 60_000
/** So close to the end the reader counts as being there. */
const NEAR = 48

export function Transcript({ scrolled, below }: { scrolled: Signal<boolean>; below: Signal<boolean> }) {
  const { chat, words, disclosure } = useContext(Panel)
  const box = useRef<HTMLDivElement>(null)
  const stuck = useRef(true)
  const entries = chat.transcript.value
  const outbox = chat.outbox.value
  const ownCount =
    entries.filter((entry) => entry.kind === 'message' && entry.role === 'visitor').length + outbox.length
  const lastOwn = useRef(ownCount)

  /** Stays with the newest line, unless the reader went up; then a pill says that there is more. */
  function follow(): void {
    const { current } = box
    if (!current) return
    if (stuck.current) current.scrollTop = current.scrollHeight
    else if (current.scrollHeight - current.scrollTop - current.clientHeight > NEAR) below.value = true
  }
  function toEnd(): void {
    stuck.current = true
    below.value = false
    follow()
  }
  function onScroll(): void {
    const { current } = box
    if (!current) return
    stuck.current = current.scrollHeight - current.scrollTop - current.clientHeight <= NEAR
    if (stuck.current) below.value = false
    scrolled.value = current.scrollTop > 4
  }
  useLayoutEffect(() => {
    // Whoever sends wants to see what comes of it.
    if (ownCount > lastOwn.current) stuck.current = true
    lastOwn.current = ownCount
    follow()
  })
  useLayoutEffect(() => {
    if (!box.current || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(follow)
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [])

  const waiting = entries.length === 0 && (chat.status.value === 'connecting' || chat.status.value === 'idle')
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <div class="scroll" ref={box} onScroll={onScroll} tabIndex={0}>
        <div class="log" role="log" aria-live="off" aria-label={words.value.conversation}>
          <p class="disclosure-first first">{disclosure.value || words.value.disclosure}</p>
          {entries.map((entry, index) => (
            <Line key={entry.key} entry={entry} before={entries[index - 1]} onGrow={follow} />
          ))}
          {waiting && (
            <div class="skeleton" role="img" aria-label={words.value.loading}>
              <i />
              <i />
            </div>
          )}
          <OutboxView after={entries.at(-1)} />
          {chat.typing.value && (
            <div class="dots" aria-hidden="true">
              <i />
              <i />
              <i />
            </div>
          )}
          <Suggestions />
        </div>
      </div>
      {below.value && (
        <div class="foot">
          <button type="button" class="pill" onClick={toEnd}>
            <DownIcon />
            {words.value.newMessages}
          </button>
        </div>
      )}
    </>
  )
}

function Line({ entry, before, onGrow }: { entry: Entry; before: Entry | undefined; onGrow(): void }) {
  const { words, locale } = useContext(Panel)
  const say = words.value
  if (entry.kind === 'divider') {
    const text = {
      expired: say.dividerExpired,
      ended: say.dividerEnded,
      restarted: say.dividerRestarted,
      lost: say.dividerLost,
    }[entry.reason]
    return <div class="divider">{text}</div>
  }
  if (entry.kind === 'notice') {
    const name = entry.name ?? say.person
    const text = {
      'agent-joined': say.liveJoined(name),
      'agent-left': say.liveLeft(name),
      handoff: say.handoff,
      'handoff-failed': say.handoffFailed,
      'handoff-client': say.handoffClient,
      'live-joined': say.liveJoined(name),
      'live-left': say.liveLeft(name),
      system: entry.text ?? '',
      error: entry.text ?? '',
    }[entry.notice]
    return (
      <div class={entry.notice === 'error' ? 'line error' : 'line'} dir="auto">
        {text}
      </div>
    )
  }
  const joined = before?.kind === 'message' && before.role === entry.role && entry.at - before.at < SILENCE_MS
  const silence = before !== undefined && before.kind !== 'divider' && entry.at - before.at >= SILENCE_MS
  return (
    <>
      {silence && <time class="time between">{clockTime(entry.at, locale.value)}</time>}
      <MessageView entry={entry} joined={joined} onGrow={onGrow} />
    </>
  )
}

function Suggestions() {
  const { chat, words } = useContext(Panel)
  const { value: suggestions } = chat.suggestions
  if (suggestions.length === 0 || chat.status.value === 'ended') return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: chips in a row are no form
    <div class="chips" role="group" aria-label={words.value.suggestions}>
      {suggestions.map(({ message_text }) => (
        <button
          key={message_text}
          type="button"
          class="chip"
          dir="auto"
          title={message_text}
          onClick={() => chat.send(message_text)}
        >
          {message_text}
        </button>
      ))}
    </div>
  )
}
