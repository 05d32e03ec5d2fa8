// Parses Markdown by one set of rules, for the panel that draws it and for the agents that check what will be drawn.

import MarkdownIt from 'markdown-it'

export type Parser = InstanceType<typeof MarkdownIt>
export type Token = ReturnType<Parser['parse']>[number]

/** A message may have so many; what is beyond is drawn as the text it is. */
const MAX_COLUMNS = 100
export const MAX_CELLS = 2_000
/** Longest words of a link, with the marks in them. */
const MAX_LABEL = 1_000

type BlockRule = (state: BlockState, start: number, end: number, silent: boolean) => boolean
type BlockState = {
  src: string
  bMarks: number[]
  eMarks: number[]
  line: number
  env: { cells: number }
}
export type InlineState = {
  src: string
  pos: number
  pending: string
  tokens: Token[]
  linkLevel: number
  env: object
}
export type InlineRule = (state: InlineState, silent: boolean) => boolean

/** The parser's own rule of that name. */
function ruleOf<Rule>(part: 'block' | 'inline', name: string): Rule {
  const { ruler } = new MarkdownIt()[part]
  ruler.enableOnly(name)
  return ruler.getRules('')[0] as Rule
}

export function createParser(): Parser {
  const parser = new MarkdownIt({ html: false, linkify: false, breaks: true })
  // A definition far below would change what was drawn long before. The build leaves this rule out, and those that are off.
  parser.disable('reference', true)
  // The parser's own rule drops schemes that ours also knows; `safeHref` judges every address by itself.
  parser.validateLink = () => true
  // So does it encode them, as the browser will.
  parser.normalizeLink = (url) => url
  parser.normalizeLinkText = (url) => url
  parser.block.ruler.at('table', boundedTable() as never, { alt: ['paragraph', 'reference'] })
  parser.inline.ruler.before('link', 'lonely_bracket', lonelyBracket() as never)
  parser.inline.ruler.at('autolink', outerAutolink() as never)
  return parser
}

/**
 * A table has as many rows as there are cells left; the rows after them are no table any more. The parser's own rule fills each short row
 * up, so that a few characters become many cells.
 */
function boundedTable(): BlockRule {
  const table = ruleOf<BlockRule>('block', 'table')
  return (state, start, end, silent) => {
    if (!table(state, start, Math.min(end, start + 2), true)) return false
    const rule = state.src.slice(state.bMarks[start + 1], state.eMarks[start + 1])
    const columns = rule.split('|').filter((cell) => cell.includes('-')).length
    const rows = Math.floor(state.env.cells / columns)
    if (columns > MAX_COLUMNS || rows < 1) return false
    if (silent) return true
    table(state, start, Math.min(end, start + 1 + rows), false)
    state.env.cells -= columns * (state.line - start - 1)
    return true
  }
}

/** Takes a bracket that begins no link as text. The parser's own rule looks at the hundred brackets behind it first. */
function lonelyBracket(): InlineRule {
  /** A stretch of a text without the end of a link's words, and where the next one ends. */
  let gap = { src: '', from: 0, end: -1 }
  return (state, silent) => {
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
}

/** An address in angle brackets, which is text in the words of a link: a link holds no other. */
function outerAutolink(): InlineRule {
  const autolink = ruleOf<InlineRule>('inline', 'autolink')
  return (state, silent) => {
    const isInLink = !silent && state.linkLevel > 0
    const { src, pos } = state
    if (!autolink(state, silent || isInLink)) return false
    if (isInLink) state.pending += src.slice(pos, state.pos)
    return true
  }
}

/** Made with the first text. */
let parser: Parser | undefined

/** `cells`: how many cells the blocks before this text have taken. */
export function parseMarkdown(text: string, cells = 0): Token[] {
  parser ??= createParser()
  return parser.parse(text, { cells: MAX_CELLS - cells })
}
