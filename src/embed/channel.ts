// Defines the messages between page and panel over one MessagePort. The page sends looks and the visitor's wishes, the panel
// sends what happened. Both sides check types and ignore unknown messages, so that an older loader works with a newer panel.

import type { Details } from './options.ts'

export const CHANNEL_VERSION = 1

/** How the panel is to look. From the page: presentation only. */
export type Looks = { [K in keyof Details]?: unknown } & {
  locale?: string | undefined
  theme?: 'light' | 'dark' | undefined
  accent?: string | undefined
  showHeader?: boolean | undefined
  notify?: unknown
  phone?: boolean | undefined
  /** False if no launcher can open it again. */
  closable?: boolean | undefined
  /** True if the panel covers the page. */
  modal?: boolean | undefined
  /** Whether the visitor has made the panel wider; undefined where it cannot be. */
  expanded?: boolean | undefined
}

/** The data that the panel needs to start. */
export type Start = {
  connector?: string | undefined
  platform?: string | undefined
  streaming?: boolean | undefined
  /** The page requests the wire log. */
  tools?: boolean | undefined
  /** The page answers whatever it is asked, however long that takes. */
  answers?: boolean | undefined
} & Looks

/** What the QA page can do to the frames of the sockets that the chat opens from then on. The tool `whole` ends it. */
export const FAULTS = ['slow', 'lost', 'doubled'] as const
export type Fault = (typeof FAULTS)[number]
export type Tool = 'cut' | 'offline' | 'online' | 'whole' | Fault

export type ToPanel =
  /**
   * `focus`: the visitor opened it, so the composer takes the focus; on phones, where that would raise the
   * keyboard over the conversation, the `panel` itself. Not before the panel has said `ready`, and if the visitor has not gone elsewhere.
   */
  | { type: 'show'; shown: boolean; focus?: boolean | 'panel' }
  | { type: 'looks'; looks: Looks }
  /** The page's answer to what it was asked: whether it allows it, or where the panel is. */
  | { type: 'answer'; id: number; allowed: boolean; page?: { url: string; title: string } }
  | { type: 'send'; text: string }
  | { type: 'draft'; text: string }
  /** Pressed on the frame's element, where the browser gives the frame no keys. */
  | { type: 'key'; key: string }
  | { type: 'restart' }
  | { type: 'end' }
  | { type: 'logout' }
  | { type: 'tool'; name: Tool }

export type ToPage =
  | { type: 'ready' }
  /** The visitor closed the panel from inside. */
  | { type: 'close' }
  /** The visitor makes the panel wider, or as it was. */
  | { type: 'expand'; expanded: boolean }
  /** Whether there is a conversation that a next page should carry on. */
  | { type: 'live'; live: boolean }
  /** Whether this may happen, where the page may hear of it. `page`: where the panel is, which an older loader does not tell. */
  | { type: 'ask'; id: number; name: string; detail: Record<string, unknown> }
  | { type: 'fact'; name: string; detail: Record<string, unknown> }

/** Undefined if it is not a message. The receiver's switch ignores unknown types. */
export function readMessage<T extends { type: string }>(data: unknown): T | undefined {
  return typeof data === 'object' && data !== null && typeof (data as T).type === 'string'
    ? (data as T)
    : undefined
}

export const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
