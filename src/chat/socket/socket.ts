// Opens one socket for one attempt. The only file that imports reconnecting-websocket, which opens the socket, times out a
// hanging handshake and listens; the session table decides whether and when to reconnect.
//
// Its traps: the queue is off, since ours is the only outbox; an instance is never reused, since it hangs after `close()`
// during a wait; retries are off, since it retries on every code; the address is a checked string, since an invalid one
// makes it hang; `debug` is off, since it would print the token.

import ReconnectingWebSocket from 'reconnecting-websocket'
import { CLOSE } from '../../protocol/index.ts'

const HANDSHAKE_TIMEOUT = 10_000

export interface Socket {
  /** False where the socket is not open: nothing is queued. */
  send(frame: string): boolean
  /** Closes the socket at once; the listener is not called any more. */
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
      // After an error the library reports a clean close (1000) of its own, recognised by its target; after a handshake that hung, with
      // this reason.
      const own = (event.target as unknown) === socket
      const failed = event.reason === 'timeout' ? CLOSE.networkLost : CLOSE.abnormal
      finish(own ? failed : event.code)
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
