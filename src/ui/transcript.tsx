// Transcript, then outbox: two lists shown one after the other, never merged (law L3).

import type { Signal } from '@preact/signals'
import { effect } from '@preact/signals'
import { useContext, useLayoutEffect, useRef } from 'preact/hooks'
import { useCalm } from './calm.ts'
import { Panel } from './context.ts'
import { Entries } from './entries.tsx'
import { useFollow } from './follow.ts'
import { OutboxView } from './outbox.tsx'

export function Transcript({ scrolled, below }: { scrolled: Signal<boolean>; below: Signal<boolean> }) {
  const { chat, words, disclosure, deleted, answers, rest, intro, dock } = useContext(Panel)
  const { value: module } = answers
  const { value: more } = rest
  const Intro = intro.value
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const follow = useFollow(box, content, (top, atEnd) => {
    scrolled.value = top > 4
    if (atEnd) below.value = false
  })
  const entries = useCalm(chat).value
  const { id: ownLast, state: fate } = chat.outbox.value.at(-1) ?? {}

  useLayoutEffect(() => {
    // After sending, scroll to the end.
    if (ownLast) toEnd()
  }, [ownLast])
  useLayoutEffect(follow.drawn)
  // More words below than the reader has seen: a new entry, or more of the last one.
  useLayoutEffect(
    () =>
      effect(() => {
        const last = chat.transcript.value.at(-1)
        if (last?.kind === 'message') last.content.value
        if (!follow.atEnd) below.value = true
      }),
    [chat],
  )
  function toEnd(): void {
    below.value = false
    follow.toEnd()
  }

  const waiting =
    !deleted.value &&
    entries.length === 0 &&
    (chat.status.value === 'connecting' || chat.status.value === 'idle')
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrows move inside what scrolls */}
      <div
        class="scroll"
        ref={box}
        onScroll={follow.onScroll}
        onKeyDown={(event) => module?.moveInLog(event)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
      >
        <div class="log" ref={content} role="log" aria-live="off" aria-label={words.value.conversation}>
          {Intro ? (
            <Intro />
          ) : (
            <p class="disclosure-first first">{disclosure.value || words.value.disclosure}</p>
          )}
          <Entries
            entries={entries}
            followed={fate !== undefined && fate !== 'failed' && fate !== 'unconfirmed'}
          />
          {entries.length > 0 && <div class="dock" ref={dock} />}
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
          {module && <module.Suggestions />}
        </div>
      </div>
      {below.value && more && <more.Pill onClick={toEnd} />}
    </>
  )
}
