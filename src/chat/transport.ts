// The way from the engine to the service: by a token and a socket of its own, or through another tab.

import type { Entered } from './access.ts'
import type { DividerEntry } from './model.ts'
import type { Socket, SocketListener } from './socket.ts'

/** `session`: the one to come back to; undefined: a new one, after `left` was left. */
export type Ask = { session: string | undefined; left: string | undefined; prove: boolean }

/** `reason`: why the session that was asked for is another one now, where another tab knows it. */
export type Admitted = Entered & { reason?: DividerEntry['reason'] | undefined }

export interface Transport {
  /** Makes a session usable. Rejects with an AccessError. */
  enter(ask: Ask, signal: AbortSignal): Promise<Admitted>
  /** Opens a socket for a session that was entered. */
  open(sessionId: string, cursor: number, listener: SocketListener): Socket
}
