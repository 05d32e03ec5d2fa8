// Tracks typing: tells the visitor that the live agent types, and shows which visitors type.

import { signal } from '@preact/signals'

const EVERY_MS = 3_000
const REST_MS = 5_000
/** A visitor who typed and was not heard of again types no more. */
const VISITOR_MS = 8_000

/** `tell`: shows a visitor that the person types, or has stopped. */
export function createTyping(tell: (id: string, typing: boolean) => void) {
  /** The conversations whose visitors type. */
  const visitors = signal<readonly string[]>([])
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  let own: { id: string; toldAt: number; rest: ReturnType<typeof setTimeout> } | undefined

  function visitorTypes(id: string, typing: boolean): void {
    clearTimeout(timers.get(id))
    timers.delete(id)
    const others = visitors.peek().filter((each) => each !== id)
    if (typing)
      timers.set(
        id,
        setTimeout(() => visitorTypes(id, false), VISITOR_MS),
      )
    if (typing || others.length < visitors.peek().length) visitors.value = typing ? [...others, id] : others
  }

  /** `told`: false where the visitor learns it by the answer itself. */
  function rest(told = true): void {
    if (!own) return
    clearTimeout(own.rest)
    if (told) tell(own.id, false)
    own = undefined
  }

  return {
    visitors,
    visitorTypes,
    rest,
    types(id: string): void {
      const now = Date.now()
      const due = now - (own?.toldAt ?? 0) >= EVERY_MS
      if (due) tell(id, true)
      clearTimeout(own?.rest)
      own = { id, toldAt: due ? now : (own?.toldAt ?? now), rest: setTimeout(rest, REST_MS) }
    },
    stop(): void {
      clearTimeout(own?.rest)
      for (const timer of timers.values()) clearTimeout(timer)
    },
  }
}
