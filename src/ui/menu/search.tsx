// Searches the drawn transcript for messages, whatever the case and the accents. In each message the words that match as they were typed are
// painted with the browser's own highlights, so that no node of an answer changes.

import type { RefObject } from 'preact'
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Panel, useWords } from '../context/context.ts'
import { DownIcon, Icon } from '../theme/icons.tsx'

/** Most messages that are shown. */
const MOST = 500
const LONGEST = 100

/** The messages that match, and the place of the one that the reader looks at. */
type Found = { finds: readonly Element[]; at: number }

/** `show` scrolls to a message. */
export function Search({ log, show }: { log: RefObject<HTMLElement | null>; show(element: Element): void }) {
  const { searching, locale } = useContext(Panel)
  const say = useWords()
  const bar = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const [query, setQuery] = useState('')
  const [{ finds, at }, setFound] = useState<Found>({ finds: [], at: 0 })
  const current = finds[at]
  /** Whether a message matches, of those that were read and have not changed since. */
  const known = useRef(new WeakMap<Element, boolean>())

  const findAll = (query: string): Element[] => {
    const wanted = fold(query.trim(), locale.peek())
    if (wanted === '') return []
    const matches = (article: Element): boolean => {
      const found =
        known.current.get(article) ??
        blocksOf(article).some(({ text }) => fold(text, locale.peek()).includes(wanted))
      known.current.set(article, found)
      return found
    }
    return [...(log.current?.querySelectorAll('article') ?? [])].filter(matches).slice(0, MOST)
  }
  const onInput = ({ currentTarget: { value } }: { currentTarget: HTMLInputElement }) => {
    setQuery(value)
    known.current = new WeakMap()
    // At once: the next key may be Enter. The newest first: it is nearest to where the reader is.
    const finds = findAll(value)
    setFound({ finds, at: Math.max(0, finds.length - 1) })
  }
  useLayoutEffect(() => field.current?.focus(), [])
  useEffect(() => {
    if (query === '' || !log.current) return
    // Messages come, and answers grow.
    const observer = new MutationObserver((records) => {
      for (const { target } of records) {
        const element = target instanceof Element ? target : target.parentElement
        const article = element?.closest('article')
        if (article) known.current.delete(article)
      }
      // The reader stays where they are.
      setFound((before) => {
        const finds = findAll(query)
        return { finds, at: placeOf(before, finds) }
      })
    })
    observer.observe(log.current, { childList: true, characterData: true, subtree: true })
    return () => observer.disconnect()
  }, [query])
  useLayoutEffect(() => {
    current?.toggleAttribute('data-found', true)
    paint(query.trim(), finds, current)
    return () => {
      current?.toggleAttribute('data-found', false)
      paint('', [], undefined)
    }
  }, [query, finds, current])
  useEffect(() => {
    if (current) show(current)
  }, [query, current])

  const close = () => {
    const panel = bar.current?.closest('.content')
    searching.value = false
    panel?.querySelector<HTMLElement>('[aria-haspopup="menu"]')?.focus()
  }
  const turn = (by: number) =>
    setFound(({ finds, at }) => ({ finds, at: (at + by + finds.length) % (finds.length || 1) }))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close()
    // 229: what some browsers say while an input method still composes.
    else if (
      event.key === 'Enter' &&
      event.target === field.current &&
      !event.isComposing &&
      event.keyCode !== 229
    )
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
        <DownIcon />
      </button>
      <button type="button" class="round" aria-label={say.closeSearch} onClick={close}>
        <CrossIcon />
      </button>
    </search>
  )
}

/** The place that the message the reader looks at has `now`. Where that is gone, the place it had, or the last one. */
function placeOf({ finds, at }: Found, now: readonly Element[]): number {
  const same = now.indexOf(finds[at] as Element)
  return same < 0 ? Math.max(0, Math.min(at, now.length - 1)) : same
}

/** A text without case and accents. A vowel sign of Hindi is no accent. Numbers are grouped by spaces that no keyboard has. */
const fold = (text: string, locale: string): string =>
  text
    // Upper case first: it makes one of the two forms of sigma, and of "ß" and "ss".
    .toLocaleUpperCase(locale)
    .toLocaleLowerCase(locale)
    .normalize('NFD')
    .replace(/(?=\p{M})\p{Diacritic}/gu, '')
    .normalize('NFC')
    .replace(/\s/g, ' ')

/** The elements that begin words of their own: what stands on both sides of such an edge is no phrase. */
const BLOCK = 'p, li, td, th, h3, h4, h5, h6, pre, blockquote, div, b, small, article'

/** Words that stand together, and where each of their nodes begins in them: a match may cross emphasis, links and code. */
type Block = { text: string; nodes: { node: Text; from: number }[] }

function blocksOf(article: Element): Block[] {
  const blocks = new Map<Element | null | undefined, Block>()
  const nodes = document.createTreeWalker(article, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    const { parentElement } = node
    if (parentElement?.closest('.hidden, .time, button')) continue
    const edge = parentElement?.closest(BLOCK)
    const block = blocks.get(edge) ?? { text: '', nodes: [] }
    if (node.nodeName === 'BR') block.text += ' '
    if (!(node instanceof Text)) continue
    blocks.set(edge, block)
    block.nodes.push({ node, from: block.text.length })
    block.text += node.data
  }
  return [...blocks.values()]
}

/** Where a text stands as it was typed, but for its case. */
function* rangesOf(query: string, article: Element): Generator<Range> {
  const typed = new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s/g, '\\s'), 'giu')
  for (const { text, nodes } of blocksOf(article))
    for (const { 0: words, index } of text.matchAll(typed)) {
      const range = document.createRange()
      const first = nodes.findLast(({ from }) => from <= index)
      const last = nodes.findLast(({ from }) => from < index + words.length)
      if (!first || !last) continue
      range.setStart(first.node, index - first.from)
      range.setEnd(last.node, Math.min(last.node.length, index + words.length - last.from))
      yield range
    }
}

/** Paints the query in these messages, and nowhere else. */
function paint(query: string, finds: readonly Element[], current: Element | undefined): void {
  // Not in every browser: there only the message is marked.
  if (typeof Highlight === 'undefined') return
  const found = new Highlight()
  const here = new Highlight()
  for (const each of query === '' ? [] : finds)
    for (const range of rangesOf(query, each)) (each === current ? here : found).add(range)
  CSS.highlights.set('foyer-found', found)
  CSS.highlights.set('foyer-current', here)
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
