// Passes an answer on as it streams, and makes words of links and pictures that lead where no source leads.

import { type FoundAddress, findAddresses, safeHref } from '../../markdown/index.ts'

/** Most characters that are held back. */
const MOST_HELD = 2_000
/** A segment that is longer ends where it is, so that the cost grows as the text does. */
const LONGEST_SEGMENT = 10_000
/** A long piece is read in parts, so that no more than that is ever held back. */
const LONGEST_PART = 200
/** Links in the words of links: what is deeper becomes plain words. */
const MOST_ROUNDS = 4
/** Begins a new paragraph where a block is too long to be held back. */
const CUT = '… '

export type LinkGate = {
  /** Takes a piece, and returns the text that can be shown now. */
  push(piece: string): string
  /** Returns the text that was held back. */
  rest(): string
}

/** Whether an address was in the sources or the instructions. */
export type IsGiven = (href: string, kind: FoundAddress['kind']) => boolean

/** What a link begins with. All before it can be shown, but for the word that it may be part of. */
const STOP = /[[<\\]|&[#\w]|:\/\/|www\.|@/gi
const LONGEST_STOP = 4
/** Characters that may come before a stop, and belong to the address. */
const HEAD = /[\p{sc=Latin}\p{M}\w.+-]/u
const LONGEST_HEAD = 64

const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})/
const FENCE_BEGINNING = /^(?:`{1,2}$|~{1,2}$|`{3}|~{3})/
const BULLET = /^[-*+][ \t]+\S/
const NUMBER = /^\d{1,9}[.)][ \t]+\S/
const ITEM_BEGINNING = /^(?:[-*+]|\d{1,9}[.)]?)[ \t]*$/
/** Longest sign of an item: a number, and the spaces behind it. */
const LONGEST_SIGN = 20

/**
 * Whatever the panel would parse together is judged together: a segment of the text ends where a block on the outermost level
 * begins. A segment is parsed when it ends, and what of it was shown before is never changed.
 */
export function createLinkGate(isGiven: IsGiven): LinkGate {
  /** The open segment. */
  let text = ''
  /** How much of it was passed on. */
  let passed = 0
  /** How much of it was searched for a stop, and where that was. */
  let searched = 0
  let stop = -1
  let lineStart = 0
  let isAfterBlank = false
  /** Every line that is not indented is an item of a numbered list. */
  let isNumbered = true
  /** The end of the fence that the text is in. */
  let fence: RegExp | undefined
  /** Cells of tables in the segments before. */
  let cells = 0

  function begin(next: string, shown: number): void {
    text = next
    passed = shown
    searched = 0
    stop = -1
    lineStart = 0
    isAfterBlank = false
    isNumbered = true
  }

  /** Judges the segment up to `end`, and returns what of it is not passed on yet. */
  function settle(end: number): string {
    const shown = Math.min(passed, end)
    const judged = judge(text.slice(0, end), shown, cells, isGiven)
    cells += judged.cells
    fence = judged.fence
    return judged.text.slice(shown)
  }

  /** Passes on what is in a fence, up to its end. */
  function passFence(): string {
    let shown = ''
    while (fence) {
      const lineEnd = text.indexOf('\n', searched)
      const next = lineEnd < 0 ? text.length : lineEnd + 1
      shown += text.slice(passed, next)
      if (lineEnd < 0) {
        passed = searched = next
        break
      }
      if (fence.test(text.slice(0, lineEnd))) fence = undefined
      begin(text.slice(next), 0)
    }
    return shown
  }

  /** What the line at `lineStart` begins; undefined where that depends on what comes. */
  function lineKind(isEnd: boolean): 'fence' | 'block' | 'line' | undefined {
    const first = text[lineStart]
    if (first === undefined) return undefined
    if (/\s/.test(first)) return 'line'
    const lineEnd = text.indexOf('\n', lineStart)
    const isWhole = lineEnd >= 0 || isEnd
    const line = text.slice(lineStart, lineEnd < 0 ? text.length : lineEnd)
    const sign = line.slice(0, LONGEST_SIGN)
    if (FENCE_BEGINNING.test(sign)) {
      if (!isWhole) return undefined
      if (FENCE.test(line)) return 'fence'
    }
    if (isAfterBlank || BULLET.test(sign) || (isNumbered && NUMBER.test(sign))) return 'block'
    return !isWhole && ITEM_BEGINNING.test(sign) && sign.length < LONGEST_SIGN ? undefined : 'line'
  }

  /** Passes on what has no stop in it, up to `limit`. */
  function release(limit: number): string {
    if (stop < 0) {
      STOP.lastIndex = Math.max(0, searched - LONGEST_STOP)
      stop = STOP.exec(text)?.index ?? -1
      searched = text.length
    }
    let end = stop < 0 ? limit : Math.min(limit, stop)
    if (/[!&]/.test(text[end - 1] ?? '')) end--
    end -= /https?:\/{0,2}$/i.exec(text.slice(Math.max(0, end - 8), end))?.[0].length ?? 0
    for (const least = end - LONGEST_HEAD; end > least && HEAD.test(text[end - 1] ?? ''); ) end--
    if (end <= passed) return ''
    const shown = text.slice(passed, end)
    passed = end
    return shown
  }

  /** Ends the segment by a new paragraph where too much is held back. */
  function cut(): string {
    const isHeld = text.length - passed > MOST_HELD - LONGEST_PART
    if (fence || (!isHeld && text.length <= LONGEST_SEGMENT)) return ''
    const space = Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n')) + 1
    const end = !isHeld ? passed : space > text.length - LONGEST_PART ? space : text.length
    const next = text.slice(end)
    const isLine = text[end - 1] === '\n'
    const shown = settle(end)
    if (fence) {
      begin(next, 0)
      return isLine ? shown : `${shown}\n`
    }
    begin(CUT + next.trimStart(), CUT.length)
    return `${shown}\n\n${CUT}`
  }

  function read(isEnd: boolean): string {
    let shown = ''
    for (;;) {
      if (fence) {
        shown += passFence()
        if (fence) return shown
        continue
      }
      const kind = lineKind(isEnd)
      if (kind === undefined) return shown + release(lineStart)
      if (kind !== 'line' && lineStart > 0) {
        shown += settle(lineStart)
        begin(text.slice(lineStart), Math.max(0, passed - lineStart))
        continue
      }
      const lineEnd = text.indexOf('\n', lineStart)
      if (kind === 'fence') {
        const next = lineEnd < 0 ? text.length : lineEnd + 1
        fence = endOf(FENCE.exec(text.slice(0, next).trimEnd())?.[1] ?? '')
        shown += text.slice(passed, next)
        begin(text.slice(next), 0)
        continue
      }
      if (lineEnd < 0) return shown + release(text.length)
      const line = text.slice(lineStart, lineEnd)
      isAfterBlank = /^[ \t]*$/.test(line)
      if (/^\S/.test(line) && !NUMBER.test(line)) isNumbered = false
      lineStart = lineEnd + 1
    }
  }

  return {
    push(piece) {
      let shown = ''
      for (let at = 0; at < piece.length; at += LONGEST_PART) {
        text += piece.slice(at, at + LONGEST_PART)
        shown += read(false) + cut()
      }
      return shown
    },
    rest() {
      const shown = read(true) + settle(text.length)
      begin('', 0)
      return shown
    },
  }
}

/** A line that ends a fence. */
const endOf = (fence: string): RegExp => new RegExp(`^ {0,3}\\${fence[0]}{${fence.length},}[ \\t]*$`)

type Judged = {
  text: string
  /** How many cells of tables it has. */
  cells: number
  /** The end of the fence that is open behind it. */
  fence: RegExp | undefined
}

/** Makes words of what is not given. The first `shown` characters stay. */
function judge(source: string, shown: number, cells: number, isGiven: IsGiven): Judged {
  let text = source
  for (let round = 0; ; round++) {
    const { addresses, tokens } = findAddresses(text, cells)
    const foreign = addresses.filter(({ href, kind }) => {
      const address = safeHref(href)
      return address === undefined || !isGiven(address, kind)
    })
    if (foreign.length === 0 || round > MOST_ROUNDS + 1)
      return {
        text,
        cells: tokens.filter(({ type }) => type === 'th_open' || type === 'td_open').length,
        fence: openFence(text, tokens.at(-1)),
      }
    if (round > MOST_ROUNDS) text = source.slice(0, shown)
    else if (round === MOST_ROUNDS) text = plainWords(source, shown)
    else text = withoutAddresses(text, foreign, shown) ?? plainWords(source, shown)
  }
}

/** Undefined where nobody can tell where they stand. */
function withoutAddresses(text: string, foreign: readonly FoundAddress[], shown: number): string | undefined {
  let rest = ''
  let at = 0
  const outerFirst = foreign
    .map(({ span, words }) => ({ from: span?.from ?? 0, to: span?.to ?? -1, words }))
    .sort((a, b) => a.from - b.from || b.to - a.to)
  for (const { from, to, words } of outerFirst) {
    if (to < shown) return undefined
    if (from < at) continue
    rest += text.slice(at, Math.max(from, shown)) + words
    at = Math.max(to, shown)
  }
  return rest + text.slice(at)
}

/** The words of what was not shown yet, without any mark. */
const plainWords = (source: string, shown: number): string =>
  source.slice(0, shown) +
  source
    .slice(shown)
    .split(/(\s)/)
    .map((word) => (ADDRESS_SIGN.test(word) ? '' : word.replace(NO_WORD, '')))
    .join('')
const ADDRESS_SIGN = /:\/\/|www\.|@/i
const NO_WORD = /\.(?=\S)|[^\p{L}\p{N}\p{M}\s.,;:?'"()…–—]/gu

function openFence(text: string, last: ReturnType<typeof findAddresses>['tokens'][number] | undefined) {
  if (last?.type !== 'fence' || !last.map) return undefined
  const [first, next] = last.map
  const end = endOf(last.markup)
  return next - 1 > first && end.test(text.split('\n')[next - 1] ?? '') ? undefined : end
}
