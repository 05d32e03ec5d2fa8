// Waits until every input of a session is answered, whichever process answers it.
//
//   this process runs no turn of it ─▶ the store is asked ─┬─ nothing waits ──────────────────────────────▶ done
//                      ▲                                   └─ another process answers ─┐
//                      └─────────── told by the hub, or after two seconds ◀────────────┘

import type { Clock } from '../clock.ts'
import { type Database, whileUnreachable } from '../database/index.ts'
import type { Runner } from '../jobs/index.ts'
import { eventsOf, type Hub, type TransientEvents } from '../sessions/index.ts'
import type { Claim } from './claim.ts'
import { isAnswering } from './store.ts'
import { turnTopic } from './turn-topic.ts'

/** News between processes may be lost. */
const LOOK_MS = 2_000

export interface Settling {
  /** Resolves when no process answers the session, or this process stops. */
  settled(sessionId: string): Promise<void>
  /** Tells other processes that this one has answered, for those who wait to speak in a call. */
  tell(claim: Claim): void
  /** Stops the runner, and waits for other processes no more. */
  stop(ms: number): Promise<void>
}

export type SettlingOptions = {
  database: Database
  hub: Hub
  transient: TransientEvents
  clock: Clock
  runner: Runner<Claim>
}

export function createSettling({ database, hub, transient, clock, runner }: SettlingOptions): Settling {
  const waiting = new Set<() => void>()

  /** Begins to listen. `told` resolves with the first news of a turn that has ended, after two seconds, or when this process stops. */
  function listen(sessionId: string): { told: Promise<void>; stop(): void } {
    let wake = () => {}
    const told = new Promise<void>((resolve) => {
      wake = resolve
    })
    waiting.add(wake)
    const undo = [
      clock.after(LOOK_MS, wake),
      hub.subscribe(turnTopic(sessionId), (news) => {
        if (eventsOf(news).some(({ type }) => type === 'settled')) wake()
      }),
      () => waiting.delete(wake),
    ]
    return {
      told,
      stop() {
        for (const each of undo) each()
      },
    }
  }

  return {
    async settled(sessionId) {
      for (;;) {
        await runner.settled(sessionId)
        if (runner.stopping) return
        // Before the store is asked, so that no news falls between the two.
        const { told, stop } = listen(sessionId)
        try {
          if (!(await whileUnreachable(clock, () => isAnswering(database, sessionId)))) return
          await told
        } finally {
          stop()
        }
      }
    },
    tell({ session }) {
      if (session.family === 'voice') hub.publish(turnTopic(session.id), [transient.event('settled', {})])
    },
    stop(ms) {
      const stopped = runner.stop(ms)
      for (const wake of waiting) wake()
      return stopped
    },
  }
}
