// Defines the events that a page gets from its chat. docs/page-api.md says when each is dispatched.

import type { ChatEvents, WireNote } from '../chat/index.ts'

type FieldOf<T> = T extends unknown ? keyof T & string : never
type ValueOf<T, F> = T extends unknown ? (F extends keyof T ? T[F] : never) : never
/** The BFF decides which fields are exposed (`expose`), so any of them may be missing. */
type Heard<T> = { readonly [F in FieldOf<T>]?: ValueOf<T, F> }

/** The fields of every event. `time`: milliseconds since 1970. */
type Stamp = { readonly id: string; readonly time: number; readonly version: number }

export type PageEvents = { readonly [E in keyof ChatEvents]: Heard<ChatEvents[E]> & Stamp } & {
  readonly ready: Stamp
  readonly open: Stamp
  readonly close: Stamp
  /** Dispatched before the panel opens; `preventDefault` on the DOM event keeps it closed. */
  readonly 'before-open': Stamp
  readonly destroy: Stamp
  /** For developer tools, if the BFF exposes the wire. */
  readonly wire: Heard<WireNote> & Stamp
}

export type PageEventType = keyof PageEvents

export type Listener<T extends PageEventType = PageEventType> = (detail: PageEvents[T]) => void
