// Measures one turn: how long it took until the first word and in all, and how it ended.

import type { Meter } from '../../api/index.ts'
import type { Clock } from '../clock.ts'
import { SessionEnded, TurnLost } from './turn-transactions.ts'

/** `stopped` by the user; `over`: the session ended, or this process stops; `lost` to another process. */
type Outcome = 'answered' | 'stopped' | 'over' | 'lost' | 'failed'

export interface TurnWatch {
  /** The agent has said a word. Only the first counts. */
  spoke(): void
  ended(outcome: Outcome): void
}

export function watchTurn(meter: Meter, clock: Clock): TurnWatch {
  const began = clock.now()
  const seconds = () => (clock.now() - began) / 1_000
  let silent = true
  return {
    spoke() {
      if (silent) meter.time('foyer_turn_first_word_seconds', seconds())
      silent = false
    },
    ended: (outcome) => meter.time('foyer_turn_seconds', seconds(), { outcome }),
  }
}

/** How a turn ends that this error ends. `stop`: what aborted it before. */
export function outcomeOf(error: unknown, stop: { asked: boolean; aborted: boolean }): Outcome {
  if (stop.asked) return 'stopped'
  if (error instanceof TurnLost) return 'lost'
  return stop.aborted || error instanceof SessionEnded ? 'over' : 'failed'
}
