// Keeps what a visitor writes for this tab, and never for the next visitor.

import type { KeyValue } from '../chat/index.ts'

/** A text of the visitor that a reload of this tab keeps. */
export type Kept = {
  /** Empty if somebody signed out since it was written. */
  get(): string
  set(text: string): void
  /** Forgets it, and returns it. */
  take(): string
}

/** The key of the last sign-out's mark, in the storage of all tabs. */
export const SIGNED_OUT = 'signed-out'

/**
 * Each text is stored with the mark of the last sign-out that this page had heard of when it was written: under a later one it
 * belongs to another person.
 */
export function createKept(store: KeyValue, key: string, sessions: KeyValue): Kept {
  const mark = () => `${sessions.get(SIGNED_OUT)} `
  let by = mark()
  let text = ''
  const kept: Kept = {
    get() {
      if (by !== mark()) kept.set('')
      by = mark()
      return text
    },
    set(next) {
      text = next
      if (next) store.set(key, by + next)
      else store.remove(key)
    },
    take() {
      const all = kept.get()
      kept.set('')
      return all
    },
  }
  const stored = store.get(key)
  if (stored?.startsWith(by)) text = stored.slice(by.length)
  else if (stored) store.remove(key)
  return kept
}
