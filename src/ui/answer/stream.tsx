// A message as it grows (law L6). Finished blocks keep their nodes, so that nothing is made for them again;
// only the open block at the end is parsed. The engine grows a message once a frame.

import type { ComponentChildren, VNode } from 'preact'
import { useRef } from 'preact/hooks'
import type { Content, ReadonlySignal } from '../../chat/index.ts'
import { finishedBlocks, splitBlocks } from '../../markdown/index.ts'
import { withoutIncomplete } from './incomplete-markdown.ts'
import { drawBlock } from './markdown.tsx'

/** An open block of so many characters is parsed again only when it has grown by an eighth: linear work in the end. */
const LARGE = 4_096

/** So many blocks share a virtual node, which Preact skips as a whole once they are finished. */
const RUN = 8

/**
 * Takes pieces in, and keeps the blocks they make. Links lead somewhere once their block is finished: until then, the text that
 * follows may change them. `split` is there for tests.
 */
export function createBlocks(split = splitBlocks) {
  const frozen: VNode[] = []
  /** The runs that stay the same nodes. */
  const done: ComponentChildren[] = []
  let tail: VNode[] = []
  let rest = ''
  /** How much of `rest` the tail was parsed from; what came since stands behind it as plain text. */
  let parsed = 0
  /** Cells of tables in what is frozen. */
  let cells = 0
  const unparsed = (): VNode[] => {
    const text = rest.slice(parsed)
    return text === '' ? [] : [<span class="plain">{text}</span>]
  }
  return {
    /** `complete`: nothing follows, so what looks unfinished is meant. */
    add(text: string, complete: boolean): void {
      rest += text
      if (!complete && rest.length > LARGE && rest.length < parsed * 1.125) return
      if (!complete) {
        const { blocks, open } = finishedBlocks(rest, cells, split)
        for (const block of blocks) {
          frozen.push(drawBlock(block, true))
          cells += block.cells
        }
        rest = rest.slice(open)
      }
      const shown = complete ? rest : withoutIncomplete(rest)
      tail = split(shown, cells).map((block) => drawBlock(block, complete))
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
        const nodes = open.splice(0, RUN)
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
