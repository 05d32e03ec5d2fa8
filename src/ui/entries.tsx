// Draws the transcript in groups of a hundred entries. An unchanged group keeps its virtual node, which Preact then skips, so a new
// message costs the same in a long transcript as in a short one (law L6). The newest groups are drawn at once, older
// ones in idle time.

import { effect } from '@preact/signals'
import type { VNode } from 'preact'
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Entry } from '../chat/index.ts'
import { Panel } from './context.ts'
import { dayOf } from './day-of.ts'
import { MessageView } from './message.tsx'
import { whenIdle } from './soon.ts'

const SILENCE_MS = 5 * 60_000
const GROUP = 100
/** Groups that are drawn at once: at least 200 entries, since the last group may hold few. */
const FIRST = 3
/** More entries at once than this are a batch of a replay. */
const BATCH = 20
/** A replay that takes longer is drawn so often. */
const REPLAY_MS = 1_000

type Own = { entries: readonly Entry[]; before: Entry | undefined; isLast: boolean }
type Group = { end: number; isLast: boolean; node: VNode }

export function Entries({ entries: given }: { entries: readonly Entry[] }) {
  const entries = useCalm(given)
  /** What was drawn last. */
  const last = useRef({ entries: [] as readonly Entry[], groups: new Map<number, Group>(), count: 0 }).current
  const count = Math.ceil(entries.length / GROUP)
  /** How many groups are drawn, counted from the newest. */
  const [wanted, setDrawn] = useState(FIRST)
  // A conversation that is drawn whole stays so while it grows.
  const drawn = wanted === last.count && count === wanted + 1 ? count : wanted

  useEffect(() => {
    if (drawn > wanted) setDrawn(drawn)
    else if (drawn < count) return whenIdle(() => setDrawn(drawn + 1))
  }, [drawn, count])

  let same = 0
  while (same < entries.length && entries[same] === last.entries[same]) same++
  const groups = new Map<number, Group>()
  for (let index = Math.max(0, count - drawn); index < count; index++) {
    const start = index * GROUP
    const end = Math.min(entries.length, start + GROUP)
    const isLast = index === count - 1
    const kept = last.groups.get(index)
    groups.set(
      index,
      kept && end <= same && kept.end === end && kept.isLast === isLast
        ? kept
        : {
            end,
            isLast,
            node: (
              <GroupView
                key={index}
                entries={entries.slice(start, end)}
                before={entries[start - 1]}
                isLast={isLast}
              />
            ),
          },
    )
  }
  Object.assign(last, { entries, groups, count })
  return <div class="entries">{Array.from(groups.values(), ({ node }) => node)}</div>
}

/**
 * The entries to draw now. A replay comes in batches, one right after the other, and of a long one only the end is looked at: behind the
 * first batch, drawing waits for the end of the replay.
 */
function useCalm(given: readonly Entry[]): readonly Entry[] {
  const { chat } = useContext(Panel)
  const outbox = chat.outbox.value
  const now = useRef({ entries: given, outbox, due: false }).current
  const [, redraw] = useState({})
  const waits =
    !now.due &&
    now.entries[0] &&
    given[now.entries.length + BATCH] &&
    // A message leaves the outbox and enters the transcript in one step.
    outbox === now.outbox &&
    chat.status.peek().endsWith('connecting')
  if (!waits) Object.assign(now, { entries: given, outbox, due: false })

  useLayoutEffect(() => {
    if (!waits) return
    const draw = () => {
      now.due = true
      redraw({})
    }
    const timer = setTimeout(draw, REPLAY_MS)
    const stop = effect(() => {
      if (!chat.status.value.endsWith('connecting')) draw()
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [waits])
  return now.entries
}

/** A component, since Preact skips an unchanged component and looks into an unchanged element. */
const GroupView = ({ entries, before, isLast }: Own) => (
  <div class="group">
    {entries.map((entry, place) => (
      <Line
        key={entry.key}
        entry={entry}
        before={entries[place - 1] ?? before}
        isLast={isLast && !entries[place + 1]}
      />
    ))}
  </div>
)

function Line({ entry, before, isLast }: { entry: Entry; before: Entry | undefined; isLast: boolean }) {
  const { locale, answers, rest, site } = useContext(Panel)
  const View = site.value.Screened ?? MessageView
  const { value: module } = answers
  const { value: more } = rest
  // A history of one day needs no mark.
  const isNewDay = before !== undefined && dayOf(entry.at) !== dayOf(before.at)
  const day = isNewDay && module && <module.Day at={entry.at} />
  if (entry.kind !== 'message')
    return (
      <>
        {day}
        {module && <module.Note entry={entry} />}
      </>
    )
  const joined =
    !isNewDay && before?.kind === 'message' && before.role === entry.role && entry.at - before.at < SILENCE_MS
  const silence =
    !isNewDay && before !== undefined && before.kind !== 'divider' && entry.at - before.at >= SILENCE_MS
  return (
    <>
      {day}
      {silence && more?.drawSilence(entry.at, locale.value)}
      <View entry={entry} joined={joined} isLast={isLast} />
    </>
  )
}
