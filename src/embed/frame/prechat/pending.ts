// Keeps what is written for a chat that has not begun: the visitor's first messages, failed ones to send again, later ones in order, and
// a text for the composer. A reload of this tab keeps the later ones too.

import type { ChatController } from '../chat/chat-controller.ts'
import type { StoredText } from '../chat/stored-text.ts'

export type Pending = {
  /** Nothing is written or to be sent again. */
  isEmpty(): boolean
  add(text: string): void
  /** What a step makes of the visitor's answers: goes before all others. */
  addFirst(text: string): void
  retry(id: string): void
  draft(text: string): void
  /** Sends all of it. */
  sendBy(chat: ChatController): void
  /** Gives the text for the composer. */
  writeTo(chat: ChatController): void
  /** Somebody signed out, or withdrew consent. */
  forget(): void
}

/** More than anybody writes. */
const MOST = 500

/** `mayStore`: whether the visitor has agreed that something is kept. */
export function createPending(kept: StoredText, mayStore: () => boolean): Pending {
  let first: string[] = []
  let retries: string[] = []
  /** Written before the visitor agreed. */
  let unstored: string[] = []
  let draft: string | undefined
  const all = () => [...read(kept.get()), ...unstored].slice(0, MOST)
  function take(): string[] {
    const taken = all()
    kept.set('')
    unstored = []
    return taken
  }
  return {
    isEmpty: () => all().length + retries.length === 0,
    add(text) {
      if (text.trim()) unstored.push(text)
      if (!mayStore()) return
      kept.set(JSON.stringify(all()))
      unstored = []
    },
    addFirst: (text) => void first.push(text),
    retry: (id) => void retries.push(id),
    draft(text) {
      draft = text
    },
    sendBy(chat) {
      for (const text of first.splice(0)) chat.send(text)
      for (const id of retries.splice(0)) chat.retry(id)
      for (const text of take()) chat.send(text)
    },
    writeTo(chat) {
      if (draft !== undefined) chat.take({ type: 'draft', text: draft })
      draft = undefined
    },
    forget() {
      kept.forget()
      first = []
      retries = []
      unstored = []
      draft = undefined
    },
  }
}

/** Anybody may have stored it. */
function read(stored: string): string[] {
  try {
    const all: unknown = JSON.parse(stored)
    return Array.isArray(all) ? all.filter((each) => typeof each === 'string') : []
  } catch {
    return []
  }
}
