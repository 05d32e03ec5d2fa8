// Draws the button above the composer that scrolls to what is further down.

import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useWords } from '../context/context.ts'
import { Icon } from '../theme/icons.tsx'

/** Why there is more below: something new came while the reader was further up, or a question is held above its long answer. */
export type Below = 'new' | 'held' | undefined

type Props = {
  below: Exclude<Below, undefined>
  /** What scrolls behind it. */
  box: RefObject<HTMLElement | null>
  onClick(): void
}

/** Above the composer, while there is more below than the reader sees: goes there. Without room it is an arrow. */
export function Pill({ below, box, onClick }: Props) {
  const say = useWords()
  const button = useRef<HTMLButtonElement>(null)
  const [small, setSmall] = useState(false)
  useLayoutEffect(() => {
    const { current } = box
    if (!current) return
    const look = () => setSmall(hasNoRoom(current, button.current))
    look()
    const sizes = new ResizeObserver(look)
    sizes.observe(current.firstElementChild ?? current)
    current.addEventListener('scroll', look, { passive: true })
    return () => {
      sizes.disconnect()
      current.removeEventListener('scroll', look)
    }
  }, [])
  return (
    <div class="above-foot">
      <button ref={button} type="button" class={small ? 'pill small once' : 'pill once'} onClick={onClick}>
        <Icon>
          <path d="M10 4.5v11M5.25 10.75 10 15.5l4.75-4.75" />
        </Icon>
        <span>{below === 'held' ? say.toEnd : say.newMessages}</span>
      </button>
    </div>
  )
}

/** Where words would take too much of what can be read, in pixels. */
const NARROW = 360
const LOW = 220

/** Whether there is little room, or suggestions, cards, code or a table are where the button is. */
function hasNoRoom(box: HTMLElement, button: HTMLElement | null): boolean {
  if (box.clientWidth < NARROW || box.clientHeight < LOW) return true
  const { top = 0, bottom = 0 } = button?.getBoundingClientRect() ?? {}
  return [...box.querySelectorAll('.chips, .cards, pre, table')].some((part) => {
    const { top: from, bottom: to } = part.getBoundingClientRect()
    return from < bottom && to > top
  })
}
