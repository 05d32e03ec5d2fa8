// Gives lost turns back: those of processes that are gone, and those of this process that it does not run.

import type { LogFailure } from '../../api/index.ts'
import type { Database } from '../database/index.ts'
import type { Runner } from '../jobs/index.ts'
import type { Sessions } from '../sessions/index.ts'
import type { Claim } from './claim.ts'
import { recoverTurn } from './cut-answer.ts'
import { type LostTurn, lostTurns } from './store.ts'

export interface Recovery {
  /** Gives lost turns back, and answers waiting inputs. */
  recover(): Promise<void>
  /** Records a turn whose answer is complete, but whose end could not be stored. */
  answered(sessionId: string, inputSequence: number): void
}

export type RecoveryOptions = {
  database: Database
  sessions: Sessions
  runner: Runner<Claim>
  processId: string
  logFailure: LogFailure
}

export function createRecovery({
  database,
  sessions,
  runner,
  processId,
  logFailure,
}: RecoveryOptions): Recovery {
  /** Turns of this process that were not running at the last recovery. A turn found here twice is lost. */
  let suspectTurns = new Map<string, number>()
  const answeredTurns = new Map<string, number>()

  async function giveBack({ sessionId, inputSequence, owner }: LostTurn): Promise<void> {
    await sessions.commit(sessionId, 'recover a turn', async (locked) => {
      const { turn } = locked.session
      if (turn?.owner !== owner || turn.inputSequence !== inputSequence) return
      if (answeredTurns.get(sessionId) === inputSequence)
        locked.change({ turn: undefined, answered: Math.max(locked.session.answered, inputSequence) })
      else await recoverTurn(locked, inputSequence)
    })
    answeredTurns.delete(sessionId)
  }

  return {
    answered: (sessionId, inputSequence) => void answeredTurns.set(sessionId, inputSequence),

    async recover() {
      const lostClaims = await runner.betweenClaims((held) => lostTurns(database, processId, held))
      // A turn of this process may have been claimed in a transaction that is just committing.
      const ownClaims = lostClaims.filter(({ owner }) => owner === processId)
      const surelyLost = lostClaims.filter(
        (turn) => turn.owner !== processId || suspectTurns.get(turn.sessionId) === turn.inputSequence,
      )
      suspectTurns = new Map(ownClaims.map(({ sessionId, inputSequence }) => [sessionId, inputSequence]))
      for (const turn of surelyLost)
        await giveBack(turn).catch((error: unknown) =>
          logFailure(`recovery failed for session ${turn.sessionId}`, error),
        )
      runner.claimDue()
    },
  }
}
