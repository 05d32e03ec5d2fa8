// Polls the status of a call until the call has ended, for a limited time.

import { type Clock, isTerminal } from '../api/index.ts'
import type { CallStatus } from './answers.ts'
import { CallsFailure, InputError } from './client-error.ts'
import { LONGEST_TIMEOUT_MS, type RequestOptions } from './client-options.ts'
import { pause, within } from './time-limit.ts'

/** The options of `calls.wait`. */
export type WaitOptions = RequestOptions & {
  /** Milliseconds between two requests, 2,000 to 5,000. Default: 2,000 at first, growing to 5,000. */
  intervalMs?: number
  /** Milliseconds until the wait gives up; the call goes on. Default: 3,600,000, one hour. */
  timeoutMs?: number
}

const SHORTEST_INTERVAL_MS = 2_000
const LONGEST_INTERVAL_MS = 5_000

const DEFAULT_TIMEOUT_MS = 3_600_000

/**
 * Rejects with the failure of a request, with a CallsFailure once the time is up, and with the signal's reason once the
 * signal is aborted.
 */
export async function waitForCall(
  fetchStatus: (signal: AbortSignal) => Promise<CallStatus>,
  clock: Clock,
  { signal, intervalMs, timeoutMs = DEFAULT_TIMEOUT_MS }: WaitOptions,
): Promise<CallStatus> {
  const firstInterval = intervalMs ?? SHORTEST_INTERVAL_MS
  if (!(firstInterval >= SHORTEST_INTERVAL_MS && firstInterval <= LONGEST_INTERVAL_MS))
    throw new InputError('intervalMs', 'intervalMs must be from 2000 to 5000')
  if (!(timeoutMs > 0 && timeoutMs <= LONGEST_TIMEOUT_MS))
    throw new InputError('timeoutMs', `timeoutMs must be above 0 and at most ${LONGEST_TIMEOUT_MS}`)

  async function poll(stop: AbortSignal): Promise<CallStatus> {
    for (let interval = firstInterval; ; ) {
      const callStatus = await fetchStatus(stop)
      if (isTerminal(callStatus.status)) return callStatus
      await pause(clock, interval, stop)
      if (intervalMs === undefined) interval = Math.min(LONGEST_INTERVAL_MS, interval * 1.5)
    }
  }
  const ended = await within(clock, timeoutMs, signal, poll)
  if (ended) return ended
  throw new CallsFailure(
    `The call has not ended in ${timeoutMs} ms. Only the wait is over: the call goes on.`,
    { code: 'TIMEOUT', retryable: true },
  )
}
