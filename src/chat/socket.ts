// One socket, one attempt. The only file that knows reconnecting-websocket, which opens, times a hanging
// handshake out and listens; whether and when to come back is for the session table.
//
// Its edges, and how they are kept away: the queue is off (ours is the only outbox); an instance is never
// revived, since it wedges after `close()` inside a wait; retries are off, since it retries on every code;
// the address is a string that was checked before, since a bad one wedges it; `debug` would print the token.

import ReconnectingWebSocket from 'reconnecting-websocket'
import { CLOSE } from '../protocol/index.ts'

const HANDSHAKE_TIMEOUT = 10_000

export interface Socket {
  /** False where the socket is not open: nothing is queued. */
  send(frame: string): boolean
  /** Lets go of the socket at once; nothing is reported any more. */
  close(code: number): void
}

export type SocketListener = {
  opened(): void
  frame(text: string): void
  /** Once, at the end of the attempt or of the connection. */
  closed(code: number): void
}

export type OpenSocket = (url: string, listener: SocketListener) => Socket

/** Opens sockets of the given class (default: the browser's). */
export function socketOpener(WebSocketClass: unknown): OpenSocket {
  return (url, listener) => {
    const socket = new ReconnectingWebSocket(url, [], {
      WebSocket: WebSocketClass ?? globalThis.WebSocket,
      maxRetries: 0,
      maxEnqueuedMessages: 0,
      connectionTimeout: HANDSHAKE_TIMEOUT,
    })
    let over = false
    const finish = (code: number) => {
      if (over) return
      over = true
      listener.closed(code)
    }
    socket.addEventListener('open', () => {
      if (!over) listener.opened()
    })
    socket.addEventListener('message', (event) => {
      // Binary frames are not part of the protocol.
      if (!over && typeof event.data === 'string') listener.frame(event.data)
    })
    socket.addEventListener('close', (event) => {
      // After an error the library makes up a clean close of its own (1000), told by its target.
      const own = (event.target as unknown) === socket
      finish(own ? CLOSE.abnormal : event.code)
    })
    return {
      send(frame) {
        if (over || socket.readyState !== socket.OPEN) return false
        socket.send(frame)
        return true
      },
      close(code) {
        over = true
        socket.close(code)
      },
    }
  }
}
