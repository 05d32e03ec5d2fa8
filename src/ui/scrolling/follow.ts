// Keeps a scrolling box at the end of its content. It follows what is drawn (the size of the content, so also a picture
// that arrives late), and stops only when the reader scrolls up. An answer that is longer than the box grows below the visitor's
// question, which is held at the top.

import type { RefObject } from 'preact'
import { useLayoutEffect, useMemo } from 'preact/hooks'

/** Within so many pixels of the end, the reader counts as being there. */
const NEAR = 48
/** So many pixels stand above what is held at the top. */
const ABOVE = 8
/** So many milliseconds after a key, a wheel or a finger a scroll is the reader's. */
const BY_HAND = 1_000
const HANDS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

const isNearEnd = ({ scrollTop, scrollHeight, clientHeight }: HTMLElement) =>
  scrollHeight - clientHeight - scrollTop <= NEAR

/** What the reader sees of the end: it is in view, the reader is further up, or what was asked for is held above it. */
export type View = 'end' | 'away' | 'held'

export type Follow = {
  readonly view: View
  /** Goes to the end and stays there. */
  toEnd(): void
  /** Shows an element as if the reader had scrolled to it. */
  toElement(element: Element): void
  /**
   * For what has just drawn something: follows it at once. The size is heard of later, in the frame, and what is scrolled there is told in
   * one more frame.
   */
  drawn(): void
  /** For the box's scroll event. */
  onScroll(event: Event): void
}

/**
 * What is not to leave the box at its top: the visitor's question, if the newest message is the first behind it, else that message. The
 * visitor's own newest message holds nothing.
 */
function heldIn(content: HTMLElement): HTMLElement | undefined {
  const newest: HTMLElement[] = []
  const watch = (parent: Element) => {
    for (
      let child = parent.lastElementChild;
      child && newest.length < 2;
      child = child.previousElementSibling
    ) {
      if (child.localName === 'article') newest.push(child as HTMLElement)
      else if (child.matches('.entries, .group')) watch(child)
    }
  }
  watch(content)
  const [last, before] = newest
  if (!last || last.matches('.visitor')) return undefined
  return before?.matches('.visitor') ? before : last
}

/** `onMove` is called after each scroll, and when the end has left the view, with the distance from the top, in pixels. */
export function useFollow(
  box: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  onMove: (top: number, view: View) => void,
): Follow {
  const follow = useMemo(() => {
    /** The reader has not left the end, or what is held above it. */
    let atEnd = true
    let held: HTMLElement | undefined
    /** What the reader saw before the latest drawing. */
    let seen: View = 'end'
    /** The reader has passed what would be held, and follows the end. */
    let passed = false
    let lastTop = 0
    let lastSize: string | undefined
    let scrollbar: number | undefined
    let touchedAt = -BY_HAND
    let anchor: string | undefined
    const viewOf = (current: HTMLElement): View => (!atEnd ? 'away' : isNearEnd(current) ? 'end' : 'held')
    const remember = (current: HTMLElement) => {
      const { scrollTop, scrollHeight, clientHeight, style } = current
      seen = viewOf(current)
      lastTop = scrollTop
      lastSize = `${scrollHeight} ${clientHeight}`
      // At the end the browser has nothing to hold on to, and would look for it whenever something comes.
      const wanted = atEnd ? 'none' : ''
      if (wanted !== anchor) style.overflowAnchor = wanted
      anchor = wanted
    }
    /** Where what is held begins. */
    const heldTop = (current: HTMLElement): number => {
      if (!held || passed) return Number.POSITIVE_INFINITY
      const { top, height } = current.getBoundingClientRect()
      // Boxes on the screen are scaled, and what scrolls is not.
      const scale = height / current.offsetHeight || 1
      return current.scrollTop + (held.getBoundingClientRect().top - top) / scale - ABOVE
    }
    const toEnd = () => {
      const { current } = box
      if (!current) return
      // A first screen is read from its top.
      if (content.current?.matches('.welcome')) return remember(current)
      const end = current.scrollHeight - current.clientHeight
      // Never up: a reader may have gone further by hand.
      current.scrollTop = Math.max(current.scrollTop, Math.min(end, heldTop(current)))
      remember(current)
    }
    return {
      get view() {
        return box.current ? viewOf(box.current) : 'end'
      },
      toEnd() {
        atEnd = true
        passed = true
        touchedAt = -BY_HAND
        toEnd()
      },
      toElement(element: Element) {
        element.scrollIntoView({ block: 'center' })
        const { current } = box
        if (!current) return
        atEnd = isNearEnd(current)
        remember(current)
      },
      drawn() {
        const next = content.current ? heldIn(content.current) : undefined
        // Who still reads what is held is left there, until the visitor writes.
        if (next !== held && !(seen === 'held' && next && held?.isConnected)) {
          passed = false
          held = next
        }
        // Where something else has moved it, its scroll event says first whether that was the reader.
        if (atEnd && box.current?.scrollTop === lastTop) toEnd()
      },
      resized() {
        const { current } = box
        if (!current) return
        // Where scrollbars take room, the padding gives it back: words and composer end on one line.
        const width = Math.min(16, current.offsetWidth - current.clientWidth)
        // All that is in the box would be styled again.
        if (width !== scrollbar) current.style.setProperty('--scrollbar', `${width}px`)
        scrollbar = width
        if (!atEnd) return
        toEnd()
        if (seen === 'held') onMove(current.scrollTop, seen)
      },
      onHand({ type, target, timeStamp, key }: Event & { key?: string }) {
        // Who presses a control does not scroll by it.
        if (!/^(pointerdown|Enter| )$/.test(key ?? type) || !(target as Element).closest('a,button'))
          touchedAt = timeStamp
      },
      onScroll({ timeStamp, currentTarget }: Event) {
        const current = currentTarget as HTMLElement
        const { scrollTop, scrollHeight, clientHeight } = current
        if (isNearEnd(current)) {
          atEnd = true
          passed ||= scrollTop > heldTop(current) + 1
        }
        // Only a reader moves up, except where the content became shorter, and longer again before this was heard of.
        else if (
          scrollTop < lastTop - 1 &&
          (timeStamp - touchedAt < BY_HAND || lastSize === `${scrollHeight} ${clientHeight}`)
        )
          atEnd = false
        remember(current)
        onMove(scrollTop, seen)
      },
    }
  }, [])
  useLayoutEffect(() => {
    if (!box.current || !content.current) return
    const observer = new ResizeObserver(follow.resized)
    observer.observe(box.current)
    observer.observe(content.current)
    const { current } = box
    for (const hand of HANDS) current.addEventListener(hand, follow.onHand, { passive: true })
    return () => {
      observer.disconnect()
      for (const hand of HANDS) current.removeEventListener(hand, follow.onHand)
    }
  }, [])
  return follow
}
