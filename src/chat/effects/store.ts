// Stores what a reload or another tab needs, and reads what other tabs have stored.

import type { Access } from '../access/access.ts'
import { isLookedAt } from '../session/timers.ts'
import type { Named, State } from '../state/state.ts'
import { callPage, type Effect, type Loop } from './loop.ts'
import type { Stored } from './stored.ts'

type Outer = {
  loop: Loop
  access: Access
  stored: Stored
  onSignedOut: (() => void) | undefined
}

export interface Storing {
  readonly changed: Effect
  /** Reads the last sign-out and the session of the other tabs: a page that was frozen, or has no channel, learns both from the store. */
  readAgain(): void
  /** False where the store keeps nothing: then tabs learn of each other only by the channel. */
  works(): boolean
  /** The session that the store names. */
  named(): Named | undefined
  /** Whether the service tells how a session stands, as its start said, to this page or to another one. */
  hasStatus(sessionId: string): boolean
}

const looks = (state: State): boolean => state.session.name === 'live' && isLookedAt(state)
const isOver = ({ session }: State): boolean => session.name === 'expired' || session.name === 'ended'

export function createStoring({ loop, access, stored, onSignedOut }: Outer): Storing {
  /** Deletes the token and the waiting messages, which belong to the person who signed out. */
  function forget({ signOuts }: State): void {
    access.drop()
    callPage(() => onSignedOut?.())
    stored.forgetOutbox([...signOuts].at(-1) ?? '')
  }

  /** Stores how far the visitor has read: once a second, and as the visitor stops looking or leaves the page. */
  function keepRead(before: State, after: State): void {
    const isTold = after.tabs.told.at !== before.tabs.told.at
    if (before.sessionId !== undefined && (isTold || (looks(before) && !looks(after))))
      stored.saveReadTo(before.sessionId, before.conversation.log.cursor)
  }

  return {
    changed(before, after) {
      keepRead(before, after)
      if (after.session.name === 'disposed') return
      if (after.outbox !== before.outbox) stored.saveOutbox(after.outbox)
      if (isOver(after) && after.session.name !== before.session.name) stored.forgetSession(after.sessionId)
      if (!isOver(after) && after.sessionId !== before.sessionId) {
        if (after.sessionId === undefined) stored.forgetSession(before.sessionId)
        else stored.saveSession(after.sessionId, access.markOf(after.sessionId))
      }
      const { sessionId, session } = after
      const { hasStatus } = after.conversation
      // Also with each connection: the store may have refused the write when the session's start came.
      const isNews =
        hasStatus !== before.conversation.hasStatus ||
        (session.name === 'live' && before.session.name !== 'live')
      if (isNews && sessionId !== undefined && hasStatus !== undefined) {
        stored.saveStatus(sessionId, hasStatus)
        if (hasStatus) access.noteStatus(sessionId)
      }
      if (after.signOuts !== before.signOuts) forget(after)
    },
    works: stored.isShared,
    named() {
      const session = stored.session()
      return session === undefined ? undefined : { session }
    },
    hasStatus(id) {
      const { sessionId, conversation } = loop.state.peek()
      return (
        (sessionId === id ? conversation.hasStatus : undefined) ??
        (stored.hasStatus(id) || access.hasStatus(id))
      )
    },
    readAgain() {
      const mark = stored.signedOut()
      if (mark !== undefined) loop.dispatch({ type: 'signed-out', mark })
      const named = stored.session()
      if (named !== undefined) loop.dispatch({ type: 'named', session: named })
    },
  }
}
