// Remembers when the clients of this process were last heard, by each of their sockets.

export interface Presence {
  /** A socket of the session has opened. */
  opened(sessionId: string, socketId: string): SocketPresence
  /** When this process last heard an open socket of the session, in milliseconds since 1970; undefined: it has none here. */
  heardAt(sessionId: string): number | undefined
  /** The ids of the open sockets that were last heard before this time, each with when it was heard. */
  silentSince(time: number): Map<string, number>
}

export interface SocketPresence {
  heardAt(): number
  heard(): void
  closed(): void
}

export function createPresence(now: () => number): Presence {
  /** By session: when each of its open sockets was last heard. */
  const sessions = new Map<string, Map<string, number>>()
  return {
    opened(sessionId, socketId) {
      const times = sessions.get(sessionId) ?? new Map<string, number>()
      sessions.set(sessionId, times)
      let last = now()
      times.set(socketId, last)
      return {
        heardAt: () => last,
        heard() {
          last = now()
          if (times.has(socketId)) times.set(socketId, last)
        },
        closed() {
          times.delete(socketId)
          if (times.size === 0 && sessions.get(sessionId) === times) sessions.delete(sessionId)
        },
      }
    },
    heardAt(sessionId) {
      const times = sessions.get(sessionId)
      return times && Math.max(...times.values())
    },
    silentSince(time) {
      const silent = new Map<string, number>()
      for (const times of sessions.values())
        for (const [socketId, heardAt] of times) if (heardAt < time) silent.set(socketId, heardAt)
      return silent
    },
  }
}
