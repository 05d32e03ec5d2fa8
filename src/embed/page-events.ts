// Defines the events that a page gets from its chat. docs/page-events.md lists them.

import type { ChatEvents, Role, WireNote } from '../chat/index.ts'

type FieldOf<T> = T extends unknown ? keyof T & string : never
type ValueOf<T, F> = T extends unknown ? (F extends keyof T ? T[F] : never) : never
/** The BFF decides which fields are exposed (`expose`), so any of them may be missing. */
type Heard<T> = { readonly [F in FieldOf<T>]?: ValueOf<T, F> }

/** The fields of every event. `time`: milliseconds since 1970. `version`: grows when the fields of events change, now 1; it is not the release. */
type Stamp = { readonly id: string; readonly time: number; readonly version: number }

/** The events of a chat, by type. Each has the fields of a `Stamp` too. Any other field may be missing: the BFF decides which ones the page gets. */
export type PageEvents = { readonly [E in keyof ChatEvents]: Heard<ChatEvents[E]> & Stamp } & {
  /** The launcher is on the page. */
  readonly ready: Stamp
  /** The panel opened. */
  readonly open: Stamp
  /** The panel closed. */
  readonly close: Stamp
  /**
   * The panel is about to open; not told while it is only prepared. `preventDefault` on the DOM event keeps the panel closed, and so does
   * `close()`: neither `open` nor `close` follows then.
   */
  readonly 'before-open': Stamp
  /** The visitor gave consent (`given` is true), or refused or withdrew it. */
  readonly consent: { readonly given?: boolean } & Stamp
  /**
   * A message of the visitor is about to be sent. Told where the BFF exposes messages, and without a frame. Cancelled like `before-open`, it
   * is not sent, and its text is back in the message field.
   */
  readonly 'before-send': { readonly text?: string; readonly length?: number } & Stamp
  /**
   * A message of the agent is about to be shown: told without a frame only, for a streamed answer at its first words and once it is
   * complete. Cancelled like `before-open`, it is not shown.
   */
  readonly 'before-receive': {
    readonly message_id?: string
    readonly role?: Role
    readonly text?: string
    readonly length?: number
    readonly complete?: boolean
  } & Stamp
  /** The chat was taken off the page. */
  readonly destroy: Stamp
  /** For developer tools, if the BFF exposes the wire. */
  readonly wire: Heard<WireNote> & Stamp
}

/** The types of events. */
export type PageEventType = keyof PageEvents

/** A function that is called with the fields of each event of a type. */
export type Listener<T extends PageEventType = PageEventType> = (detail: PageEvents[T]) => void
