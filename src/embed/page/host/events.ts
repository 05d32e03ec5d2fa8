// Dispatches the events of a chat on its element, where the page hears them too.

import { CHANNEL_VERSION } from '../../channel.ts'
import type { Listener, PageEventType } from '../../page-events.ts'

export type PageEventTarget = {
  /** False if it was one `before-…` and a listener cancelled it. */
  tell(type: string, facts?: object): boolean
  /** Returns the undo. */
  on<T extends PageEventType>(type: T, listener: Listener<T>): () => void
}

export function createPageEvents(element: HTMLElement): PageEventTarget {
  let count = 0
  return {
    tell: (type, facts) =>
      element.dispatchEvent(
        new CustomEvent(`foyer-${type}`, {
          detail: { ...facts, id: `${type}-${++count}`, time: Date.now(), version: CHANNEL_VERSION },
          bubbles: true,
          cancelable: type.startsWith('before-'),
        }),
      ),
    on(type, listener) {
      const hear = (event: Event & { detail?: unknown }) => listener(event.detail as never)
      element.addEventListener(`foyer-${type}`, hear)
      return () => element.removeEventListener(`foyer-${type}`, hear)
    },
  }
}
