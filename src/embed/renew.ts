// Puts the steps before a chat also before each later one that somebody begins here. Loaded with the reception.

import type { Chat, KeyValue } from '../chat/index.ts'

/** A new conversation that something may have to stand before. */
export type Renewal = {
  begin(): void
  /** Sends again the message of before that began it; after the steps. */
  resend?: (() => void) | undefined
  /** Whether the visitor can go back to the conversation before. */
  back: boolean
}

/** Messages that the visitor wrote for a chat that is not begun yet, in order. A reload of this tab keeps them. */
export type Held = {
  add(text: string): void
  isEmpty(): boolean
  /** Empties it. */
  take(): string[]
}

const HELD = 'held'
const MOST = 50

/** `mark`: of the last sign-out. What was held before a later one belongs to another person. */
export function createHeld(store: KeyValue, mark: () => string | undefined): Held {
  let { texts, by } = read(store.get(HELD))
  function check(): void {
    if (by !== mark() && texts.length > 0) clear()
  }
  function clear(): void {
    texts = []
    store.remove(HELD)
  }
  return {
    add(text) {
      check()
      by = mark()
      texts.push(text)
      store.set(HELD, JSON.stringify({ texts, by }))
    },
    isEmpty() {
      check()
      return texts.length === 0
    },
    take() {
      check()
      const all = texts
      clear()
      return all
    },
  }
}

/** Anybody may have written it. */
function read(stored: string | undefined): { texts: string[]; by?: unknown } {
  try {
    const { texts, by } = Object(JSON.parse(stored ?? '{}'))
    const all: unknown[] = Array.isArray(texts) ? texts.slice(0, MOST) : []
    return { texts: all.filter((each): each is string => typeof each === 'string'), by }
  } catch {
    return { texts: [] }
  }
}

/** Asks `stands` before each new conversation. Where something does, `renew` is given it, and begins it later. */
export function guardNewChats(
  chat: Chat,
  stands: () => boolean,
  held: Held,
  renew: (renewal: Renewal) => void,
): void {
  const { open, restart, send, typed, retry } = chat
  let begun = chat.status.peek() !== 'idle'
  const isOver = () => begun && /^(ended|expired|idle)$/.test(chat.status.peek())
  function after(written?: string, resend?: () => void): boolean {
    if (!stands()) return false
    if (written !== undefined) held.add(written)
    renew({ begin: restart, resend, back: chat.status.peek() !== 'idle' })
    return true
  }
  chat.open = () => {
    const isFirst = !begun
    begun = true
    if (isFirst || chat.status.peek() !== 'idle' || !after()) open()
  }
  chat.restart = () => {
    if (!after()) restart()
  }
  chat.send = (text) => (isOver() && !chat.refusal(text) && after(text) ? 'held' : send(text))
  // The new conversation begins with the message, not with its first letter.
  chat.typed = () => {
    if (!(isOver() && stands())) typed()
  }
  chat.retry = (id) => {
    if (!(isOver() && after(undefined, () => retry(id)))) retry(id)
  }
}
