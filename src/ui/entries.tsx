// Draws the transcript in groups of a hundred entries, and those in chapters of ten groups. An unchanged group keeps its virtual
// node, which Preact then skips, so a new message costs the same in a long transcript as in a short one (law L6). The newest
// hundred are drawn at once, the hundred before them with the next frame, older ones in idle time.

import type { ComponentChild, VNode } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { Entry } from '../chat/index.ts'
import { Panel } from './context.ts'
import { dayOf } from './day-of.ts'
import { type MessageProps, useMessage } from './message.tsx'
import { whenIdle } from './soon.ts'

const SILENCE_MS = 5 * 60_000
const GROUP = 100
/**
 * So many groups are one chapter. In every frame the browser asks of each group whether it is near the screen, except of those in a
 * chapter that is not: then it asks of the chapter alone.
 */
const CHAPTER = 10

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
  // So many groups hold at least a hundred entries, which is more than any screen does.
  const enough = entries.length % GROUP ? 2 : 1
  // A group that begins takes none of the others away.
  const begun = Number(count === last.count + 1)
  const drawn = Math.min(count, Math.max(enough, last.drawn + begun))

  useEffect(() => {
    const older = () => {
      last.drawn++
      redraw({})
    }
    // The newest are on the screen: one more group comes at once.
    if (drawn < count) return drawn > enough ? whenIdle(older) : older()
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
    chapters[number] ??= []
    chapters[number].push(node)
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
function GroupView({ entries, before, isLast }: Own) {
  const Row = useContext(Panel).site.value.Screened ?? Line
  return (
    <div class="group">
      {entries.map((entry, place) => (
        <Row
          key={entry.key}
          entry={entry}
          before={entries[place - 1] ?? before}
          isLast={isLast && !entries[place + 1]}
        />
      ))}
    </div>
  )
}

export type LineProps = { entry: Entry; before: Entry | undefined; isLast: boolean }

/** An entry and what stands above it. It draws a message itself: a component for each would be an eighth of what a long transcript holds. */
const Line = (props: LineProps) => useLine(props, useMessage)

export function useLine(
  { entry, before, isLast }: LineProps,
  useDrawn: (props: MessageProps) => ComponentChild[],
): ComponentChild[] {
  const { locale, answers } = useContext(Panel)
  const { value: module } = answers
  // A history of one day needs no mark.
  const isNewDay = before && dayOf(entry.at) !== dayOf(before.at)
  const day = isNewDay && module && <module.Day at={entry.at} />
  if (entry.kind !== 'message') return [day, module && <module.Note entry={entry} />]
  const joined =
    !isNewDay && before?.kind === 'message' && before.role === entry.role && entry.at - before.at < SILENCE_MS
  const silence = !isNewDay && before && before.kind !== 'divider' && entry.at - before.at >= SILENCE_MS
  // An entry stays of its kind, so its hooks are always the same.
  return [day, silence && module?.drawSilence(entry.at, locale.value), ...useDrawn({ entry, joined, isLast })]
}
