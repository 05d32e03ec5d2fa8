// Draws the transcript in groups of a hundred entries, and those in chapters of ten groups. An unchanged group keeps its virtual
// node, which Preact then skips, so a new message costs the same in a long transcript as in a short one (law L6). The newest
// groups are drawn at once, older ones in idle time.

import type { VNode } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { Entry } from '../chat/index.ts'
import { Panel } from './context.ts'
import { dayOf } from './day-of.ts'
import { MessageView } from './message.tsx'
import { whenIdle } from './soon.ts'

const SILENCE_MS = 5 * 60_000
const GROUP = 100
/**
 * So many groups are one chapter. In every frame the browser asks of each group whether it is near the screen, except of those in a
 * chapter that is not: then it asks of the chapter alone.
 */
const CHAPTER = 10
/** At least so many entries are drawn at once. */
const AT_ONCE = 200

type Own = { entries: readonly Entry[]; before: Entry | undefined; isLast: boolean }
type Group = { end: number; isLast: boolean; node: VNode }

/** `followed`: what the visitor sent is on its way, and stands below. */
export function Entries({ entries, followed }: { entries: readonly Entry[]; followed: boolean }) {
  /** What was drawn last; `drawn`: so many groups, counted from the newest. */
  const last = useRef({
    entries: [] as readonly Entry[],
    groups: new Map<number, Group>(),
    count: 0,
    drawn: 0,
  }).current
  const [, redraw] = useState({})
  const count = Math.ceil(entries.length / GROUP)
  const enough = count - Math.max(0, Math.floor((entries.length - AT_ONCE) / GROUP))
  // A group that begins takes none of the others away.
  const begun = count === last.count + 1 ? 1 : 0
  const drawn = Math.min(count, Math.max(enough, last.drawn + begun))

  useEffect(() => {
    if (drawn < count)
      return whenIdle(() => {
        last.drawn++
        redraw({})
      })
  }, [drawn, count])

  let same = 0
  while (same < entries.length && entries[same] === last.entries[same]) same++
  const groups = new Map<number, Group>()
  for (let index = count - drawn; index < count; index++) {
    const start = index * GROUP
    const end = Math.min(entries.length, start + GROUP)
    const isLast = index === count - 1 && !followed
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
  Object.assign(last, { entries, groups, count, drawn })
  const chapters: VNode[][] = []
  for (const [index, { node }] of groups) {
    const number = Math.floor(index / CHAPTER)
    chapters[number] = [...(chapters[number] ?? []), node]
  }
  return (
    <div class="entries">
      {chapters.map((nodes, number) => (
        <div class="chapter" key={number}>
          {nodes}
        </div>
      ))}
    </div>
  )
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
  const { locale, answers, site } = useContext(Panel)
  const View = site.value.Screened ?? MessageView
  const { value: module } = answers
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
      {silence && module?.drawSilence(entry.at, locale.value)}
      <View entry={entry} joined={joined} isLast={isLast} />
    </>
  )
}
