// Publishes the events of sessions to listeners. It is an interface, so that several processes can share one later:
// stored events are committed before they are published, and a listener that misses one finds it in the store.

/** One event as it goes over the wire. */
export type WireEvent = {
  type: string
  payload: Record<string, unknown>
  /** Null: transient, not stored. */
  sequence: number | null
  id: string
  timestamp: string
  metadata?: { custom: Record<string, string> }
  first_sequence?: number
}

export interface Hub {
  publish(sessionId: string, events: readonly WireEvent[]): void
  /** Calls back with each publication for the session, in order; returns the undo. */
  subscribe(sessionId: string, listener: (events: readonly WireEvent[]) => void): () => void
}

/** The hub of a single process. A listener that throws stops neither the other listeners nor the publisher. */
export function createHub(failed: (error: unknown) => void = () => {}): Hub {
  const listeners = new Map<string, Set<(events: readonly WireEvent[]) => void>>()
  return {
    publish(sessionId, events) {
      for (const listener of listeners.get(sessionId) ?? []) {
        try {
          listener(events)
        } catch (error) {
          failed(error)
        }
      }
    },
    subscribe(sessionId, listener) {
      const sessionListeners = listeners.get(sessionId) ?? new Set()
      listeners.set(sessionId, sessionListeners)
      sessionListeners.add(listener)
      return () => {
        sessionListeners.delete(listener)
        if (sessionListeners.size === 0 && listeners.get(sessionId) === sessionListeners)
          listeners.delete(sessionId)
      }
    },
  }
}
