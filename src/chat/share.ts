// Shares a conversation among tabs. Its code is loaded at the first contact.

import type { Channel, Locks } from './channel.ts'
import type { SharedTabs } from './tabs.ts'
import type { ShareTabs } from './transport.ts'

export type ShareOptions = {
  /** Default: BroadcastChannel. */
  channel?: (name: string) => Channel
  /** Default: Web Locks where the browser has them, else a lease in the storage that all tabs share. */
  locks?: Locks | 'lease' | undefined
}

/**
 * For `createChat`: one conversation and one socket for all tabs of a browser. If its code cannot be loaded, the tab has
 * its own.
 */
export const shareTabs =
  (options: ShareOptions = {}): ShareTabs =>
  (seat) => {
    let tabs: SharedTabs | undefined
    let loading: Promise<void> | undefined
    const load = () =>
      import('./tabs.ts').then(
        ({ createTabs }) => {
          tabs = createTabs(seat, options)
        },
        () => {},
      )
    const transport = () => tabs?.transport ?? seat.direct
    return {
      transport: {
        async enter(ask, signal) {
          loading ??= load()
          await loading
          return transport().enter(ask, signal)
        },
        open: (sessionId, cursor, listener) => transport().open(sessionId, cursor, listener),
      },
      follows: () => tabs?.follows() ?? false,
      heard: (text, frame) => tabs?.heard(text, frame) ?? frame,
      sentAfter: () => tabs?.sentAfter() ?? Number.POSITIVE_INFINITY,
      changed: (after) => tabs?.changed(after),
      leave: () => tabs?.leave(),
      end: (sessionId, told) => tabs?.end(sessionId, told) ?? false,
      sayLate: (sessionId, id, text) => tabs?.sayLate(sessionId, id, text) ?? false,
      /** Also from a tab that has not entered, or is suspended: another one may show the conversation. */
      logout(mark) {
        try {
          const channel = options.channel?.(seat.name) ?? new BroadcastChannel(seat.name)
          channel.postMessage({ type: 'logout', mark, from: seat.id })
          channel.close()
        } catch {
          // Without a channel the other tabs read the mark in the storage once they are visible.
        }
      },
    }
  }
