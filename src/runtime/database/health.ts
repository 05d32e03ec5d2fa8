// Tells whether the database answers, for whoever watches the server.

import { atMost, type Clock } from '../clock.ts'
import type { Queries } from './database.ts'

const PATIENCE_MS = 3_000

/** Returns a function that resolves to false if the database fails, or does not answer in time. */
export function createHealthCheck(db: Queries, clock: Clock): () => Promise<boolean> {
  /** One query for all who ask at the same time: a database that hangs must not collect them. */
  let asking: Promise<boolean> | undefined

  async function ask(): Promise<boolean> {
    try {
      await db.query('SELECT 1')
      return true
    } catch {
      return false
    } finally {
      asking = undefined
    }
  }

  return async () => {
    let healthy = false
    asking ??= ask()
    await atMost(
      clock,
      PATIENCE_MS,
      asking.then((answered) => {
        healthy = answered
      }),
    )
    return healthy
  }
}
