// Defines the transport between engine and service: an own token and socket, or another tab.

import type { Frame } from '../protocol/index.ts'
import type { Entered } from './access/access.ts'
import type { Event } from './reduce.ts'
import type { Socket, SocketListener } from './socket/socket.ts'
import type { Clock, DividerEntry, KeyValue } from './state/model.ts'
import type { State } from './state/state.ts'

/**
 * `session`: the one to resume; undefined: a new one, after the session `left`. `own`: the one that this tab shows, whose rest
 * another tab may know. `over`: sessions that ended in this tab. `asked`: the visitor waits for it.
 */
export type Ask = {
  session: string | undefined
  own: string | undefined
  left: string | undefined
  over: readonly string[]
  prove: boolean
  asked: boolean
}

/**
 * `reason`: why the session that was asked for is another one now, where another tab knows it; `history`: a batch of
 * what it heard of that session.
 */
export type Admitted = Entered & {
  reason?: DividerEntry['reason'] | undefined
  history?: string | undefined
}

export interface Transport {
  /** Makes a session usable. Rejects with an AccessError. */
  enter(ask: Ask, signal: AbortSignal): Promise<Admitted>
  /** Opens a socket for a session that was entered. */
  open(sessionId: string, cursor: number, listener: SocketListener): Socket
}

/** The part of an engine that other tabs use. */
export type Seat = {
  /** Identical in all tabs that share a conversation. */
  name: string
  /** The id of this tab, never used before. */
  id: string
  /** The storage that all tabs of the browser share. */
  store: KeyValue
  clock: Clock
  direct: Transport
  state(): State
  /** The browser's current session, as stored by the last tab that entered one. */
  current(): string | undefined
  /** Stores the browser's current session. */
  remember(session: string): void
  dispatch(event: Event): void
  /** Sends a frame over this tab's own socket. False if it is not open. */
  forward(text: string): boolean
  /**
   * Sends a frame (undefined: the visitor's end) in a session that is over for another tab; calls back once the service knows,
   * or cannot be told. `id`: of the frame, so that no frame is sent twice at a time.
   */
  sayFor(id: string, sessionId: string, text: string | undefined, told: () => void): void
  /** Called when the visitor signed out in another tab. Each sign-out has its own mark. */
  logout(mark: string): void
}

export interface Tabs {
  readonly transport: Transport
  /** Whether another tab speaks to the service for this one. */
  follows(): boolean
  /** Called with each frame before the engine handles it. The engine handles the returned frame. */
  heard(text: string, frame: Frame): Frame
  changed(after: State): void
  /** The session that another tab waits to go on in, none of `over`; undefined: none. */
  wanted(over: ReadonlySet<string>): string | undefined
  /** Lets the other tabs know of this one, as before the first contact. */
  join(): void
  /** Called when the page is left or frozen: another tab may own the socket. */
  leave(): void
  /** Has the owner of the socket end the session; calls back once the service knows. False: no other tab owns it. */
  end(sessionId: string, told: () => void): boolean
  /** Has the owner of the socket send a rating in an ended session, as `end` does. False: no other tab owns it. */
  sayLate(sessionId: string, id: string, text: string, told: () => void): boolean
  logout(mark: string): void
}

export type ShareTabs = (seat: Seat) => Tabs
