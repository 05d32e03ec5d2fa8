// Remembers when the clients of this process were last heard, by each of their sockets.

export interface Presence {
  /** A socket of the session has opened. */
  opened(sessionId: string): SocketPresence
  /** When this process last heard an open socket of the session, in milliseconds since 1970; undefined: it has none here. */
  heardAt(sessionId: string): number | undefined
}

export interface SocketPresence {
  heard(): void
  closed(): void
}

export function createPresence(now: () => number): Presence {
  /** By session: when each of its open sockets was last heard. */
  const sessions = new Map<string, Map<SocketPresence, number>>()
  return {
    opened(sessionId) {
      const times = sessions.get(sessionId) ?? new Map<SocketPresence, number>()
      sessions.set(sessionId, times)
      const socket: SocketPresence = {
        heard() {
          if (times.has(socket)) times.set(socket, now())
        },
        closed() {
          times.delete(socket)
          if (times.size === 0 && sessions.get(sessionId) === times) sessions.delete(sessionId)
        },
      }
      times.set(socket, now())
      return socket
    },
    heardAt(sessionId) {
      const times = sessions.get(sessionId)
      return times && Math.max(...times.values())
    },
  }
}
