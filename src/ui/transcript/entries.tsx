// Draws the transcript in groups of a hundred entries. An unchanged group keeps its virtual node, which Preact then skips, so a new
// message costs the same in a long transcript as in a short one (law L6). The newest hundred are drawn at once, the hundred before
// them with the next frame, older ones in idle time.

import type { VNode } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { Entry } from '../../chat/index.ts'
import { Panel } from '../context/context.ts'
import { isGreeting } from '../context/site.ts'
import { Line } from './line.tsx'
import { ScreenedLine } from './screened-line.tsx'

const GROUP = 100

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
  return <div class="entries">{[...groups.values()].map(({ node }) => node)}</div>
}

/** A component, since Preact skips an unchanged component and looks into an unchanged element. */
function GroupView({ entries, before, isLast }: Own) {
  const { site, withheld } = useContext(Panel)
  const { accepts, render, greeting } = site.value
  const Row = accepts || render?.message ? ScreenedLine : Line
  const rows = entries.map((entry, place) => {
    const above = entries[place - 1] ?? before
    const greets = isGreeting(entry, above)
    if (greets) {
      // Neither drawn nor saved beside the site's own.
      if (greeting !== undefined) {
        withheld.add(entry.key)
        return null
      }
      if (!accepts) withheld.delete(entry.key)
    }
    return (
      <Row
        key={entry.key}
        entry={entry}
        before={above}
        isLast={isLast && !entries[place + 1]}
        greets={greets}
      />
    )
  })
  return <div class="group">{rows}</div>
}

/** Calls `fn` when the browser has nothing better to do. Returns the undo. */
function whenIdle(fn: () => void): () => void {
  // WebKit has no such callback.
  if (typeof requestIdleCallback === 'function') {
    const id = requestIdleCallback(fn, { timeout: 1_000 })
    return () => cancelIdleCallback(id)
  }
  const id = setTimeout(fn, 50)
  return () => clearTimeout(id)
}
