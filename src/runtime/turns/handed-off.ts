// What turns and the desk know of each other: the domain event of a handoff, and who is there to take it.

import type { DomainEvent } from '../domain-event.ts'
import type { LockedSession } from '../sessions/index.ts'
import type { DeskState, HandoffDetails } from './agent.ts'

/** `queued`: the conversation waits in the handoff queue. Else the host page takes the user to one. */
export type HandedOff = { locked: LockedSession; details: HandoffDetails; queued: boolean }
export type HandedOffEvent = DomainEvent<HandedOff>

/** What turns ask of the desk of a project. */
export type DeskPresence = {
  state(projectId: string): Promise<DeskState | undefined>
  /** The words that refuse a handoff, since nobody is there. */
  refusal(projectId: string): Promise<string | undefined>
}
