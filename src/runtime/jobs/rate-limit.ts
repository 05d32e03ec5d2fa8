// Refuses a request with 429 once its kind has reached the limit of the current minute.

import type { Queries } from '../database/index.ts'
import { HttpError } from '../http/index.ts'
import { countRequest } from './rate-store.ts'

const WINDOW_SECONDS = 60

/** Counts one more request under `key`; refuses the request if the count exceeds `perMinute`. */
export async function limitRate(db: Queries, key: string, perMinute: number, now: number): Promise<void> {
  const { count, wait } = await countRequest(db, key, WINDOW_SECONDS, new Date(now))
  if (count > perMinute)
    throw new HttpError(
      429,
      'RATE_LIMIT_EXCEEDED',
      'Too many requests; wait as long as Retry-After says',
      wait,
    )
}
