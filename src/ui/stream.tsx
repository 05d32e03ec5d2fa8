// A message as it grows (law L6). Finished blocks keep their nodes, so that nothing is made for them again;
// only the open block at the end is parsed, once a frame at most, or after 100 ms where frames do not come.

import { effect } from '@preact/signals'
import { Fragment } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Content, ReadonlySignal } from '../chat/index.ts'
import { withoutHalves } from './halves.ts'
import { type Block, parseBlocks } from './markdown.tsx'
import { soon } from './soon.ts'

/** An open block of so many characters is parsed again only when it has grown by an eighth: linear work in the end. */
const LARGE = 4_096

/** Takes pieces in, and keeps the blocks they make. `parse` is there for tests. */
export function createBlocks(parse = parseBlocks) {
  const frozen: Block[] = []
  let tail: Block[] = []
  let rest = ''
  /** How much of `rest` the tail was parsed from; what came since stands behind it as plain text. */
  let parsed = 0
  /** Cells of tables in what is frozen. */
  let cells = 0
  const unparsed = (): Block[] => {
    const source = rest.slice(parsed)
    return source === '' ? [] : [{ source, node: <span class="plain">{source}</span>, cells: 0 }]
  }
  return {
    /** `complete`: nothing follows, so what looks unfinished is meant. */
    add(text: string, complete: boolean): void {
      rest += text
      if (!complete && rest.length > LARGE && rest.length < parsed * 1.125) return
      // A line that is still being written may turn out to be anything; a whole one is what it is.
      const { blocks, open } = parse(rest.slice(0, rest.lastIndexOf('\n') + 1), cells)
      for (const block of blocks.slice(0, -1)) {
        frozen.push(block)
        cells += block.cells
      }
      rest = rest.slice(open)
      tail = parse(complete ? rest : withoutHalves(rest), cells).blocks
      parsed = rest.length
    },
    all: (): readonly Block[] => [...frozen, ...tail, ...unparsed()],
  }
}

type Drawn = {
  pieces: readonly string[]
  taken: number
  complete: boolean
  blocks: ReturnType<typeof createBlocks>
}

export function Markdown({ content }: { content: ReadonlySignal<Content> }) {
  const drawn = useRef<Drawn>(undefined)
  const [, redraw] = useState(0)

  useEffect(() => {
    let stop: (() => void) | undefined
    const unsubscribe = effect(() => {
      const { pieces, length, complete } = content.value
      // Pieces may have come between the drawing and this: what counts is what was drawn.
      const { current } = drawn
      if (current?.pieces === pieces && current.taken === length && current.complete === complete) return
      stop ??= soon(() => {
        stop = undefined
        redraw((count) => count + 1)
      })
    })
    return () => {
      stop?.()
      unsubscribe()
    }
  }, [content])

  const { pieces, length, complete } = content.peek()
  let now = drawn.current
  if (now?.pieces !== pieces) now = { pieces, taken: 0, complete: false, blocks: createBlocks() }
  drawn.current = now
  if (length > now.taken || complete !== now.complete) {
    now.blocks.add(pieces.slice(now.taken, length).join(''), complete)
    now.taken = length
    now.complete = complete
  }
  return (
    <>
      {now.blocks.all().map((block, index) => (
        // Blocks are only ever added at the end.
        <Fragment key={index}>{block.node}</Fragment>
      ))}
    </>
  )
}
