// Parses Markdown by one set of rules, for the panel that draws it and for the agents that check what will be drawn.

import MarkdownIt from 'markdown-it'

export type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number]

export const parser = new MarkdownIt({ html: false, linkify: false, breaks: true })
// A definition far below would change what was drawn long before. The build leaves this rule out, and those that are off.
parser.disable('reference', true)
// The parser's own rule drops schemes that ours also knows; `safeHref` judges every address by itself.
parser.validateLink = () => true
// So does it encode them, as the browser will.
parser.normalizeLink = (url) => url
parser.normalizeLinkText = (url) => url

/** A message may have so many; what is beyond is drawn as the text it is. */
const MAX_COLUMNS = 100
export const MAX_CELLS = 2_000

type BlockRule = (state: BlockState, start: number, end: number, silent: boolean) => boolean
type BlockState = {
  src: string
  bMarks: number[]
  eMarks: number[]
  line: number
  env: { cells: number }
}

/** The parser's own rule for tables. It fills each short row up, so that a few characters become many cells. */
const [table] = (() => {
  const { ruler } = new MarkdownIt().block
  ruler.enableOnly('table')
  return ruler.getRules('') as unknown as BlockRule[]
})()

/** As many rows as there are cells left; the rows after them are no table any more. */
function boundedTable(state: BlockState, start: number, end: number, silent: boolean): boolean {
  if (!table?.(state, start, Math.min(end, start + 2), true)) return false
  const rule = state.src.slice(state.bMarks[start + 1], state.eMarks[start + 1])
  const columns = rule.split('|').filter((cell) => cell.includes('-')).length
  const rows = Math.floor(state.env.cells / columns)
  if (columns > MAX_COLUMNS || rows < 1) return false
  if (silent) return true
  table(state, start, Math.min(end, start + 1 + rows), false)
  state.env.cells -= columns * (state.line - start - 1)
  return true
}
parser.block.ruler.at('table', boundedTable as never, { alt: ['paragraph', 'reference'] })

/** Longest words of a link, with the marks in them. */
const MAX_LABEL = 1_000

type InlineState = { src: string; pos: number; pending: string }
/** A stretch of a text without the end of a link's words, and where the next one ends. */
let gap = { src: '', from: 0, end: -1 }

/** Takes a bracket that begins no link as text. The parser's own rule looks at the hundred brackets behind it first. */
function lonelyBracket(state: InlineState, silent: boolean): boolean {
  const { src, pos } = state
  const mark = /!?\[/y
  mark.lastIndex = pos
  if (!mark.test(src)) return false
  if (gap.src !== src || pos < gap.from || pos > gap.end) {
    const end = src.indexOf('](', pos)
    gap = { src, from: pos, end: end < 0 ? src.length + MAX_LABEL : end }
  }
  if (gap.end - pos <= MAX_LABEL) return false
  if (!silent) state.pending += src.slice(pos, mark.lastIndex)
  state.pos = mark.lastIndex
  return true
}
parser.inline.ruler.before('link', 'lonely_bracket', lonelyBracket as never)

/** `cells`: how many cells the blocks before this text have taken. */
export const parseMarkdown = (text: string, cells = 0): Token[] =>
  parser.parse(text, { cells: MAX_CELLS - cells })
