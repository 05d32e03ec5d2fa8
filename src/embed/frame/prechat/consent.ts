// Decides whether consent is required, by the page or by its BFF, and whether it is given. The stricter of the two wins: if the
// BFF requires consent, only the visitor's own press in the panel gives it.

import type { KeyValue } from '../../../chat/index.ts'
import { listen } from '../chat/listen.ts'

export type Consent = {
  /** Whether this page's visitors are asked at all. */
  isAsked(): boolean
  holds(): boolean
  /** The visitor agreed here. */
  give(): void
  withdraw(): void
  /** Applies the page's statement. Returns the change. */
  hear(said: unknown): 'given' | 'refused' | undefined
  /** Calls back when it is withdrawn in another tab, or was while this one slept. Returns the undo. */
  watch(prefix: string, onWithdrawn: () => void): () => void
}

/** The key of the visitor's press. */
export const RECORD = 'consent'
const WAKING = ['pageshow', 'resume', 'visibilitychange']

/** `said`: the page's option. The record of a visitor's press is the first thing that is ever stored. */
export function createConsent(store: KeyValue, byBff: boolean, said: unknown): Consent {
  let page = said
  /** Pressed in this panel: it holds where nothing can be stored, too. */
  let pressed = false
  /** A record was seen: where it is gone, somebody withdrew. */
  let recorded = false
  function isRecorded(): boolean {
    const is = store.get(RECORD) !== undefined
    recorded ||= is
    return is
  }
  isRecorded()
  const isAsked = () => byBff || page === 'required' || page === 'given' || page === 'refused'
  function holds(): boolean {
    if (!isAsked() || pressed) return true
    if (page === 'refused') return false
    return (page === 'given' && !byBff) || isRecorded()
  }
  return {
    isAsked,
    holds,
    give() {
      pressed = true
      if (page === 'refused') page = 'required'
      store.set(RECORD, new Date().toISOString())
      recorded = store.get(RECORD) !== undefined
    },
    withdraw() {
      pressed = false
      if (page === 'given') page = 'required'
      store.remove(RECORD)
      recorded = false
    },
    hear(next) {
      const before = holds()
      if (next !== page) page = next
      if (next === 'refused' && pressed) pressed = false
      const now = holds()
      if (before && !now) return 'refused'
      return !before && now ? 'given' : undefined
    },
    watch(prefix, onWithdrawn) {
      function lost(): void {
        pressed = false
        recorded = store.get(RECORD) !== undefined
        // The page's word is the echo of the visitor's, who has withdrawn it.
        if (page === 'given') page = 'required'
        if (!holds()) onWithdrawn()
      }
      // In a tab that sleeps, no event of the storage is heard.
      const check = () => {
        if (recorded && store.get(RECORD) === undefined) lost()
      }
      // On the way down, so that it comes before the chat wakes.
      for (const type of WAKING) window.addEventListener(type, check, true)
      const undo = listen(window, 'storage', (event) => {
        const { key, newValue } = event as StorageEvent
        if (key === prefix + RECORD && newValue === null) lost()
        else if (key === null) check()
      })
      return () => {
        for (const type of WAKING) window.removeEventListener(type, check, true)
        undo()
      }
    },
  }
}
