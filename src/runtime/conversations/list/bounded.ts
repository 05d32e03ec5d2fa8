// Answers a request within the time that its reads have.

import { type Reading, type Reads, ReadTimeout } from '../../database/index.ts'
import { HttpError } from '../../http/index.ts'

/** Seconds until a second request, before which fewer readers wait. */
const WAIT_SECONDS = 5

export async function bounded<T>(reads: Reads, answer: (db: Reading) => Promise<T>): Promise<T> {
  try {
    return await answer(reads.begin())
  } catch (error) {
    if (!(error instanceof ReadTimeout)) throw error
    throw new HttpError(
      503,
      'SERVICE_UNAVAILABLE',
      'The database took too long: try again later, or ask for less',
      WAIT_SECONDS,
    )
  }
}
