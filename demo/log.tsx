import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

/** A box of messages that follows new ones while the reader is at its end. `newest` changes with each message. */
export function Log({
  label,
  newest,
  children,
}: {
  label: string
  newest: unknown
  children: ComponentChildren
}) {
  const box = useRef<HTMLDivElement>(null)
  const stuck = useRef(true)
  useLayoutEffect(() => {
    if (stuck.current && box.current) box.current.scrollTop = box.current.scrollHeight
  }, [newest])
  // The box is resized, and its pictures load late.
  useEffect(() => {
    const { current } = box
    if (!current) return
    const observer = new ResizeObserver(() => {
      if (stuck.current) current.scrollTop = current.scrollHeight
    })
    for (const each of [current, ...current.children]) observer.observe(each)
    return () => observer.disconnect()
  }, [])
  return (
    <div
      ref={box}
      class="log"
      role="log"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        stuck.current = scrollHeight - scrollTop - clientHeight < 40
      }}
    >
      {children}
    </div>
  )
}
