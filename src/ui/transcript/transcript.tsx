// Transcript, then outbox: two lists shown one after the other, never merged (law L3).

import type { Signal } from '@preact/signals'
import { effect } from '@preact/signals'
import type { RefObject } from 'preact'
import { useContext, useLayoutEffect } from 'preact/hooks'
import type { Chat, Entry } from '../../chat/index.ts'
import { Panel } from '../context/context.ts'
import { moveInLog } from '../focus/focus.ts'
import type { Follow } from '../scrolling/follow.ts'
import { type Below, Pill } from '../scrolling/pill.tsx'
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
  /** Why there is more below than the reader sees. */
  below: Signal<Below>
}

/** So many rows of suggestions are shown below an answer. */
const ROWS = 2
/** Below a greeting each has a row of its own: four, and the button with the rest. */
const WELCOME_ROWS = 5

export function Transcript({ box, log, follow, below }: Props) {
  const { chat, words, deleted, site } = useContext(Panel)
  const { greeting } = site.value
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
        if (follow.view === 'away') below.value = 'new'
      }),
    [chat],
  )
  function toEnd(): void {
    below.value = undefined
    follow.toEnd()
  }

  const begins = !deleted.value && chat.outbox.value.length === 0 && isUnwritten(entries)
  const welcomes = begins && entries[0]?.kind !== 'divider' && entries.length <= 1
  const waiting = begins && entries.length === 0 && isAwaited(chat)
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
        <div
          class={`log${welcomes ? ' welcome' : ''}${begins ? ' begins' : ''}`}
          ref={log}
          role="log"
          aria-live="off"
          aria-label={words.value.conversation}
        >
          <Intro welcomes={welcomes} />
          <Entries
            entries={entries}
            followed={fate !== undefined && fate !== 'failed' && fate !== 'unconfirmed'}
          />
          {begins && !welcomes && greeting && (
            <p class="greeting" dir="auto">
              {greeting}
            </p>
          )}
          {waiting && (
            <div class="skeleton" role="img" aria-label={words.value.loading}>
              <i />
              <i />
            </div>
          )}
          <OutboxView after={entries.at(-1)} />
          {chat.typing.value && !waiting && (
            <div class="dots" aria-hidden="true">
              <i />
              <i />
              <i />
            </div>
          )}
          <Suggestions rows={begins ? WELCOME_ROWS : ROWS} />
        </div>
      </div>
      {/* Of a welcome that is longer than the screen, everything has been read but starters. */}
      {below.value && !welcomes && <Pill below={below.value} box={box} onClick={toEnd} />}
    </>
  )
}

/** Nobody has written in this conversation yet: there is a greeting at most. */
function isUnwritten(entries: readonly Entry[]): boolean {
  const last = entries.at(-1)
  const greeting = last?.kind === 'message' && last.role === 'agent'
  const before = greeting ? entries.at(-2) : last
  return before === undefined || before.kind === 'divider'
}

/** The greeting may still come: until its first words one thing stands for it. */
function isAwaited({ status, agent, typing }: Chat): boolean {
  if (status.value === 'connecting' || status.value === 'idle') return true
  return status.value === 'live' && (typing.value !== undefined || !('name' in agent.value))
}
