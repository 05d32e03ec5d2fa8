// Ends a session once, with a reason, and notifies its subscribers.

import { cancelConfirm } from './decision.ts'
import type { LockedSession } from './locked-session.ts'
import type { NewEvent } from './state/session.ts'

export type EndReason = 'REASON_USER_END' | 'REASON_NATURAL_END' | 'REASON_USER_ABANDONED'

/** Ends an active session. `before`: events that come right before its end. */
export async function endSession(
  locked: LockedSession,
  reason: EndReason,
  before: readonly NewEvent[] = [],
): Promise<void> {
  const { mode } = locked.session
  cancelConfirm(locked)
  locked.end()
  // Every input counts as answered. The carrier's data is dropped, since it is not part of the log.
  locked.move('ended')
  locked.change({ attributes: {}, answered: locked.session.nextSequence })
  for (const event of before) locked.append(event)
  locked.append({ type: 'EVENT_TYPE_SESSION_END', payload: { reason } })
  await locked.events.sessionEnded.publish({ locked, mode })
}
