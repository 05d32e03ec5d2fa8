// Searches the drawn transcript. Matches are painted with the browser's own highlights, so that no node of an answer changes.

import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Panel } from './context.ts'
import { CloseIcon, Icon } from './icons.tsx'
import { useWords } from './words.ts'

export { default as styles } from './search.css?inline'
export { Search as part }

/** Most matches that are shown. */
const MOST = 500
const LONGEST = 100
/** After a change the matches are counted again so much later, and so not with every piece of an answer. */
const AGAIN_MS = 300

/** The matches, and the place of the match that the reader looks at. */
type Found = { finds: readonly Range[]; at: number }

export function Search() {
  const { searching, locale } = useContext(Panel)
  const say = useWords()
  const bar = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const [query, setQuery] = useState('')
  const [{ finds, at }, setFound] = useState<Found>({ finds: [], at: 0 })
  const current = finds[at]

  const logOf = () => bar.current?.parentElement?.querySelector('.log')
  /** The matches of the query in each message that was read and has not changed since. */
  const known = useRef(new WeakMap<Element, Range[]>())
  /** Where the current match stands: its message, and its place among the matches there. */
  const here = useRef<{ article: Element; place: number }>(undefined)
  const look = (query: string) => {
    const log = logOf()
    return log ? findIn(log, finderOf(query, locale.peek()), known.current) : []
  }
  const onInput = ({ currentTarget: { value } }: { currentTarget: HTMLInputElement }) => {
    setQuery(value)
    known.current = new WeakMap()
    // At once: the next key may be Enter. The newest first: it is nearest to where the reader is.
    const finds = look(value)
    setFound({ finds, at: Math.max(0, finds.length - 1) })
  }
  useLayoutEffect(() => field.current?.focus(), [])
  useEffect(() => {
    const log = logOf()
    if (query === '' || !log) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const again = () => {
      timer = undefined
      const finds = look(query)
      // The reader stays where they are.
      setFound((before) => ({ finds, at: placeOf(before, finds) }))
    }
    // Messages come, and answers grow.
    const observer = new MutationObserver((records) => {
      const changed = records.map(({ target }) =>
        (target instanceof Element ? target : target.parentElement)?.closest('article'),
      )
      const find = finderOf(query, locale.peek())
      for (const article of new Set(changed)) {
        if (!article) continue
        // Its marks went with its words.
        const own = find(article)
        known.current.set(article, own)
        mark(own, article === here.current?.article ? own[here.current.place] : undefined)
      }
      timer ??= setTimeout(again, AGAIN_MS)
    })
    observer.observe(log, { childList: true, characterData: true, subtree: true })
    return () => {
      observer.disconnect()
      clearTimeout(timer)
    }
  }, [query])
  useLayoutEffect(() => {
    paint(finds, current)
    const article = current?.startContainer.parentElement?.closest('article')
    const before = finds.slice(0, at).filter(({ startContainer }) => article?.contains(startContainer))
    here.current = article ? { article, place: before.length } : undefined
    return () => paint([], undefined)
  }, [finds, at])
  useEffect(() => {
    if (!current) return
    // It is the reader who scrolls, by way of the search: the transcript does not go back to its end.
    logOf()?.dispatchEvent(new Event('wheel', { bubbles: true }))
    current.startContainer.parentElement?.scrollIntoView?.({ block: 'center' })
  }, [query, current?.startContainer, current?.startOffset])

  const close = () => {
    const panel = bar.current?.closest('.content')
    searching.value = false
    panel?.querySelector<HTMLElement>('[aria-haspopup="menu"]')?.focus()
  }
  const turn = (by: number) =>
    setFound(({ finds, at }) => ({ finds, at: (at + by + finds.length) % (finds.length || 1) }))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close()
    else if (event.key === 'Enter' && event.target === field.current && !event.isComposing)
      turn(event.shiftKey ? 1 : -1)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const number = new Intl.NumberFormat(locale.value)
  const told =
    query.trim() === ''
      ? ''
      : finds.length === 0
        ? say.nothingFound
        : say.found(number.format(at + 1), number.format(finds.length))
  return (
    <search ref={bar as never} class="search" aria-label={say.searchChat} onKeyDown={onKeyDown}>
      <input
        ref={field}
        type="search"
        value={query}
        maxLength={LONGEST}
        dir={query === '' ? undefined : 'auto'}
        enterkeyhint="search"
        aria-label={say.searchChat}
        placeholder={say.searchChat}
        onInput={onInput}
      />
      <span class="told" role="status">
        {told}
      </span>
      <button
        type="button"
        class="round"
        aria-label={say.previous}
        disabled={!finds[1]}
        onClick={() => turn(-1)}
      >
        <UpIcon />
      </button>
      <button type="button" class="round" aria-label={say.next} disabled={!finds[1]} onClick={() => turn(1)}>
        <CloseIcon />
      </button>
      <button type="button" class="round" aria-label={say.closeSearch} onClick={close}>
        <CrossIcon />
      </button>
    </search>
  )
}

/** The place that the match the reader looks at has `now`. Where that match is gone, the place it had, or the last one. */
function placeOf({ finds, at }: Found, now: readonly Range[]): number {
  const current = finds[at]
  const same = now.findIndex(
    (each) => each.startContainer === current?.startContainer && each.startOffset === current.startOffset,
  )
  return same < 0 ? Math.max(0, Math.min(at, now.length - 1)) : same
}

/** The elements that begin words of their own: what stands on both sides of such an edge is no phrase. */
const BLOCK = 'p, li, td, th, h3, h4, h5, h6, pre, blockquote, div, b, small, article'

type Read = ReturnType<typeof createPlain>

/** The matches in the order of the transcript. `known`: the matches in messages that need not be read again. */
function findIn(log: Element, find: Find, known: WeakMap<Element, Range[]>): Range[] {
  const ranges: Range[] = []
  for (const article of log.querySelectorAll('article')) {
    const own = known.get(article) ?? find(article)
    known.set(article, own)
    ranges.push(...own.slice(0, MOST - ranges.length))
    if (ranges.length === MOST) break
  }
  return ranges
}

type Find = (article: Element) => Range[]

/** Finds the query in a message, without regard to case and accents. A match may cross emphasis, links and code. */
function finderOf(query: string, locale: string): Find {
  const read = createPlain(locale)
  const wanted = read(query.trim()).text
  return (article) => (wanted === '' ? [] : findInArticle(article, wanted, read))
}

function findInArticle(article: Element, wanted: string, read: Read): Range[] {
  const ranges: Range[] = []
  const { text, place } = readArticle(article, read)
  let from = text.indexOf(wanted)
  while (from !== -1 && ranges.length < MOST) {
    const [first, last] = [place(from), place(from + wanted.length - 1)]
    const range = document.createRange()
    range.setStart(first.node, first.start)
    range.setEnd(last.node, last.end)
    ranges.push(range)
    from = text.indexOf(wanted, from + wanted.length)
  }
  return ranges
}

type Place = { node: Node; start: number; end: number }

/** The words of a message. `place`: where a unit of them stands in the document. */
function readArticle(article: Element, read: Read) {
  const parts: { node: Node; from: number; starts: number[]; ends: number[] }[] = []
  let text = ''
  let block: Element | null = null
  const nodes = document.createTreeWalker(article, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    const { parentElement, nodeValue, nodeName } = node
    if (nodeName === 'BR') text += ' '
    if (nodeValue === null || parentElement?.closest('.hidden, .time, button')) continue
    const own: Element | null = parentElement?.closest(BLOCK) ?? null
    // No query has it.
    if (own !== block) text += '\n'
    block = own
    const { text: plain, starts, ends } = read(nodeValue)
    parts.push({ node, from: text.length, starts, ends })
    text += plain
  }
  const place = (at: number): Place => {
    let index = parts.length - 1
    while (index > 0 && (parts[index]?.from ?? 0) > at) index--
    const { node = article, from = 0, starts = [], ends = [] } = parts[index] ?? {}
    return { node, start: starts[at - from] ?? 0, end: ends[at - from] ?? 0 }
  }
  return { text, place }
}

/** A letter with its marks, or a Korean syllable in parts. */
const SIGN = /[\u1100-\u115f][\u1160-\u11a7][\u11a8-\u11ff]?|\P{M}\p{M}*|\p{M}+/gu
/** Accents, and the vowels of Arabic and Hebrew; a vowel sign of Hindi is no accent. */
const ACCENT = /(?=\p{M})\p{Diacritic}/gu

/**
 * Reads a text without case and accents. `starts` and `ends` say for each unit of it where its letter stands in the text that
 * was given: the two may differ in length.
 */
function createPlain(locale: string) {
  const known = new Map<string, string>()
  const plain = (sign: string): string =>
    // Upper case first: it makes one of the two forms of sigma, and of "ß" and "ss".
    sign
      .toLocaleUpperCase(locale)
      .toLocaleLowerCase(locale)
      .normalize('NFD')
      .replace(ACCENT, '')
      .normalize('NFC')
      // Numbers are grouped by spaces that no keyboard has.
      .replace(/\s/, ' ')
  return (given: string) => {
    let text = ''
    const starts: number[] = []
    const ends: number[] = []
    for (const { 0: sign, index } of given.matchAll(SIGN)) {
      const own = known.get(sign) ?? plain(sign)
      known.set(sign, own)
      text += own
      for (const _ of own.split('')) {
        starts.push(index)
        ends.push(index + sign.length)
      }
    }
    return { text, starts, ends }
  }
}

const canMark = (): boolean => typeof Highlight !== 'undefined' && !!CSS.highlights
/** Forced colours draw all highlights alike. */
const isForced = (): boolean => matchMedia('(forced-colors:active)').matches

/** Marks these matches beside the others. `current`: the current match, where it is one of these. */
function mark(finds: readonly Range[], current: Range | undefined): void {
  if (!canMark()) return
  if (!isForced()) for (const each of finds) CSS.highlights.get('foyer-found')?.add(each)
  if (current) CSS.highlights.set('foyer-current', new Highlight(current))
}

/** Marks these matches and no others. */
function paint(finds: readonly Range[], current: Range | undefined): void {
  if (!canMark()) return
  CSS.highlights.set('foyer-found', new Highlight(...(isForced() ? [] : finds)))
  CSS.highlights.set('foyer-current', new Highlight(...(current ? [current] : [])))
}

const UpIcon = () => (
  <Icon>
    <path d="m5 12.25 5-5 5 5" />
  </Icon>
)
const CrossIcon = () => (
  <Icon>
    <path d="m5.5 5.5 9 9M14.5 5.5l-9 9" />
  </Icon>
)
