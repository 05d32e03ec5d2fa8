// Passes an answer on as it streams, and makes words of links and pictures that lead where no source leads.

import {
  comparableHref,
  drawnAddresses,
  type FoundAddress,
  findAddresses,
  finishedBlocks,
  lineStarts,
  parseMarkdown,
  splitBlocks,
  type Token,
} from '../../markdown/index.ts'
import { cleanText } from './clean.ts'

/** Most characters that are held back. */
const MOST_HELD = 2_000
/** A long piece is read in parts, so that no more than that is ever held back. */
const LONGEST_PART = 200
/** Links in the words of links: what is deeper is left out. */
const MOST_ROUNDS = 4
/** An open block is read again when it has grown by an eighth: linear work in the end. */
const GROWTH = 1 / 8
/** So many characters more are read in all, to pass each line of a list on as it comes. */
const SPARE = 200_000
/** Begins a new block where too much is held back, and where what was passed on would become a part of a link. */
const CUT = '\n\n… '

export interface LinkGate {
  /** Takes a piece, and returns the text that can be shown now. */
  push(piece: string): string
  /** Returns the text that was held back. */
  rest(): string
}

/** Whether an address was in the sources or the instructions. */
export type IsGiven = (href: string, kind: FoundAddress['kind']) => boolean

/** Without one of these signs a text has no address. */
const SIGN = /\[|[<@](?=\S)|\\(?=[!-/:-@[-`{-~])|&#?\w{1,31};|:\/\/|www\./gi
const LONGEST_SIGN = 40
/** What may stand between the beginning of an address and its first sign. */
const BEGINNING = /(?:[!&#;:/<@\\\w.+-]|[\xc0-\u024f]|[\u0300-\u036f]|[\u1e00-\u1eff])*$/
const LONGEST_BEGINNING = 64

/**
 * At each moment the text that was passed on holds only links that a source has, even if the message ended there. The panel's own parser
 * checks this for the block that is still open; the blocks before it never change.
 */
export function createLinkGate(isGiven: IsGiven, tellLeftOut: () => void): LinkGate {
  /** The open block, and what is held back behind it. */
  let text = ''
  /** How much of it was passed on. */
  let passed = 0
  /** Whether it has a sign of an address, and how much of it was searched for one. */
  let isSigned = false
  let searched = 0
  /** How long it was when it was read last. */
  let checked = 0
  /** Cells of tables in the blocks before. */
  let cells = 0
  let spare = SPARE
  let isLeftOut = false

  const isForeign = ({ href, kind }: Pick<FoundAddress, 'href' | 'kind'>): boolean => {
    const address = comparableHref(href)
    return address === undefined || !isGiven(address, kind)
  }
  const isClean = (end: number): boolean =>
    !drawnAddresses(parseMarkdown(text.slice(0, end), cells)).some(isForeign)

  function hasSign(): boolean {
    SIGN.lastIndex = Math.max(0, searched - LONGEST_SIGN)
    isSigned ||= SIGN.test(text)
    searched = text.length
    return isSigned
  }

  function pass(end: number): string {
    const shown = text.slice(passed, end)
    passed = Math.max(passed, end)
    return shown
  }

  /** In a fence that goes up to the end, what stands between its first line and the last one says nothing of what follows. */
  function passCode(end: number, tokens: readonly Token[]): string {
    const shown = pass(end)
    const { type, map } = lastOf(tokens) ?? {}
    if (type === 'fence' && map && lineStart(text, map[1]) === text.length)
      drop(lineStart(text, map[0] + 1), text.lastIndexOf('\n', text.lastIndexOf('\n', passed - 1) - 1) + 1)
    return shown
  }

  /** Forgets the text before `open`, whose blocks are finished. */
  function forget({ blocks, open }: ReturnType<typeof finishedBlocks>): void {
    for (const block of blocks) cells += block.cells
    drop(0, open)
  }

  function drop(from: number, to: number): void {
    if (to <= from) return
    text = text.slice(0, from) + text.slice(to)
    passed -= to - from
    isSigned = false
    searched = 0
  }

  /** Ends the block, by a paragraph that ends each list too. */
  function close(): string {
    text = text.slice(0, passed) + CUT + text.slice(passed).trimStart()
    const shown = pass(passed + CUT.length)
    const blocks = splitBlocks(text.slice(0, passed), cells)
    forget({ blocks: blocks.slice(0, -1), open: blocks.at(-1)?.from ?? 0 })
    return shown
  }

  function read(isEnd: boolean): string {
    if (!hasSign()) return pass(isEnd ? text.length : beginningOf(text, text.length))
    const isFull = isEnd || text.length - passed > MOST_HELD - LONGEST_PART
    if (!isFull && !hasGrown()) return ''
    let shown = judge(isEnd, isFull)
    if (isFull && !isEnd) shown += close()
    else if (shown.includes('\n')) forget(finishedBlocks(text.slice(0, passed), cells))
    checked = text.length
    return shown
  }

  function hasGrown(): boolean {
    if (text.length - checked >= text.length * GROWTH) return true
    if (spare < text.length || !text.includes('\n', checked)) return false
    spare -= text.length
    return true
  }

  /** Makes words of what leads elsewhere, and passes on what can be. `isFull`: no more may be held back. */
  function judge(isEnd: boolean, isFull: boolean): string {
    let isCut = false
    /** What stands before it is no part of what comes. */
    let settled = 0
    for (let round = 0; ; round++) {
      const { addresses, tokens } = findAddresses(text, cells)
      settled = isEnd ? text.length : isFull ? endOfWords(text) : settledIn(text, tokens)
      const due = addresses.filter(
        (each) =>
          each.span.to <= settled &&
          (each.kind !== 'definition' || each.span.from >= passed) &&
          isForeign(each),
      )
      if (due.length === 0) {
        const end = isFull ? settled : Math.max(passed, heldFrom(settled, addresses))
        if (end <= passed) return ''
        if (isClean(end)) return passCode(end, tokens)
        if (!isFull) return ''
        // The cut was within code.
        if (isClean(text.length)) return pass(text.length)
        break
      }
      const isShown = due.some(({ span }) => span.from < passed)
      if (round === MOST_ROUNDS || (isShown && isCut)) break
      if (!isShown) text = withoutAddresses(text, due)
      else {
        text = text.slice(0, passed) + CUT + text.slice(passed).trimStart()
        isCut = true
      }
    }
    text = [text.slice(0, passed), text.slice(settled)].filter(Boolean).join('\n\n')
    if (!isLeftOut) tellLeftOut()
    isLeftOut = true
    return ''
  }

  /** Where the first sign stands behind `from` that belongs to no whole address of a source. */
  function heldFrom(from: number, addresses: readonly FoundAddress[]): number {
    const whole = addresses
      .filter((each) => each.span.to > from && each.span.to < text.length && !isForeign(each))
      .sort((a, b) => a.span.from - b.span.from)
    SIGN.lastIndex = Math.max(passed, from)
    for (let found = SIGN.exec(text); found; found = SIGN.exec(text)) {
      const { index } = found
      while (whole[0] && whole[0].span.to <= index) whole.shift()
      if (!whole[0] || whole[0].span.from > index) return beginningOf(text, index)
      SIGN.lastIndex = whole[0].span.to
    }
    return from === text.length ? from : beginningOf(text, text.length)
  }

  return {
    push(piece) {
      let shown = ''
      for (let at = 0; at < piece.length; at += LONGEST_PART) {
        text += cleanText(piece.slice(at, at + LONGEST_PART))
        shown += read(false)
      }
      return shown
    },
    rest: () => read(true),
  }
}

/** Where the word begins that goes on at `end`. */
const beginningOf = (text: string, end: number): number =>
  end - (BEGINNING.exec(text.slice(Math.max(0, end - LONGEST_BEGINNING), end))?.[0].length ?? 0)

/** Behind the last word of the last part, which may go on; the end where it is one long word. */
function endOfWords(text: string): number {
  const end = Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n')) + 1
  return end > text.length - LONGEST_PART ? end : text.length
}

const lastOf = (tokens: readonly Token[]): Token | undefined =>
  tokens.findLast(({ nesting }) => nesting === 0)

/** Where the last words begin that a link may still be made of. In code is none. */
function settledIn(text: string, tokens: readonly Token[]): number {
  const last = lastOf(tokens)
  if (last?.type !== 'inline') return text.length
  const { map } = last.map ? last : (tokens.findLast(({ type }) => type === 'tr_open') ?? {})
  return lineStart(text, map?.[0] ?? 0)
}

const lineStart = (text: string, line: number): number => lineStarts(text)[line] ?? text.length

/** The text with words in place of these. */
function withoutAddresses(text: string, addresses: readonly FoundAddress[]): string {
  let rest = ''
  let at = 0
  const outerFirst = [...addresses].sort((a, b) => a.span.from - b.span.from || b.span.to - a.span.to)
  for (const { span, words } of outerFirst) {
    if (span.from < at) continue
    rest += text.slice(at, span.from) + words
    at = span.to
  }
  return rest + text.slice(at)
}
