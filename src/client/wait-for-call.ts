// Polls the status of a call until the call has ended.

import { type Clock, isTerminal } from '../api/index.ts'
import type { CallStatus } from './answers.ts'
import { InputError } from './client-error.ts'
import type { RequestOptions } from './client-options.ts'
import { pause } from './time-limit.ts'

export type WaitOptions = RequestOptions & {
  /** Milliseconds between two requests, 2000 to 5000. Default: 2000 at first, growing to 5000. */
  intervalMs?: number
}

const SHORTEST_INTERVAL_MS = 2_000
const LONGEST_INTERVAL_MS = 5_000

/** Rejects with the failure of a request, and with the signal's reason once the signal is aborted. */
export async function waitForCall(
  fetchStatus: () => Promise<CallStatus>,
  clock: Clock,
  { signal, intervalMs }: WaitOptions,
): Promise<CallStatus> {
  let interval = intervalMs ?? SHORTEST_INTERVAL_MS
  if (!(interval >= SHORTEST_INTERVAL_MS && interval <= LONGEST_INTERVAL_MS))
    throw new InputError('intervalMs', 'intervalMs must be from 2000 to 5000')
  for (;;) {
    const callStatus = await fetchStatus()
    if (isTerminal(callStatus.status)) return callStatus
    await pause(clock, interval, signal)
    if (intervalMs === undefined) interval = Math.min(LONGEST_INTERVAL_MS, interval * 1.5)
  }
}
