// Keeps a scrolling box at the end of its content. It follows what is drawn (the size of the content, so also a picture
// that arrives late), and stops only when the reader scrolls up.

import type { RefObject } from 'preact'
import { useLayoutEffect, useMemo } from 'preact/hooks'

/** Within so many pixels of the end, the reader counts as being there. */
const NEAR = 48

export type Follow = {
  /** False while the reader is further up. */
  readonly atEnd: boolean
  /** Goes to the end and stays there. */
  toEnd(): void
  /** For the box's scroll event. */
  onScroll(): void
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
    const toEnd = () => {
      const { current } = box
      if (!current) return
      current.scrollTop = current.scrollHeight
      lastTop = current.scrollTop
    }
    return {
      get atEnd() {
        return atEnd
      },
      toEnd() {
        atEnd = true
        toEnd()
      },
      resized() {
        const { current } = box
        // Where scrollbars take room, the padding gives it back: words and composer end on one line.
        current?.style.setProperty(
          '--scrollbar',
          `${Math.min(16, current.offsetWidth - current.clientWidth)}px`,
        )
        if (atEnd) toEnd()
      },
      onScroll() {
        const { current } = box
        if (!current) return
        const { scrollTop, scrollHeight, clientHeight } = current
        if (scrollHeight - clientHeight - scrollTop <= NEAR) atEnd = true
        // Only a reader moves up: layout alone never does, except where the content became shorter than that.
        else if (scrollTop < lastTop - 1) atEnd = false
        lastTop = scrollTop
        onMove(scrollTop, atEnd)
      },
    }
  }, [])
  useLayoutEffect(() => {
    if (!box.current || !content.current || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(follow.resized)
    observer.observe(box.current)
    observer.observe(content.current)
    return () => observer.disconnect()
  }, [])
  return follow
}
