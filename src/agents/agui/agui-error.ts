// Says why a run of an agent by its address failed.

import type { METRICS } from '../../api/index.ts'
import { createRedaction, shortReason } from '../../runtime/index.ts'

/** The causes are those of a language model's failures; `server` is also an error that the agent reports itself. */
type RunFailure = (typeof METRICS.foyer_llm_failures_total.labels.cause)[number]

/** Why a run failed, in words for the operator that repeat nothing of the conversation, and never the key. */
export class AguiError extends Error {
  override name = 'AguiError'
  readonly failure: RunFailure

  constructor(failure: RunFailure, message: string) {
    super(message)
    this.failure = failure
  }
}

/** An error that the agent reported itself, so that the run is over for it too. */
export class ReportedError extends AguiError {
  override name = 'ReportedError'

  /** What the agent said of the error, as it came: for the log alone. Empty: nothing. */
  readonly said: string

  constructor(message: string, said: string) {
    super('server', message)
    this.said = said
  }
}

const redact = createRedaction({ cards: true })

/** What an agent said of its error, for the log: masked, short, on one line, and without these texts. */
export const shownOf = (said: string, without: readonly (string | undefined)[]): string =>
  shortReason(redact, said, without).replace(/\s+/g, ' ').replace(/\.$/, '').trim()
