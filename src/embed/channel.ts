// What the page and the panel say to each other, over one MessagePort. The page says how things look and
// what the visitor wants; the panel says what happened. Neither side believes the other: types are checked,
// and what is not known is ignored, so that an older loader works with a newer panel.

import type { Details } from './details.ts'

export const CHANNEL_VERSION = 1

/** How the panel is to look. From the page: presentation only. */
export type Looks = { [K in keyof Details]?: unknown } & {
  locale?: string | undefined
  theme?: 'light' | 'dark' | undefined
  accent?: string | undefined
  showHeader?: boolean | undefined
  phone?: boolean | undefined
  /** False where there is no launcher to open it again. */
  closable?: boolean | undefined
  /** Nothing of the page can be reached beside it. */
  modal?: boolean | undefined
}

/** What the panel needs to begin. */
export type Start = {
  connector?: string | undefined
  platform?: string | undefined
  streaming?: boolean | undefined
  /** The page asks for the log of the wire. */
  tools?: boolean | undefined
} & Looks

export type ToPanel =
  /**
   * `focus`: the visitor opened it, so the composer takes the focus; on phones, where that would raise the
   * keyboard over the conversation, the `panel` itself.
   */
  | { type: 'show'; shown: boolean; focus?: boolean | 'panel' }
  | { type: 'looks'; looks: Looks }
  /** The page's answer to what it was asked. */
  | { type: 'answer'; id: number; allowed: boolean }
  | { type: 'send'; text: string }
  | { type: 'draft'; text: string }
  | { type: 'restart' }
  | { type: 'end' }
  | { type: 'logout' }
  | { type: 'tool'; name: 'cut' | 'offline' | 'online' }

export type ToPage =
  | { type: 'ready' }
  /** The visitor closed the panel from inside. */
  | { type: 'close' }
  /** Whether there is a conversation that a next page should carry on. */
  | { type: 'live'; live: boolean }
  /** Whether this may happen, where the page may hear of it. */
  | { type: 'ask'; id: number; name: string; detail: Record<string, unknown> }
  | { type: 'fact'; name: string; detail: Record<string, unknown> }

/** The message, if it is one at all. The receiver's switch ignores types it does not know. */
export function readMessage<T extends { type: string }>(data: unknown): T | undefined {
  return typeof data === 'object' && data !== null && typeof (data as T).type === 'string'
    ? (data as T)
    : undefined
}

export const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
