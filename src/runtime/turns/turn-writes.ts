// Gathers what one turn has to store: log events wait for the next transaction, text for a timer.

import type { Clock } from '../clock.ts'
import type { LockedSession, Sessions } from '../sessions/index.ts'
import { type LogEvent, storeLogEvent } from './agent-events.ts'
import type { Claim, Claims } from './claim.ts'
import { createTurnTransactions } from './turn-transactions.ts'

/** What waits for the timer. `stored`: called once its transaction is committed. */
export type Waiting = { append(locked: LockedSession): void; stored(): void }

export interface TurnWrites {
  /** Runs one transaction of the turn: the kept log events, then `change`. */
  write<T>(change: (locked: LockedSession) => Promise<T>): Promise<T | undefined>
  /** Writes what waits in `delayMs`, unless a write comes first. A failure surfaces at the next agent event. */
  writeSoon(delayMs: number, take: () => Waiting): void
  /** Keeps a log event for the next transaction. */
  keep(event: LogEvent): void
  keeps(): boolean
  storeKept(locked: LockedSession): void
  throwIfFailed(): void
  /** Writes again after a failure. */
  resume(): void
  /** Writes nothing more by itself. Resolves once nothing runs. */
  stop(): Promise<void>
}

export function createTurnWrites(options: {
  sessions: Sessions
  claims: Claims
  claim: Claim
  clock: Clock
}): TurnWrites {
  const { sessions, claims, claim, clock } = options
  const transactions = createTurnTransactions(sessions, claims, claim, clock)
  const kept: LogEvent[] = []
  let stopTimer: (() => void) | undefined

  function store(locked: LockedSession, events: readonly LogEvent[]): void {
    for (const event of events) storeLogEvent(locked, event, claim.input.sequence)
  }

  function endTimer(): void {
    stopTimer?.()
    stopTimer = undefined
  }

  function write<T>(change: (locked: LockedSession) => Promise<T>): Promise<T | undefined> {
    endTimer()
    const events = once(() => kept.splice(0))
    return transactions.run(async (locked) => {
      store(locked, events())
      return change(locked)
    })
  }

  return {
    write,
    writeSoon(delayMs, take) {
      stopTimer ??= clock.after(delayMs, () => {
        const waiting = once(take)
        void write(async (locked) => waiting().append(locked)).then(
          () => waiting().stored(),
          () => {},
        )
      })
    },
    keep(event) {
      transactions.throwIfFailed()
      kept.push(event)
    },
    keeps: () => kept.length > 0,
    storeKept: (locked) => store(locked, kept.splice(0)),
    throwIfFailed: transactions.throwIfFailed,
    resume: transactions.resume,
    stop() {
      endTimer()
      return transactions.settled()
    },
  }
}

/** What a transaction takes when it first runs, and has again when it runs once more. */
function once<T>(take: () => T): () => T {
  let taken: { value: T } | undefined
  return () => {
    taken ??= { value: take() }
    return taken.value
  }
}
