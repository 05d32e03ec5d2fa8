// Ends a chat and forgets what it stored, while nothing of it can be used any more.

import type { ChatController } from '../chat/chat-controller.ts'
import { type StoreName, storesWith, wipe } from '../chat/storage.ts'
import { SIGNED_OUT } from '../chat/stored-text.ts'
import { RECORD } from './consent.ts'

export type Departure = {
  isUnderWay(): boolean
  /** Whether something of a chat is stored. The mark of a sign-out stays: by it other tabs drop what they keep from before. */
  keepsAnything(): boolean
  /** Ends the chat, and forgets what it left in `stores`, which is asked for at the end. */
  begin(ending: ChatController | undefined, stores: () => readonly StoreName[]): void
}

export const ALL_STORES: readonly StoreName[] = ['localStorage', 'sessionStorage']

/** `prefix`: the beginning of all keys of the chat. `onLeft` is called once no chat is being forgotten. */
export function createDeparture(prefix: string, onLeft: () => void): Departure {
  let leaving: Promise<void> | undefined
  return {
    isUnderWay: () => leaving !== undefined,
    keepsAnything: () => storesWith(prefix, [SIGNED_OUT]).length > 0,
    begin(ending, stores) {
      const before = leaving
      const ended = ending?.logout().catch(() => {})
      ending?.undraw()
      const mine = Promise.all([ended, before]).then(() => {
        ending?.dispose()
        // Consent that is given meanwhile is for the next chat.
        wipe(stores(), prefix, [SIGNED_OUT, RECORD])
        if (leaving !== mine) return
        leaving = undefined
        onLeft()
      })
      leaving = mine
    },
  }
}
