// Makes the option of `createChat` by which the tabs of a browser share one conversation.

import type { Channel, Locks, ShareTabs } from './model.ts'

/** The options of `shareTabs`. */
export type ShareOptions = {
  /** Opens the channel by which the tabs talk. Default: BroadcastChannel. */
  channel?: (name: string) => Channel
  /** Decide which tab acts for all. `undefined`: no locks, and two tabs may each begin a conversation. Default: Web Locks, where the page has them. */
  locks?: Locks | undefined
}

/** For the option `tabs` of `createChat`: one conversation for all tabs of a browser. */
export const shareTabs = (options: ShareOptions = {}): ShareTabs => ({
  channel: options.channel ?? ((name) => new BroadcastChannel(name)),
  locks: 'locks' in options ? options.locks : globalThis.navigator?.locks,
})
