// Sends the next frame over the open connection, one after the other, and asks the site about held messages.

import { nextFrame } from '../outbox/next.ts'
import { isConnected } from '../session/timers.ts'
import type { ChatOptions, Clock } from '../state/model.ts'
import type { Connection } from './connect.ts'
import type { Effect, Loop } from './loop.ts'

export const converseEffect =
  (loop: Loop, connection: Connection, clock: Clock, uuid: () => string): Effect =>
  (_, after) => {
    const next = isConnected(after) ? nextFrame(after, clock.now(), uuid) : undefined
    // A closing socket reports its end itself; an unsent frame stays next.
    if (next && connection.send(next.frame)) loop.note(next.noted)
  }

/** Asks the site about each held message once, one after the other. */
export const reviewEffect =
  (loop: Loop, allows: NonNullable<ChatOptions['beforeSend']>): Effect =>
  (_, { session, outbox }) => {
    const next = outbox.find((item) => item.state === 'held' && !item.asked && !item.unclaimed)
    if (!next || session.name === 'idle' || session.name === 'disposed') return
    const { id, text } = next
    loop.note({ type: 'asked', id })
    // It may throw, or answer without a promise.
    new Promise<boolean>((answer) => answer(allows({ id, text })))
      .catch(() => true)
      .then((allowed) => loop.dispatch({ type: allowed ? 'released' : 'discard', id }))
  }
