// Runs one transaction of a session, and sends its events after the commit.
//
//   lock ─▶ change ─▶ COMMIT ─┬─ done ───────────────────────────────────▶ events sent, callbacks run
//                             └─ the connection broke ─▶ is it stored? ─┬─ yes ─┘
//                                                                       └─ no, or nobody can tell ─▶ the error

import type { Meter } from '../../api/index.ts'
import type { Clock } from '../clock.ts'
import {
  type Database,
  inTransaction,
  isUnreachable,
  type Transaction,
  whileUnreachable,
} from '../database/index.ts'
import type { Redaction } from '../redact.ts'
import type { Hub, WireEvent } from './hub.ts'
import type { LockedSession, SessionEvents } from './locked-session.ts'
import { isStored } from './state/event-store.ts'
import type { Session } from './state/session.ts'
import { lockSession } from './state/session-store.ts'
import { createUnitOfWork, type UnitOfWork } from './unit-of-work.ts'

/** `lock` finds the session and keeps it locked. Resolves to undefined if there is none. */
export type Transact = <T>(
  sessionId: string,
  purpose: string,
  lock: (tx: Transaction) => Promise<Session | undefined>,
  change: (locked: LockedSession) => Promise<T>,
) => Promise<T | undefined>

export type TransactOptions = {
  database: Database
  events: SessionEvents
  hub: Hub
  redact: Redaction
  clock: Clock
  uuid: () => string
  meter: Meter
}

export function createTransact(options: TransactOptions): Transact {
  const { database, events, hub, redact, clock, uuid, meter } = options

  /** Sends the events, and runs what waits for the commit. */
  function publish({ locked, sent, callbacks }: UnitOfWork): void {
    const { id, family } = locked.session
    if (sent.length > 0) hub.publish(id, sent)
    for (const direction of sent.flatMap(directionOf))
      meter.count('foyer_messages_total', 1, { direction, family })
    for (const run of callbacks) run()
  }

  /**
   * Whether a transaction is stored whose connection broke with the commit on its way; undefined: it stored no event that would tell.
   * Rejects if the database is away for a minute.
   */
  const isCommitted = ({ locked, stored: [event] }: UnitOfWork): Promise<boolean | undefined> =>
    whileUnreachable(clock, () =>
      inTransaction(database, 'see whether a commit is stored', async (tx) => {
        const { id } = locked.session
        // Waits for the transaction, which has this lock as long as it may still be stored.
        await lockSession(tx, id)
        return event && isStored(tx, id, event)
      }),
    )

  return async <T>(
    sessionId: string,
    purpose: string,
    lock: (tx: Transaction) => Promise<Session | undefined>,
    change: (locked: LockedSession) => Promise<T>,
  ): Promise<T | undefined> => {
    let done: { unit: UnitOfWork; changed: T } | undefined
    async function run(tx: Transaction): Promise<void> {
      done = undefined
      const session = await lock(tx)
      if (!session) return
      const unit = createUnitOfWork({ tx, session, events, redact, now: new Date(clock.now()), uuid })
      const changed = await change(unit.locked)
      unit.save()
      done = { unit, changed }
    }
    await inTransaction(database, purpose, run).catch(async (error: unknown) => {
      if (!done || isSilent(done.unit) || !isUnreachable(error)) throw error
      const committed = await isCommitted(done.unit)
      if (committed === undefined) hub.gap()
      if (!committed) throw error
    })
    // No such session: the hub checks the store and closes its sockets.
    if (!done) return void hub.look(sessionId)
    publish(done.unit)
    return done.changed
  }
}

/** Nobody is told of it. */
const isSilent = ({ sent, callbacks }: UnitOfWork): boolean => sent.length === 0 && callbacks.length === 0

/** Of a message from or to the user, which way it goes. A streamed one counts once it is whole. */
function directionOf({ type, payload }: WireEvent): 'in' | 'out' | [] {
  if (type === 'EVENT_TYPE_USER_MESSAGE') return 'in'
  const isWhole = type === 'EVENT_TYPE_POLY_AGENT_MESSAGE' || type === 'EVENT_TYPE_LIVE_AGENT_MESSAGE'
  return isWhole || payload.is_complete === true ? 'out' : []
}
