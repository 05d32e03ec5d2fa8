// Remembers when the clients of this process were last heard.

export interface Presence {
  heard(sessionId: string): void
  /** A socket of the session has closed. A socket that is still open is heard again with its next frame. */
  left(sessionId: string): void
  /** When this process last heard the session, in milliseconds since 1970; undefined if never. */
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
