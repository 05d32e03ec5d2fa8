// Cuts a text into its top-level blocks, and tells those that are finished from the one that may still grow.

import { parseMarkdown, type Token } from './parser.ts'

/** `from`: where it begins in the text. `cells`: how many cells of tables are in it. */
export type Block = { tokens: Token[]; from: number; cells: number }

/** `cells`: how many cells the blocks before this text have taken. */
export function splitBlocks(text: string, cells = 0): Block[] {
  const tokens = parseMarkdown(text, cells)
  const starts = lineStarts(text)
  const blocks: Block[] = []
  for (let index = 0; index < tokens.length; ) {
    const own = tokens.slice(index, closing(tokens, index))
    const from = starts[own[0]?.map?.[0] ?? 0] ?? text.length
    blocks.push({ tokens: own, from, cells: own.filter(({ type }) => /^t[dh]_open$/.test(type)).length })
    index += own.length
  }
  return blocks
}

/** A blank line does not end these. */
const GOES_ON = /_list_open$|^code_block$/

/**
 * The blocks of a text that never change, whatever is added, and where the open text behind them begins. A block is finished when
 * another begins, or a blank line ends it. A line that is still being written may turn out to be anything.
 */
export function finishedBlocks(
  text: string,
  cells = 0,
  split = splitBlocks,
): { blocks: Block[]; open: number } {
  // The other half of a line's end may follow.
  const [lines = ''] = /^.*(?:\n|\r(?!$))/s.exec(text) ?? []
  const blocks = split(lines, cells)
  const last = blocks.at(-1)
  const { type, map } = last?.tokens[0] ?? {}
  const end = lineStarts(lines)[map?.[1] ?? 0] ?? 0
  const isFinished = type !== undefined && !GOES_ON.test(type) && end < lines.length
  return isFinished ? { blocks, open: end } : { blocks: blocks.slice(0, -1), open: last?.from ?? 0 }
}

/** Where the lines begin, as the parser counts them. */
export function lineStarts(text: string): number[] {
  return [0, ...Array.from(text.matchAll(/\r\n?|\n/g), (end) => end.index + end[0].length)]
}

/** Behind the token that closes the one at `index`. */
function closing(tokens: readonly Token[], index: number): number {
  let depth = 0
  for (let at = index; at < tokens.length; at++) {
    depth += tokens[at]?.nesting ?? 0
    if (depth <= 0) return at + 1
  }
  return tokens.length
}
