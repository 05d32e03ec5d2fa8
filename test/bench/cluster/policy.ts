// Drives the engine's session table for a client that has nothing but a connection: when it connects again is decided there.

import { next } from '../../../src/chat/session/table.ts'
import type { Session, SessionEvent } from '../../../src/chat/state/session.ts'

export type Policy = {
  /** The connection opened, and its replay is over. */
  live(now: number): void
  /** The connection was lost, or an attempt failed. Returns when the next attempt is due. */
  lost(now: number, code: number): number
  /** The next attempt begins. */
  attempt(now: number): void
}

let runs = 0

export function createPolicy(random: () => number = Math.random): Policy {
  let session: Session = { name: 'idle', sessionId: 'session' }
  const apply = (now: number, event: SessionEvent) => {
    session = next(session, event, {
      now,
      random: random(),
      run: ++runs,
      visible: true,
      mostAttempts: Number.POSITIVE_INFINITY,
      mayRenew: true,
      idledOut: false,
      queued: false,
      sent: false,
      incomplete: false,
      other: undefined,
    })
  }
  /** The attempt that an event is about. */
  const run = () => ('run' in session ? session.run : -1)
  /** The token is known, so that a session is entered without a request. */
  const enter = (now: number) => apply(now, { type: 'entered', run: run(), sessionId: 'session' })

  return {
    live(now) {
      if (session.name === 'idle') {
        apply(now, { type: 'open' })
        enter(now)
      }
      apply(now, { type: 'opened', run: run() })
      apply(now, { type: 'replayed', unproven: false })
    },
    lost(now, code) {
      apply(now, { type: 'closed', run: run(), code })
      if (session.name !== 'waiting') throw new Error(`After code ${code} the client is ${session.name}`)
      return session.until
    },
    attempt(now) {
      apply(now, { type: 'due' })
      enter(now)
    },
  }
}
