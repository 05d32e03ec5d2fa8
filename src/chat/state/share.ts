// Makes the option of `createChat` by which the tabs of a browser share one conversation.

import type { Channel, Locks, ShareTabs } from './model.ts'

export type ShareOptions = {
  /** Default: BroadcastChannel. */
  channel?: (name: string) => Channel
  /** Default: Web Locks, where the page has them. */
  locks?: Locks | undefined
}

/** For `createChat`: one conversation for all tabs of a browser. */
export const shareTabs = (options: ShareOptions = {}): ShareTabs => ({
  channel: options.channel ?? ((name) => new BroadcastChannel(name)),
  locks: 'locks' in options ? options.locks : globalThis.navigator?.locks,
})
