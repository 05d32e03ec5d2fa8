// A message as it grows (law L6). Finished blocks keep their nodes, so that nothing is made for them again;
// only the open block at the end is parsed. The engine grows a message once a frame.

import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import type { Content, ReadonlySignal } from '../../chat/index.ts'
import { withoutIncomplete } from './incomplete-markdown.ts'
import { type Block, parseBlocks } from './markdown.tsx'

/** An open block of so many characters is parsed again only when it has grown by an eighth: linear work in the end. */
const LARGE = 4_096

/** So many blocks share a virtual node, which Preact skips as a whole once they are finished. */
const RUN = 8

/** Takes pieces in, and keeps the blocks they make. `parse` is there for tests. */
export function createBlocks(parse = parseBlocks) {
  const frozen: Block[] = []
  /** The runs that stay the same nodes. */
  const done: ComponentChildren[] = []
  let tail: Block[] = []
  let rest = ''
  /** How much of `rest` the tail was parsed from; what came since stands behind it as plain text. */
  let parsed = 0
  /** Cells of tables in what is frozen. */
  let cells = 0
  const unparsed = (): Block[] => {
    const text = rest.slice(parsed)
    return text === '' ? [] : [{ node: <span class="plain">{text}</span>, cells: 0 }]
  }
  return {
    /** `complete`: nothing follows, so what looks unfinished is meant. */
    add(text: string, complete: boolean): void {
      rest += text
      if (!complete && rest.length > LARGE && rest.length < parsed * 1.125) return
      // A line that is still being written may turn out to be anything; a whole one is what it is.
      const lines = complete ? 0 : rest.lastIndexOf('\n') + 1
      if (lines > 0) {
        const { blocks, open } = parse(rest.slice(0, lines), cells)
        for (const block of blocks.slice(0, -1)) {
          frozen.push(block)
          cells += block.cells
        }
        rest = rest.slice(open)
      }
      tail = parse(complete ? rest : withoutIncomplete(rest), cells).blocks
      parsed = rest.length
    },
    /**
     * All of them in runs: blocks are only ever added at the end, so the places of runs are their keys. The first run has no element:
     * most answers have no other.
     */
    runs(): ComponentChildren[] {
      const open = [...frozen.slice(done.length * RUN), ...tail, ...unparsed()]
      const runs = [...done]
      while (open[0]) {
        const isDone = frozen.length > runs.length * RUN + RUN
        const nodes = open.splice(0, RUN).map(({ node }) => node)
        const run = runs[0] ? <div class={isDone ? 'run done' : 'run'}>{nodes}</div> : nodes
        runs.push(run)
        if (isDone) done.push(run)
      }
      // Preact would make a component of a list within the list.
      return runs.flat()
    },
  }
}

type Drawn = {
  content: Content
  nodes: ComponentChildren[]
  /** Undefined once the answer is complete: few go on after that, which are parsed from the beginning then. */
  blocks: ReturnType<typeof createBlocks> | undefined
}

export function Markdown({ content }: { content: ReadonlySignal<Content> }) {
  const drawn = useRef<Drawn>(undefined)
  drawn.current = drawnOf(content.value, drawn.current)
  return <>{drawn.current.nodes}</>
}

/** `before`: what was drawn of it last. */
export function drawnOf(content: Content, before?: Drawn): Drawn {
  const { pieces, length, complete } = content
  if (before?.content === content) return before
  const known = before?.content.pieces === pieces && before.blocks
  const blocks = known || createBlocks()
  blocks.add(pieces.slice(known ? before?.content.length : 0, length).join(''), complete)
  return { content, nodes: blocks.runs(), blocks: complete ? undefined : blocks }
}
