// Finds every address that the panel makes a link of, and where it stands in the Markdown.

import { splitAddresses } from './addresses.ts'
import { decodeHTMLStrict } from './entities.ts'
import { MAX_CELLS, parseMarkdown, parser, type Token } from './parser.ts'

type Span = { from: number; to: number }

export type FoundAddress = {
  /** `definition`: of a reference, which the panel does not know and other programs do. */
  kind: 'link' | 'image' | 'bare' | 'definition'
  /** Empty where programs may read it in different ways. */
  href: string
  /** Where it stands in the text; undefined where the text is not written as it is read. */
  span: Span | undefined
  /** Markdown that says the same without leading anywhere. */
  words: string
}

/** What is found in the content of one block. `span` refers to the content. */
type Found = FoundAddress & { span: Span }

type InlineState = {
  src: string
  pos: number
  pending: string
  tokens: Token[]
  level: number
  env: { found?: Map<Token[], Found[] | undefined> }
}
type InlineRule = (state: InlineState, silent: boolean) => boolean

/** Where the parser stood when it had made so many tokens. */
const marks = new WeakMap<Token[], { made: number; at: number }[]>()

/** Is tried first at each place, and notes it. */
const markPlace: InlineRule = ({ env, tokens, pos }, silent) => {
  if (silent || !env.found) return false
  const places = marks.get(tokens) ?? []
  places.push({ made: tokens.length, at: pos })
  marks.set(tokens, places)
  return false
}
parser.inline.ruler.before('text', 'mark_place', markPlace as never)

const NAMED_ENTITY = /&[a-z]\w{1,31};/iy
const isKnown = (entity: string): boolean => decodeHTMLStrict(entity) !== entity
/** The browser knows few names of entities: an unknown one is text there, so it is text here. */
const unknownEntity: InlineRule = (state, silent) => {
  NAMED_ENTITY.lastIndex = state.pos
  const entity = state.src[state.pos] === '&' ? NAMED_ENTITY.exec(state.src)?.[0] : undefined
  if (entity === undefined || isKnown(entity)) return false
  if (!silent) state.pending += '&'
  state.pos++
  return true
}
parser.inline.ruler.before('entity', 'unknown_entity', unknownEntity as never)

/** Runs while each token still stands for one stretch of the source. */
function collect(state: InlineState): void {
  state.env.found?.set(state.tokens, foundIn(state))
}
parser.inline.ruler2.before('fragments_join', 'collect_addresses', collect as never)

/** A stretch of text as it is read, and the source that it comes from. */
type Piece = Span & { text: string; isMark: boolean }

/** Undefined where a token does not stand where it should. */
function foundIn(state: InlineState): Found[] | undefined {
  const { src, tokens } = state
  const places = marks.get(tokens) ?? []
  const isUncertain = LATE_SIGN.test(src)
  const found: Found[] = []
  let pieces: Piece[] = []
  let link: OpenLink | undefined
  let at = 0
  let place = 0
  /** Where the parser stood after it had made the token at `index`. */
  const endOf = (index: number): number => {
    while (place < places.length && (places[place]?.made ?? 0) <= index) place++
    return places[place]?.at ?? src.length
  }
  const endRun = () => {
    found.push(...bareIn(pieces, isUncertain))
    pieces = []
  }
  for (const [index, token] of tokens.entries()) {
    const { type, content, markup } = token
    const from = at
    if (link && type !== 'link_close') {
      // What a link holds leads nowhere by itself, but for a picture.
      if (type === 'image') {
        const start = src.indexOf('![', at)
        at = Math.min(endOf(index), link.labelEnd)
        found.push(pictureOf(src, start, at, token))
      }
      continue
    }
    if (type === 'text' || type === 'text_special') {
      const source = type === 'text' ? content : markup
      if (!src.startsWith(source, from)) return undefined
      at += source.length
      pieces.push({ text: content, from, to: at, isMark: false })
      continue
    }
    if (/^(em|strong|s)_/.test(type)) {
      if (!src.startsWith(markup, from)) return undefined
      at += markup.length
      pieces.push({ text: markup, from, to: at, isMark: true })
      continue
    }
    endRun()
    if (type === 'link_open') {
      const isAuto = markup === 'autolink'
      const labelEnd = isAuto ? from : parser.helpers.parseLinkLabel(state as never, from, true)
      link = { href: String(token.attrGet('href') ?? ''), from, labelEnd, isAuto }
      continue
    }
    if (type === 'softbreak' || type === 'hardbreak') at += /^ */.exec(src.slice(from))?.[0].length ?? 0
    at = endOf(index)
    if (type === 'link_close' && link) {
      found.push(linkOf(src, link, at))
      link = undefined
    } else if (type === 'image') found.push(pictureOf(src, from, at, token))
  }
  endRun()
  return found
}

const NAMED_ENTITIES = /&[a-z]\w{1,31};/gi
/** An address with an entity that programs decode in different ways is no address that anybody gave. */
const hrefOf = (href: string, source: string): string =>
  [...source.matchAll(NAMED_ENTITIES)].every(([entity]) => isKnown(entity)) ? href : ''

type OpenLink = { href: string; from: number; labelEnd: number; isAuto: boolean }

function linkOf(src: string, { href, from, labelEnd, isAuto }: OpenLink, to: number): Found {
  if (isAuto)
    return { kind: 'link', href, span: { from, to }, words: wordsOf(src.slice(from + 1, to - 1), href) }
  return {
    kind: 'link',
    href: hrefOf(href, src.slice(labelEnd, to)),
    span: { from, to },
    words: src.slice(from + 1, labelEnd),
  }
}

const pictureOf = (src: string, from: number, to: number, token: Token): Found => ({
  kind: 'image',
  href: hrefOf(String(token.attrGet('src') ?? ''), src.slice(from + token.content.length, to)),
  span: { from, to },
  words: token.content,
})

/** A web address without a link is still one to press elsewhere. A mail address stays readable: code is no link anywhere. */
function wordsOf(address: string, href: string): string {
  if (/^https?:/i.test(href)) return ''
  return href.toLowerCase().startsWith('mailto:') ? `\`${address.replace(/^mailto:/i, '')}\`` : address
}

/** Punctuation that some versions of Unicode may not know yet. */
const LATE_SIGN = /(?![\0-\xff\u2010-\u205e\u2190-\u22ff\u3000-\u303f\uff00-\uff65])[\p{P}\p{S}\p{Cn}]/u

/**
 * The bare addresses of a run of text. Beside a sign that a browser knows and this program does not, or the other way round, marks
 * of emphasis may be text: then both readings count.
 */
function bareIn(pieces: readonly Piece[], isUncertain: boolean): Found[] {
  const runs: Piece[][] = [[]]
  for (const piece of pieces)
    if (piece.isMark) runs.push([])
    else runs.at(-1)?.push(piece)
  if (isUncertain) runs.push([...pieces])
  return runs.flatMap((run) => {
    let at = 0
    return splitAddresses(run.map(({ text }) => text).join('')).flatMap((part): Found[] => {
      const text = typeof part === 'string' ? part : part.text
      const start = at
      at += text.length
      if (typeof part === 'string') return []
      const span = sourceOf(run, start, at)
      return [{ kind: 'bare', href: part.href, span, words: wordsOf(text, part.href) }]
    })
  })
}

/** The source of a stretch of a run. What is decoded counts as a whole. */
function sourceOf(run: readonly Piece[], start: number, end: number): Span {
  let at = 0
  let from: number | undefined
  let to = 0
  for (const piece of run) {
    const isExact = piece.to - piece.from === piece.text.length
    const next = at + piece.text.length
    if (from === undefined && start < next) from = piece.from + (isExact ? start - at : 0)
    if (at < end) to = isExact ? Math.min(piece.to, piece.from + end - at) : piece.to
    at = next
  }
  return { from: from ?? 0, to }
}

/** `[label]: address` at the beginning of a line, which other programs take for the address of every `[label]`. */
const DEFINITION = /(?<=^|\n) {0,3}\[(?:[^[\]\\]|\\.){1,999}\]:\s*<?([^\s>]*)/g

const definitionsIn = (content: string): Found[] =>
  [...content.matchAll(DEFINITION)].map(({ 0: whole, 1: href = '', index }) => {
    const from = index + whole.indexOf('[')
    return { kind: 'definition', href, span: { from, to: from }, words: '\\' }
  })

export type Finding = {
  addresses: FoundAddress[]
  tokens: Token[]
}

/** `cells`: how many cells of tables the text before this one has taken. */
export function findAddresses(text: string, cells = 0): Finding {
  const found = new Map<Token[], Found[] | undefined>()
  const tokens = parser.parse(text, { cells: MAX_CELLS - cells, found })
  const lines = text.split('\n')
  const starts = [0]
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length + 1)
  const addresses: FoundAddress[] = []
  let row = 0
  /** Behind the last cell of the row. */
  let cell = 0
  for (const { type, map, content, children } of tokens) {
    if (type === 'tr_open') [row, cell] = [map?.[0] ?? 0, 0]
    if (type !== 'inline' || !children) continue
    const first = map?.[0] ?? row
    const place = placeIn(content, first, lines, starts, map ? undefined : cell)
    if (!map) cell = (place(content.length) ?? starts[row] ?? 0) - (starts[row] ?? 0)
    const own = found.get(children)
    // Without places the addresses are still those that are drawn.
    const all = own ?? drawnIn(children)
    for (const each of [...all, ...definitionsIn(content)]) {
      const [from, to] = own ? [place(each.span.from), place(each.span.to)] : []
      addresses.push({ ...each, span: from === undefined || to === undefined ? undefined : { from, to } })
    }
  }
  return { addresses, tokens }
}

/** Returns a function from a place in the content of a block to the place in the text. */
function placeIn(
  content: string,
  first: number,
  lines: readonly string[],
  starts: readonly number[],
  cell: number | undefined,
): (at: number) => number | undefined {
  let before = 0
  const places = content.split('\n').map((line, index) => {
    const source = lines[first + index] ?? ''
    const column = cell === undefined ? source.lastIndexOf(line) : source.indexOf(line, cell)
    const place = {
      at: before,
      length: line.length,
      to: column < 0 ? undefined : (starts[first + index] ?? 0) + column,
    }
    before += line.length + 1
    return place
  })
  return (at) => {
    const place = places.findLast((each) => each.at <= at)
    return place?.to === undefined ? undefined : place.to + Math.min(at - place.at, place.length)
  }
}

/** The addresses of what is drawn of these tokens, without places. */
function drawnIn(tokens: readonly Token[]): Found[] {
  const nowhere = { span: { from: 0, to: 0 }, words: '' }
  const found: Found[] = []
  let isInLink = false
  for (const token of tokens) {
    if (token.type === 'link_open')
      found.push({ kind: 'link', href: String(token.attrGet('href') ?? ''), ...nowhere })
    if (token.type === 'image')
      found.push({ kind: 'image', href: String(token.attrGet('src') ?? ''), ...nowhere })
    if (token.nesting !== 0)
      isInLink = token.type === 'link_open' || (isInLink && token.type !== 'link_close')
    if (token.type !== 'text' || isInLink) continue
    for (const part of splitAddresses(token.content))
      if (typeof part !== 'string') found.push({ kind: 'bare', href: part.href, ...nowhere })
  }
  return found
}

/** Every address of a text: of its links and pictures, in its words and in its code. */
export function addressesIn(text: string): string[] {
  const read = (tokens: readonly Token[]): string[] =>
    tokens.flatMap((token) => {
      if (token.type === 'inline') return read(token.children ?? [])
      if (token.nesting > 0) return [String(token.attrGet('href') ?? '')]
      const inWords = splitAddresses(token.content).flatMap((part) =>
        typeof part === 'string' ? [] : [part.href],
      )
      return token.type === 'image' ? [String(token.attrGet('src') ?? ''), ...inWords] : inWords
    })
  return read(parseMarkdown(text)).filter(Boolean)
}
