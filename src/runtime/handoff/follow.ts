// Tells a live agent what happens in one conversation, whichever process stores it.

import type { LogFailure } from '../../api/index.ts'
import {
  eventsOf,
  type Hub,
  type Session,
  type Sessions,
  type Told,
  type WireEvent,
} from '../sessions/index.ts'

export type FollowOptions = {
  hub: Hub
  sessions: Sessions
  id: string
  /** The topics of the conversation. */
  topics: readonly string[]
  isOwn: (session: Session) => boolean
  listener: (events: readonly WireEvent[]) => void
  logFailure: LogFailure
}

/**
 * Calls back with the events of one conversation, in order. A call without events means that some may have been missed. Events wait until the
 * conversation is found, and are dropped if it belongs to another project.
 */
export function follow({
  hub,
  sessions,
  id,
  topics,
  isOwn,
  listener,
  logFailure,
}: FollowOptions): () => void {
  let following = true
  /** Up to here the listener has the stored events. */
  let known: number | undefined
  const failed = (error: Error): undefined => {
    logFailure('could not follow a conversation', error)
  }
  const found = sessions.find(id).catch(failed)
  let last: Promise<unknown> = found

  function deliver(events: readonly WireEvent[]): void {
    const fresh = events.filter(({ sequence }) => sequence === null || sequence > (known ?? 0))
    for (const { sequence } of fresh) known = Math.max(known ?? 0, sequence ?? 0)
    if (following && (fresh.length > 0 || events.length === 0)) listener(fresh)
  }

  async function hear(told: Told): Promise<void> {
    const session = await found
    if (!session || !isOwn(session)) return
    const events = eventsOf(told)
    const storedUpTo = 'storedUpTo' in told ? told.storedUpTo : undefined
    const [first = storedUpTo] = events.flatMap((event) => event.sequence ?? [])
    if (first === undefined) return deliver(events)
    known ??= Math.min(first, session.nextSequence) - 1
    // Another process has stored something.
    if (storedUpTo !== undefined || first > known + 1)
      for (let more = true; more && following; ) {
        const page = await sessions.replay(id, known)
        if (page.events.length > 0) deliver(page.events)
        more = page.more
      }
    if (events.length > 0) deliver(events)
  }

  const undo = topics.map((topic) =>
    hub.subscribe(topic, (told) => {
      last = last.then(() => hear(told)).catch(failed)
    }),
  )
  return () => {
    following = false
    for (const each of undo) each()
  }
}
