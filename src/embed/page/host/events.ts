// Dispatches the events of a chat on its element, where the page hears them too.

import { CHANNEL_VERSION } from '../../channel.ts'
import type { Listener, PageEventType } from '../../page-events.ts'

export type PageEventTarget = {
  /** False if it was one `before-…` and a listener cancelled it. */
  tell(type: string, facts?: object): boolean
  /** Returns the undo. */
  on<T extends PageEventType>(type: T, listener: Listener<T>): () => void
}

/** `outer`: where the page hears them, if not at the chat's own element. */
export function createPageEvents(element: HTMLElement, outer = element): PageEventTarget {
  let count = 0
  return {
    tell(type, facts) {
      const detail = { ...facts, id: `${type}-${++count}`, time: Date.now(), version: CHANNEL_VERSION }
      const cancelable = type.startsWith('before-')
      const dispatch = (at: HTMLElement, bubbles: boolean) =>
        at.dispatchEvent(new CustomEvent(`foyer-${type}`, { detail, bubbles, composed: bubbles, cancelable }))
      return (outer === element || dispatch(element, false)) && dispatch(outer, true)
    },
    on(type, listener) {
      const hear = (event: Event & { detail?: unknown }) => listener(event.detail as never)
      element.addEventListener(`foyer-${type}`, hear)
      return () => element.removeEventListener(`foyer-${type}`, hear)
    },
  }
}
