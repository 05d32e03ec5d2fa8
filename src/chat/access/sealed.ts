// Keeps the BFF's sealed text for a frame whose browser returns no cookie to it (WebKit, so every Safari). The
// text is not a token: only the BFF opens it, and only for the frame's own origin.

import { isWorking } from '../state/memory.ts'
import type { KeyValue } from '../state/model.ts'

const KEY = 'sealed'
const LONGEST = 3_584
/** The compact form of an encrypted text: five parts. */
const FORM = /^[\w-]+\.[\w-]*\.[\w-]+\.[\w-]+\.[\w-]+$/

export type SealedText = {
  /** The value for a token request: the text, or `true` if there is none yet. */
  ask(): string | true
  /** Keeps the sealed text of an answer. Any other value, such as undefined, deletes the stored one. */
  keep(answered: unknown): void
  /** Whether the storage works. Browsers may deny it to frames. */
  works(): boolean
}

export function createSealedText(store: KeyValue): SealedText {
  const isSealed = (value: unknown): value is string =>
    typeof value === 'string' && value.length <= LONGEST && FORM.test(value)
  return {
    ask() {
      const text = store.get(KEY)
      return isSealed(text) ? text : true
    },
    keep(answered) {
      if (isSealed(answered)) store.set(KEY, answered)
      else store.remove(KEY)
    },
    works: () => isWorking(store),
  }
}
