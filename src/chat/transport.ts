// The way from the engine to the service: by a token and a socket of its own, or through another tab.

import type { Frame } from '../protocol/index.ts'
import type { Entered } from './access.ts'
import type { Clock, DividerEntry, KeyValue } from './model.ts'
import type { Event } from './reduce.ts'
import type { Socket, SocketListener } from './socket.ts'
import type { State } from './state.ts'

/** `session`: the one to come back to; undefined: a new one, after `left` was left. `asked`: the visitor wants it now. */
export type Ask = { session: string | undefined; left: string | undefined; prove: boolean; asked: boolean }

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

/** What an engine lends to the tabs it shares its conversation with. */
export type Seat = {
  /** The same in all tabs that share a conversation. */
  name: string
  /** This tab's, never used before. */
  id: string
  /** What all tabs of the browser share. */
  store: KeyValue
  clock: Clock
  direct: Transport
  state(): State
  /** The session that the browser is in, as the last tab that entered one stored it. */
  current(): string | undefined
  dispatch(event: Event): void
  /** Says something over this tab's own socket; false: it is not open. */
  forward(text: string): boolean
  /** Another tab's visitor signed out; each time has a mark of its own. */
  logout(mark: string): void
}

export interface Tabs {
  readonly transport: Transport
  /** Whether another tab speaks to the service for this one. */
  follows(): boolean
  /** A frame came, and is about to be taken in: as it is returned. */
  heard(text: string, frame: Frame): Frame
  changed(after: State): void
  /** The page is being left or frozen: another tab may own the socket. */
  leave(): void
  /** Has the owner of the socket end the session; calls back once the service knows. False: no other tab owns it. */
  end(sessionId: string, told: () => void): boolean
  logout(mark: string): void
}

export type ShareTabs = (seat: Seat) => Tabs
