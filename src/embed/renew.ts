// Puts the steps before a chat also before each later one that somebody begins here. Loaded with the reception.

import type { Chat } from '../chat/index.ts'

/** A new conversation that something may have to stand before. */
export type Renewal = {
  begin(): void
  /** The visitor's message that began it; it is sent after the steps. */
  written?: string | undefined
  /** Sends again the message of before that began it; after the steps. */
  resend?: (() => void) | undefined
  /** Whether the visitor can go back to the conversation before. */
  back: boolean
}

/** Asks `stands` before each new conversation. True: `renew` was given it, and begins it later. */
export function guardNewChats(chat: Chat, stands: () => boolean, renew: (renewal: Renewal) => void): void {
  const { open, restart, send, typed, retry } = chat
  let begun = chat.status.peek() !== 'idle'
  const isOver = () => begun && /^(ended|expired|idle)$/.test(chat.status.peek())
  function after(written?: string, resend?: () => void): boolean {
    if (!stands()) return false
    renew({ begin: restart, written, resend, back: chat.status.peek() !== 'idle' })
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
