// Keeps a scrolling box at the end of its content. It follows what is drawn (the size of the content, so also a picture
// that arrives late), and stops only when the reader scrolls up.

import type { RefObject } from 'preact'
import { useLayoutEffect, useMemo } from 'preact/hooks'

/** Within so many pixels of the end, the reader counts as being there. */
const NEAR = 48
/** So many milliseconds after a key, a wheel or a finger a scroll is the reader's. */
const BY_HAND = 1_000
const HANDS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

const isNearEnd = ({ scrollTop, scrollHeight, clientHeight }: HTMLElement) =>
  scrollHeight - clientHeight - scrollTop <= NEAR

export type Follow = {
  /** False while the reader is further up. */
  readonly atEnd: boolean
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

/** `onMove` is called after each scroll with the distance from the top, in pixels, and whether the end is in view. */
export function useFollow(
  box: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  onMove: (top: number, atEnd: boolean) => void,
): Follow {
  const follow = useMemo(() => {
    let atEnd = true
    let lastTop = 0
    let lastSize: string | undefined
    let scrollbar: number | undefined
    let touchedAt = -BY_HAND
    let anchor: string | undefined
    const remember = ({ scrollTop, scrollHeight, clientHeight, style }: HTMLElement) => {
      lastTop = scrollTop
      lastSize = `${scrollHeight} ${clientHeight}`
      // At the end the browser has nothing to hold on to, and would look for it whenever something comes.
      const wanted = atEnd ? 'none' : ''
      if (wanted !== anchor) style.overflowAnchor = wanted
      anchor = wanted
    }
    const toEnd = () => {
      const { current } = box
      if (!current) return
      current.scrollTop = current.scrollHeight
      remember(current)
    }
    return {
      get atEnd() {
        return atEnd
      },
      toEnd() {
        atEnd = true
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
        if (atEnd) toEnd()
      },
      onHand({ type, target, timeStamp, key }: Event & { key?: string }) {
        // Who presses a control does not scroll by it.
        if (!/^(pointerdown|Enter| )$/.test(key ?? type) || !(target as Element).closest('a,button'))
          touchedAt = timeStamp
      },
      onScroll({ timeStamp, currentTarget }: Event) {
        const current = currentTarget as HTMLElement
        const { scrollTop, scrollHeight, clientHeight } = current
        if (isNearEnd(current)) atEnd = true
        // Only a reader moves up, except where the content became shorter, and longer again before this was heard of.
        else if (
          scrollTop < lastTop - 1 &&
          (timeStamp - touchedAt < BY_HAND || lastSize === `${scrollHeight} ${clientHeight}`)
        )
          atEnd = false
        remember(current)
        onMove(scrollTop, atEnd)
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
