// Knows which users in the handoff queue still have their chat open.

import type { Clock } from '../clock.ts'
import type { Queries } from '../database/index.ts'
import type { Presence } from '../sessions/index.ts'
import { queuedSockets } from './store.ts'

/**
 * `here`: heartbeats arrive in time. `away`: the client is silent (asleep, frozen in the background, or without a network).
 * `gone`: the chat has no socket. No event says whether the user looks at the chat.
 */
export type UserPresence = 'here' | 'away' | 'gone'

/** Heartbeats that may be missing: browsers slow the timers of hidden pages down to one in a minute. */
const MISSED = 2
/** Milliseconds that a heartbeat may take to arrive. */
const SLACK_MS = 10_000

export interface QueuePresence {
  /** Undefined: a channel without sockets. */
  of(row: { conversation_id: string; channel: string; connected: boolean }): UserPresence | undefined
  /** Calls back for each project in whose queue a user came or went since the last sweep. */
  sweep(): Promise<void>
}

export type QueuePresenceOptions = {
  db: Queries
  presence: Presence
  clock: Clock
  /** The longest that a connected client is silent. */
  heartbeatSeconds: number
  changed: (projectId: string) => void
}

export function createQueuePresence(options: QueuePresenceOptions): QueuePresence {
  const { db, presence, clock, heartbeatSeconds, changed } = options
  const awayAfter = MISSED * heartbeatSeconds * 1000 + SLACK_MS
  let known = new Map<string, string>()

  const of: QueuePresence['of'] = ({ conversation_id, channel, connected }) => {
    if (channel !== 'WEBCHAT') return undefined
    if (!connected) return 'gone'
    // Only the process with the user's socket receives the heartbeats; other processes assume `here`.
    const heardAt = presence.heardAt(conversation_id)
    return heardAt !== undefined && clock.now() - heardAt > awayAfter ? 'away' : 'here'
  }

  return {
    of,
    async sweep() {
      const presences = new Map<string, string>()
      for (const row of await queuedSockets(db)) {
        const others = presences.get(row.project_id) ?? ''
        presences.set(row.project_id, `${others}${row.conversation_id} ${of(row)},`)
      }
      const before = known
      known = presences
      for (const projectId of new Set([...before.keys(), ...presences.keys()]))
        if (before.get(projectId) !== presences.get(projectId)) changed(projectId)
    },
  }
}
