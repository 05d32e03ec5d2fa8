// Tells the log that the carrier fails, with the cause and at most once a minute, and that it takes messages again.

import type { Log } from '../../api/index.ts'
import type { Clock } from '../clock.ts'
import { type Redaction, shortReason } from '../redact.ts'

const PAUSE_MS = 60_000

export interface CarrierHealth {
  /** The carrier has answered. */
  answered(): void
  /** The carrier has thrown, or did not answer in time. `to`: the number of the message. */
  failed(error: unknown, to: string): void
}

/** Why the carrier failed, for people: without the number, masked and cut, with the code of what caused it, such as `ECONNREFUSED`. */
export function carrierCause(redact: Redaction, error: unknown, to: string): string {
  const { message, cause } = Object(error) as { message?: unknown; cause?: unknown }
  const { code } = Object(cause) as { code?: unknown }
  const said = typeof message === 'string' && message !== '' ? message : 'it gave no cause'
  const text = typeof code === 'string' && !said.includes(code) ? `${said} (${code})` : said
  return shownReason(redact, text, to)
}

/** A reason of the carrier without the number, which may stand there without its plus, too. */
export const shownReason = (redact: Redaction, reason: string, to: string): string =>
  shortReason(redact, reason, [to.replace('+', '')])

export function createCarrierHealth({
  clock,
  log,
  redact,
}: {
  clock: Clock
  log: Log
  redact: Redaction
}): CarrierHealth {
  let isToldFailing = false
  let toldAt = Number.NEGATIVE_INFINITY
  return {
    answered() {
      if (isToldFailing) log('the carrier takes messages again', 'info')
      isToldFailing = false
    },
    failed(error, to) {
      if (clock.now() - toldAt < PAUSE_MS) return
      toldAt = clock.now()
      isToldFailing = true
      log(`the carrier fails, and its messages are tried again: ${carrierCause(redact, error, to)}`)
    },
  }
}
