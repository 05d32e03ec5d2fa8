// Runs the transactions of one turn one after another, so that chunks keep their order. After a failure none runs. One that failed because
// the database was away runs again, unless it turns out to be stored.

import type { Clock } from '../clock.ts'
import { whileUnreachable } from '../database/index.ts'
import type { LockedSession, Sessions } from '../sessions/index.ts'
import type { Claim, Claims } from './claim.ts'

/** The session has ended while the agent spoke. */
export class SessionEnded extends Error {
  override name = 'SessionEnded'
}
/** Another process has taken over the turn, because this process seemed to be gone. */
export class TurnLost extends Error {
  override name = 'TurnLost'
}
/** The database could not store the answer. The turn is recovered later. */
export class NotStored extends Error {
  override name = 'NotStored'
}

export interface TurnTransactions {
  /**
   * Runs `change` under the session's lock, more than once if the database was away meanwhile. Resolves to undefined if the transaction was
   * stored although its connection broke. Rejects with SessionEnded, TurnLost or NotStored.
   */
  run<T>(change: (locked: LockedSession) => Promise<T>): Promise<T | undefined>
  /** Throws the failure of an earlier transaction. */
  throwIfFailed(): void
  /** Forgets an earlier failure, so that transactions run again. */
  resume(): void
  /** Resolves when no transaction runs. */
  settled(): Promise<void>
}

export function createTurnTransactions(
  sessions: Sessions,
  claims: Claims,
  claim: Claim,
  clock: Clock,
): TurnTransactions {
  let running: Promise<unknown> = Promise.resolve()
  let failure: unknown
  /** The transactions of this turn that are stored. */
  let writes = 0

  function throwIfFailed(): void {
    if (failure !== undefined) throw failure
  }

  async function commit<T>(change: (locked: LockedSession) => Promise<T>): Promise<T | undefined> {
    const store = () =>
      sessions.commit(claim.session.id, 'write an answer', async (locked) => {
        const { turn } = locked.session
        if (!turn || !claims.owns(locked, claim)) throw new TurnLost('The turn was taken over')
        if (turn.writes > writes) return { changed: undefined }
        locked.change({ turn: { ...turn, writes: writes + 1 } })
        return { changed: await change(locked) }
      })
    const committed = await whileUnreachable(clock, store).catch((error: unknown) => {
      if (error instanceof SessionEnded || error instanceof TurnLost) throw error
      throw new NotStored(error instanceof Error ? error.message : 'unknown error', { cause: error })
    })
    if (!committed) throw new SessionEnded('The session is gone')
    writes++
    return committed.changed
  }

  return {
    run(change) {
      const committed = running.then(() => {
        throwIfFailed()
        return commit(change)
      })
      running = committed.catch((error: unknown) => {
        failure ??= error
      })
      return committed
    },
    throwIfFailed,
    resume() {
      failure = undefined
    },
    async settled() {
      await running
    },
  }
}
