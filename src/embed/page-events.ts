// Defines the events that a page gets from its chat. docs/page-api.md says when each is dispatched.

import type { ChatEvents, Role, WireNote } from '../chat/index.ts'

type FieldOf<T> = T extends unknown ? keyof T & string : never
type ValueOf<T, F> = T extends unknown ? (F extends keyof T ? T[F] : never) : never
/** The BFF decides which fields are exposed (`expose`), so any of them may be missing. */
type Heard<T> = { readonly [F in FieldOf<T>]?: ValueOf<T, F> }

/** The fields of every event. `time`: milliseconds since 1970. `version`: of these fields, not of the release. */
type Stamp = { readonly id: string; readonly time: number; readonly version: number }

export type PageEvents = { readonly [E in keyof ChatEvents]: Heard<ChatEvents[E]> & Stamp } & {
  readonly ready: Stamp
  readonly open: Stamp
  readonly close: Stamp
  /** Dispatched before the panel opens; `preventDefault` on the DOM event keeps it closed. */
  readonly 'before-open': Stamp
  /** The visitor agreed, or withdrew. */
  readonly consent: { readonly given?: boolean } & Stamp
  /** Told before a message of the visitor is sent, where messages are exposed; can be cancelled like `before-open`. */
  readonly 'before-send': { readonly text?: string; readonly length?: number } & Stamp
  /**
   * Told when a message of the agent is first shown and when it is complete, without a frame; cancelled, it is not shown.
   */
  readonly 'before-receive': {
    readonly message_id?: string
    readonly role?: Role
    readonly text?: string
    readonly length?: number
    readonly complete?: boolean
  } & Stamp
  readonly destroy: Stamp
  /** For developer tools, if the BFF exposes the wire. */
  readonly wire: Heard<WireNote> & Stamp
}

export type PageEventType = keyof PageEvents

export type Listener<T extends PageEventType = PageEventType> = (detail: PageEvents[T]) => void
