// Remembers when the clients of this process were last heard.

export interface Presence {
  heard(sessionId: string): void
  /** A socket of the session was closed. One that is still open is heard again with its next frame. */
  left(sessionId: string): void
  /** Milliseconds since 1970; undefined: never, or not by this process. */
  heardAt(sessionId: string): number | undefined
}

export function createPresence(now: () => number): Presence {
  const times = new Map<string, number>()
  return {
    heard: (sessionId) => void times.set(sessionId, now()),
    left: (sessionId) => void times.delete(sessionId),
    heardAt: (sessionId) => times.get(sessionId),
  }
}
