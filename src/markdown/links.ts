// Finds every address that the panel makes a link of, and where it stands in the Markdown.

import { splitAddresses } from './addresses.ts'
import {
  createParser,
  type InlineRule,
  type InlineState,
  MAX_CELLS,
  type Parser,
  parseMarkdown,
  type Token,
} from './parser.ts'

type Span = { from: number; to: number }

export type FoundAddress = {
  /** `definition`: of a reference, which the panel does not know and other programs do. */
  kind: 'link' | 'image' | 'bare' | 'definition'
  /** Empty where programs may read it in different ways. */
  href: string
  /** Where it stands in the text. */
  span: Span
  /** Markdown that says the same without leading anywhere. */
  words: string
}

/** What is found in the content of one block, to which `span` refers. */
type Found = FoundAddress

type PlacingState = InlineState & { env: { found: Map<Token[], Found[] | undefined> } }

/** Made with the first text. */
let parser: Parser | undefined
/** The parser of the panel, which also notes where it finds addresses. */
function createNotingParser(): Parser {
  const made = createParser()
  made.inline.ruler.before('text', 'mark_place', markPlace as never)
  // Runs while each token still stands for one stretch of the source.
  const collect = (state: PlacingState) => void state.env.found.set(state.tokens, foundIn(state, made))
  made.inline.ruler2.before('fragments_join', 'collect_addresses', collect as never)
  return made
}
/** Where the parser stood when it had made so many tokens. */
const marks = new WeakMap<Token[], { made: number; at: number }[]>()
/** Is tried first at each place, and notes it. */
const markPlace: InlineRule = ({ tokens, pos }, silent) => {
  if (silent) return false
  const places = marks.get(tokens) ?? []
  places.push({ made: tokens.length, at: pos })
  marks.set(tokens, places)
  return false
}

/** A stretch of text as it is read, and the source that it comes from. */
type Piece = Span & { text: string }

/** Undefined where a token does not stand where it should. */
function foundIn(state: PlacingState, { helpers }: Parser): Found[] | undefined {
  const { src, tokens } = state
  const places = marks.get(tokens) ?? []
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
    found.push(...bareIn(pieces))
    pieces = []
  }
  for (const [index, token] of tokens.entries()) {
    const { type, content, markup } = token
    const from = at
    if (link && type !== 'link_close') {
      // What a link holds leads nowhere by itself. Another program may show its picture.
      if (type === 'image') {
        const start = src.indexOf('![', at)
        at = Math.min(endOf(index), link.labelEnd)
        found.push(pictureOf(start, at, token))
      }
      continue
    }
    if (type === 'text' || type === 'text_special') {
      const source = type === 'text' ? content : markup
      if (!src.startsWith(source, from)) return undefined
      at += source.length
      pieces.push({ text: content, from, to: at })
      continue
    }
    if (/^(em|strong|s)_/.test(type)) {
      if (!src.startsWith(markup, from)) return undefined
      at += markup.length
      endRun()
      continue
    }
    endRun()
    if (type === 'link_open') {
      const isAuto = markup === 'autolink'
      const labelEnd = isAuto ? from : helpers.parseLinkLabel(state as never, from, true)
      link = { href: String(token.attrGet('href') ?? ''), from, labelEnd, isAuto }
      continue
    }
    if (type === 'softbreak' || type === 'hardbreak') at += /^ */.exec(src.slice(from))?.[0].length ?? 0
    at = endOf(index)
    if (type === 'link_close' && link) {
      found.push(linkOf(src, link, at))
      link = undefined
    } else if (type === 'image') found.push(pictureOf(from, at, token))
  }
  endRun()
  return found
}

type OpenLink = { href: string; from: number; labelEnd: number; isAuto: boolean }

function linkOf(src: string, { href, from, labelEnd, isAuto }: OpenLink, to: number): Found {
  if (isAuto)
    return { kind: 'link', href, span: { from, to }, words: wordsOf(src.slice(from + 1, to - 1), href) }
  return {
    kind: 'link',
    href,
    span: { from, to },
    words: src.slice(from + 1, labelEnd),
  }
}

const pictureOf = (from: number, to: number, token: Token): Found => ({
  kind: 'image',
  href: String(token.attrGet('src') ?? ''),
  span: { from, to },
  words: token.content,
})

/** A web address without a link is still one to press elsewhere. A mail address stays readable: code is no link anywhere. */
function wordsOf(address: string, href: string): string {
  if (/^https?:/i.test(href)) return ''
  return href.toLowerCase().startsWith('mailto:') ? `\`${address.replace(/^mailto:/i, '')}\`` : address
}

/** The bare addresses of a run of text, which marks of emphasis cut. What is decoded counts as a whole. */
function bareIn(pieces: readonly Piece[]): Found[] {
  let at = 0
  let index = 0
  /** Where the piece begins in the run. */
  let before = 0
  const sourceOf = (place: number, isEnd: boolean): number => {
    let piece = pieces[index]
    while (piece && place >= before + piece.text.length + Number(isEnd)) {
      before += piece.text.length
      piece = pieces[++index]
    }
    const { from, to, text } = piece ?? { from: 0, to: 0, text: '' }
    return to - from === text.length ? from + place - before : isEnd ? to : from
  }
  return bareAddresses(pieces.map(({ text }) => text).join('')).flatMap(({ text, href }): Found[] => {
    const start = at
    at += text.length
    if (href === undefined) return []
    const span = { from: sourceOf(start, false), to: sourceOf(at, true) }
    return [{ kind: 'bare', href, span, words: wordsOf(text, href) }]
  })
}

/** Signs with which an address ends for engines that know them, and only for those: newer versions of Unicode have more. */
const LATE_END = /^(?![\0-\u1aff\u2000-\u206f\u3000-\u303f])(?![\ufe10-\uffff])(?:\p{P}|\p{Cf})/u

/**
 * A text in its order, with what looks like an address: some engine may read what this one cannot. Empty is what engines end in
 * different places.
 */
function bareAddresses(text: string): { text: string; href?: string }[] {
  let at = 0
  return splitAddresses(text, () => true).map((part) => {
    if (typeof part === 'string') at += part.length
    else at += part.text.length
    if (typeof part === 'string') return { text: part }
    return LATE_END.test(text.slice(at, at + 2)) ? { ...part, href: '' } : part
  })
}

/** `[label]: address` at the beginning of a line, which other programs take for the address of every `[label]`. */
const DEFINITION = /(?<=^|\n) {0,3}\[(?:[^[\]\\]|\\.){1,999}\]:\s*<?([^\s>]*)/g

const definitionsIn = (content: string): Found[] =>
  [...content.matchAll(DEFINITION)].map(({ 0: whole, 1: href = '', index }) => {
    const own = whole.trimStart()
    const to = index + whole.length
    return { kind: 'definition', href, span: { from: to - own.length, to }, words: `\\${own}` }
  })

/** `cells`: how many cells of tables the text before this one has taken. */
export function findAddresses(text: string, cells = 0): { addresses: FoundAddress[]; tokens: Token[] } {
  const found = new Map<Token[], Found[] | undefined>()
  parser ??= createNotingParser()
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
    const place = placeIn(content, map?.[0] ?? row, lines, starts, map ? undefined : cell)
    if (!map) cell = (place(content.length) ?? starts[row] ?? 0) - (starts[row] ?? 0)
    for (const each of [...(found.get(children) ?? []), ...definitionsIn(content)]) {
      const [from, to] = [place(each.span.from), place(each.span.to)]
      if (from !== undefined && to !== undefined) addresses.push({ ...each, span: { from, to } })
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
    let [low, high] = [0, places.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((places[middle]?.at ?? 0) <= at) low = middle
      else high = middle - 1
    }
    const place = places[low]
    return place?.to === undefined ? undefined : place.to + Math.min(at - place.at, place.length)
  }
}

/** Where the panel would lead with a message of these tokens. */
export function drawnAddresses(tokens: readonly Token[]): Pick<FoundAddress, 'kind' | 'href'>[] {
  let isInLink = false
  return tokens.flatMap((token) => {
    const { type, content } = token
    if (type === 'inline') return drawnAddresses(token.children ?? [])
    if (type === 'link_close') isInLink = false
    if (type === 'image') return [{ kind: 'image', href: String(token.attrGet('src') ?? '') }]
    if (type === 'text' && !isInLink)
      return bareAddresses(content).flatMap(({ href }) =>
        href === undefined ? [] : [{ kind: 'bare' as const, href }],
      )
    if (type !== 'link_open') return []
    isInLink = true
    return [{ kind: 'link', href: String(token.attrGet('href') ?? '') }]
  })
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
