// Claims turns and completes them, under the session's lock: one process answers each input, after all earlier inputs.

import {
  isActive,
  type LockedSession,
  nextInput,
  type SaidMessage,
  type Session,
  type StoredEvent,
} from '../sessions/index.ts'

/**
 * A turn that this process has claimed: the session as it was then, the input to answer, and the messages before it,
 * if they are known.
 */
export type Claim = { session: Session; input: StoredEvent; before?: readonly SaidMessage[] | undefined }

export const isJoin = (input: StoredEvent): boolean => input.type === 'EVENT_TYPE_REQUEST_POLY_AGENT_JOIN'

export interface Claims {
  /** Claims the next input, or the given one, which is stored in the same transaction. */
  claim(locked: LockedSession, input?: StoredEvent): Promise<Claim | undefined>
  /** True if this process still owns the turn, by this claim. */
  owns(locked: LockedSession, claim: Claim): boolean
  /** Ends a turn, and claims the next one. */
  complete(locked: LockedSession, inputSequence: number): Promise<Claim | undefined>
}

/** `mayClaim`: false once another process is to answer the session. */
export function createClaims(processId: string, mayClaim: (session: Session) => boolean): Claims {
  async function claim(locked: LockedSession, stored?: StoredEvent): Promise<Claim | undefined> {
    const { session } = locked
    if (!isActive(session) || session.turn || session.lastInput <= session.answered) return undefined
    if (session.mode !== 'agent') {
      // A live agent who is there reads it. Nobody may come: then the agent answers it.
      if (session.mode === 'desk') locked.change({ answered: session.lastInput })
      return undefined
    }
    if (!mayClaim(session)) return undefined
    const input = stored ?? (await nextInput(locked.tx, session.id, session.answered))
    if (!input) return undefined
    const turn = { owner: processId, inputSequence: input.sequence, shown: false, writes: 0 }
    locked.change({ turn, claims: session.claims + 1 })
    return { session: { ...session, conversation: { ...session.conversation } }, input }
  }

  return {
    claim,
    owns: ({ session }, claim) =>
      session.turn?.owner === processId && session.claims === claim.session.claims,
    complete(locked, inputSequence) {
      locked.change({ turn: undefined, answered: Math.max(locked.session.answered, inputSequence) })
      return claim(locked)
    },
  }
}
