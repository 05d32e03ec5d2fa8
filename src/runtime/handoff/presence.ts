// Knows which users in the handoff queue still have their chat open.

import type { Clock } from '../clock.ts'
import type { Queries } from '../database/index.ts'
import type { Presence } from '../sessions/index.ts'
import { queuedSockets } from './store.ts'

/** In the foreground, in the background or asleep, or without a socket. */
export type Standing = 'here' | 'away' | 'gone'

/** A chat in the foreground sends a heartbeat every ten seconds. */
const AWAY_MS = 20_000

export interface QueuePresence {
  /** Undefined: a channel without sockets. */
  of(row: { conversation_id: string; channel: string; connected: boolean }): Standing | undefined
  /** Calls back if somebody in the queue came or went since the last sweep. */
  sweep(): Promise<void>
}

export type QueuePresenceOptions = { db: Queries; presence: Presence; clock: Clock; changed: () => void }

export function createQueuePresence({ db, presence, clock, changed }: QueuePresenceOptions): QueuePresence {
  let known = ''

  const of: QueuePresence['of'] = ({ conversation_id, channel, connected }) => {
    if (channel !== 'WEBCHAT') return undefined
    if (!connected) return 'gone'
    // A socket of another process counts as in the foreground.
    const heardAt = presence.heardAt(conversation_id)
    return heardAt !== undefined && clock.now() - heardAt > AWAY_MS ? 'away' : 'here'
  }

  return {
    of,
    async sweep() {
      const found = (await queuedSockets(db)).map((row) => `${row.conversation_id} ${of(row)}`).join()
      if (found === known) return
      known = found
      changed()
    },
  }
}
