// Knows which users in the handoff queue still have their chat open.

import type { Clock } from '../clock.ts'
import type { Queries } from '../database/index.ts'
import { type Presence, recordAway } from '../sessions/index.ts'
import { ownQueuedSockets, type QueuedSockets, queuedSockets } from './store.ts'

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
  of(
    row: Pick<QueuedSockets, 'conversation_id' | 'channel' | 'connected' | 'here_elsewhere'>,
  ): UserPresence | undefined
  /** Calls back for each project whose queue is watched here, and in which a user came or went since the last sweep. */
  sweep(): Promise<void>
}

export type QueuePresenceOptions = {
  db: Queries
  processId: string
  presence: Presence
  clock: Clock
  /** The longest that a connected client is silent. */
  heartbeatSeconds: number
  /** The projects whose queues somebody watches at this process. */
  watched: () => readonly string[]
  changed: (projectId: string) => void
}

export function createQueuePresence(options: QueuePresenceOptions): QueuePresence {
  const { db, processId, presence, clock, heartbeatSeconds, watched, changed } = options
  const awayAfter = MISSED * heartbeatSeconds * 1000 + SLACK_MS
  let known = new Map<string, string>()

  /** Whether the user's sockets at this process are silent; undefined: it has none. */
  function isSilent(conversationId: string): boolean | undefined {
    const heardAt = presence.heardAt(conversationId)
    return heardAt === undefined ? undefined : clock.now() - heardAt > awayAfter
  }

  const of: QueuePresence['of'] = ({ conversation_id, channel, connected, here_elsewhere }) => {
    if (channel !== 'WEBCHAT') return undefined
    if (!connected) return 'gone'
    return here_elsewhere || isSilent(conversation_id) === false ? 'here' : 'away'
  }

  return {
    of,
    async sweep() {
      // Other processes learn of it here: only the process with a socket receives its heartbeats.
      const own = await ownQueuedSockets(db, processId)
      for (const away of [true, false]) {
        const ids = own
          .filter((recorded) => recorded.away !== away)
          .map(({ conversation_id: id }) => id)
          .filter((id) => isSilent(id) === away)
        if (ids.length > 0) await recordAway(db, processId, ids, away)
      }
      const projectIds = watched()
      const rows = projectIds.length > 0 ? await queuedSockets(db, processId, projectIds) : []
      const presences = new Map<string, string>()
      for (const row of rows) {
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
