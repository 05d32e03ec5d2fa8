// The domain event of a handoff: the agent hands a conversation to a live agent.

import type { DomainEvent } from '../domain-event.ts'
import type { LockedSession } from '../sessions/index.ts'
import type { HandoffDetails } from './agent.ts'

/** `queued`: the conversation waits in the handoff queue. Else the host page takes the user to one. */
export type HandedOff = { locked: LockedSession; details: HandoffDetails; queued: boolean }
export type HandedOffEvent = DomainEvent<HandedOff>
