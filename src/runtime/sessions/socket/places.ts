// Tells the store which sockets of this process are silent, so that a handshake at any process can take their places, and closes those
// whose places were taken. Sockets that are heard cost no statement.
//
//   heard ──▶ silent for 150 s ──▶ its row says since when ──▶ heard again ──▶ its row says nothing
//                                       └─ a handshake removes the row ─▶ this process is told, or looks ─▶ 1013

import type { LogFailure } from '../../../api/index.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/index.ts'
import type { Hub } from '../hub.ts'
import { recordSilence, socketsWithoutPlace } from '../socket-store.ts'
import type { TransientEvents } from '../wire-event.ts'
import type { Presence } from './presence.ts'

/** A client sends heartbeats, at least one in a minute from a hidden page: this one has missed two. */
const SILENT_MS = 150_000
/** Limit for one statement. */
const MOST_CHANGES = 1_000

export interface Places {
  /** An open socket has its place. `taken`: another socket has it now. Returns the undo. */
  hold(socketId: string, taken: () => void): () => void
  /** A socket of this process, or of another one, has lost its place. */
  takenFrom(processId: string): void
  /** Records which sockets have become silent, and which are heard again. */
  sweep(): Promise<void>
  /** The rows of the sockets were written anew. */
  restored(): void
}

export type PlacesOptions = {
  database: Database
  hub: Hub
  presence: Presence
  transient: TransientEvents
  processId: string
  clock: Clock
  logFailure: LogFailure
}

const topicOf = (processId: string) => `places:${processId}`

export function createPlaces(options: PlacesOptions): Places {
  const { database, hub, presence, transient, processId, clock, logFailure } = options
  /** Open sockets by id, each with what closes it. */
  const held = new Map<string, () => void>()
  /** Sockets whose rows may be marked silent, with the recorded time; undefined while a write is unconfirmed. */
  const recorded = new Map<string, number | undefined>()

  function changes(): { id: string; since: number | undefined }[] {
    const silent = presence.silentSince(clock.now() - SILENT_MS)
    const heard = [...recorded.keys()].filter((id) => !silent.has(id)).map((id) => ({ id, since: undefined }))
    const fallen = [...silent]
      .filter(([id, since]) => held.has(id) && recorded.get(id) !== since)
      .map(([id, since]) => ({ id, since }))
    return [...heard, ...fallen].slice(0, MOST_CHANGES)
  }

  /** Closes the sockets whose rows are gone. Only those that a row may call silent can have lost their places. */
  async function look(): Promise<void> {
    if (recorded.size === 0) return
    for (const id of await socketsWithoutPlace(database, processId, [...recorded.keys()])) {
      const taken = held.get(id)
      forget(id)
      taken?.()
    }
  }
  function forget(id: string): void {
    held.delete(id)
    recorded.delete(id)
  }

  // Without an event too: something may have happened. The store alone says what.
  hub.subscribe(topicOf(processId), () => {
    look().catch((error: unknown) => logFailure('the places of sockets could not be read', error))
  })

  return {
    hold(socketId, taken) {
      held.set(socketId, taken)
      return () => forget(socketId)
    },
    takenFrom: (from) => hub.publish(topicOf(from), [transient.event('taken', {})]),
    async sweep() {
      const due = changes()
      if (due.length === 0) return
      // Known before it is stored, since a handshake may take the place at once.
      for (const { id } of due) recorded.set(id, undefined)
      const stored = new Set(await recordSilence(database, due))
      for (const { id, since } of due) {
        if (!stored.has(id) || !recorded.has(id)) continue
        if (since === undefined) recorded.delete(id)
        else recorded.set(id, since)
      }
      if (stored.size < due.length) await look()
    },
    restored() {
      for (const id of recorded.keys()) recorded.set(id, undefined)
    },
  }
}
