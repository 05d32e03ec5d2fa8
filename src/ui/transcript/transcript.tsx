// Transcript, then outbox: two lists shown one after the other, never merged (law L3).

import type { Signal } from '@preact/signals'
import { effect } from '@preact/signals'
import type { RefObject } from 'preact'
import { useContext, useLayoutEffect } from 'preact/hooks'
import { Panel } from '../context/context.ts'
import { moveInLog } from '../focus/focus.ts'
import type { Follow } from '../scrolling/follow.ts'
import { Pill } from '../scrolling/pill.tsx'
import { useDrawnEntries } from '../scrolling/replay.ts'
import { Entries } from './entries.tsx'
import { Intro } from './intro.tsx'
import { OutboxView } from './outbox.tsx'
import { Suggestions } from './suggestions.tsx'

type Props = {
  /** What scrolls, and what is in it. */
  box: RefObject<HTMLDivElement | null>
  log: RefObject<HTMLDivElement | null>
  follow: Follow
  /** Something new came while the reader was further up. */
  below: Signal<boolean>
}

export function Transcript({ box, log, follow, below }: Props) {
  const { chat, words, deleted } = useContext(Panel)
  const entries = useDrawnEntries(chat).value
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
        onKeyDown={moveInLog}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
      >
        <div class="log" ref={log} role="log" aria-live="off" aria-label={words.value.conversation}>
          <Intro />
          <Entries
            entries={entries}
            followed={fate !== undefined && fate !== 'failed' && fate !== 'unconfirmed'}
          />
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
      {below.value && <Pill onClick={toEnd} />}
    </>
  )
}
