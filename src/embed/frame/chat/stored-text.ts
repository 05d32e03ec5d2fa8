// Keeps what a visitor writes for this tab, and never for the next visitor.

import type { KeyValue } from '../../../chat/index.ts'

/** A text of the visitor that a reload of this tab keeps. */
export type StoredText = {
  /** Empty if somebody signed out since it was written. */
  get(): string
  set(text: string): void
  /** Forgets it, and returns it. */
  take(): string
  /** Somebody signed out: removes it, also where it could not be read. */
  forget(): void
}

/** The key of the last sign-out's mark, in the storage of all tabs. */
export const SIGNED_OUT = 'signed-out'

/**
 * Each text is stored with the mark of the last sign-out that this page had heard of when it was written: under a later one it
 * belongs to another person.
 */
export function createStoredText(store: KeyValue, key: string, sessions: KeyValue): StoredText {
  let by = sessions.get(SIGNED_OUT)
  let text = read()
  /** A text of somebody who has signed out since is removed. */
  function read(): string {
    const prefix = `${by} `
    const stored = store.get(key)
    if (stored?.startsWith(prefix)) return stored.slice(prefix.length)
    if (stored && by !== undefined) store.remove(key)
    return ''
  }
  return {
    get() {
      // A store that gives nothing for a while says nothing of who signed out.
      const mark = sessions.get(SIGNED_OUT) ?? by
      if (by !== mark) {
        by = mark
        text = read()
      }
      return text
    },
    set(next) {
      // What is stored and could not be read here may be this visitor's all the same.
      if (next) store.set(key, `${by} ${next}`)
      else if (text) store.remove(key)
      text = next
    },
    take() {
      const all = this.get()
      this.set('')
      return all
    },
    forget() {
      store.remove(key)
      text = ''
    },
  }
}
