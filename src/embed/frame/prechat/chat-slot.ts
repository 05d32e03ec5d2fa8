// Holds the panel's chat. Ends a chat and forgets what it stored, while nothing of it can be used any more.

import type { ChatController } from '../chat/chat-controller.ts'
import { type StoreName, storesWith, wipe } from '../chat/storage.ts'
import { SIGNED_OUT } from '../chat/stored-text.ts'
import { type Consent, RECORD } from './consent.ts'

export type ChatSlot = {
  /** Undefined before the visitor agreed, and while an earlier chat is being forgotten. */
  chat(): ChatController | undefined
  /** Creates the chat where it may be, and is not yet. */
  fill(): ChatController | undefined
  /** Takes the chat away, which stays stored. */
  empty(): void
  /** A chat is being forgotten. */
  isLeaving(): boolean
  /** Whether something of a chat is stored. The mark of a sign-out stays: by it other tabs drop what they keep from before. */
  keepsAnything(): boolean
  /**
   * Ends the chat, and forgets what is left of it in `stores`, which is asked for at the end. `keeps`: a chat of an earlier page is stored, and
   * has to be created to be ended. Default: as it is now.
   */
  leave(stores: () => readonly StoreName[], keeps?: boolean): void
}

export const ALL_STORES: readonly StoreName[] = ['localStorage', 'sessionStorage']

/** `prefix`: the beginning of all keys of the chat. `onLeft` is called once no chat is being forgotten. */
export function createChatSlot(
  prefix: string,
  consent: Consent,
  create: () => ChatController,
  onLeft: () => void,
): ChatSlot {
  let chat: ChatController | undefined
  let leaving: Promise<void> | undefined
  const keepsAnything = () => storesWith(prefix, [SIGNED_OUT]).length > 0
  return {
    chat: () => chat,
    fill() {
      if (consent.holds() && leaving === undefined) chat ??= create()
      return chat
    },
    empty() {
      chat?.dispose()
      chat = undefined
    },
    isLeaving: () => leaving !== undefined,
    keepsAnything,
    leave(stores, keeps = keepsAnything()) {
      const before = leaving
      const ending = chat ?? (keeps ? create() : undefined)
      chat = undefined
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
