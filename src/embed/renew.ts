// Puts the steps before a chat also before each later one that somebody begins here. Loaded with the reception.

import type { Chat } from '../chat/index.ts'
import type { Kept } from './kept.ts'

/** A new conversation that something may have to stand before. */
export type Renewal = {
  begin(): void
  /** Sends again the message of before that began it; after the steps. */
  resend?: (() => void) | undefined
  /** Whether the visitor can go back to the conversation before. */
  back: boolean
}

/** Messages that the visitor wrote for a chat that is not begun yet, in order. A reload of this tab keeps them. */
export type Written = {
  add(text: string): void
  isEmpty(): boolean
  /** Empties it. */
  take(): string[]
  /** Somebody signed out. */
  forget(): void
}

/** More than anybody writes. */
const MOST = 500

export function createWritten(kept: Kept): Written {
  return {
    add: (text) => kept.set(JSON.stringify([...read(kept.get()), text])),
    isEmpty: () => read(kept.get()).length === 0,
    take: () => read(kept.take()),
    forget: kept.forget,
  }
}

/** Anybody may have stored it. */
function read(stored: string): string[] {
  try {
    const all: unknown = JSON.parse(stored)
    return Array.isArray(all) ? all.slice(0, MOST).filter((each) => typeof each === 'string') : []
  } catch {
    return []
  }
}

/** Asks `stands` before each new conversation. Where something does, `renew` is given it, and begins it later. */
export function guardNewChats(
  chat: Chat,
  stands: () => boolean,
  written: Written,
  renew: (renewal: Renewal) => void,
): void {
  const { open, restart, send, typed, retry } = chat
  let begun = chat.status.peek() !== 'idle'
  const isOver = () => begun && /^(ended|expired|idle)$/.test(chat.status.peek())
  function after(text?: string, resend?: () => void): boolean {
    if (!stands()) return false
    if (text !== undefined) written.add(text)
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
  chat.send = (text) => (isOver() && !chat.refusal(text) && after(text) ? 'written' : send(text))
  // The new conversation begins with the message, not with its first letter.
  chat.typed = () => {
    if (!(isOver() && stands())) typed()
  }
  chat.retry = (id) => {
    if (!(isOver() && after(undefined, () => retry(id)))) retry(id)
  }
}
