// Records which processes are alive: any process may claim a job whose owner is not among them.

import type { Queries } from '../database/index.ts'

/** Records that this process is alive, and removes those not seen since `deadBefore`. */
export async function recordHeartbeat(
  db: Queries,
  { processId, now, deadBefore }: { processId: string; now: Date; deadBefore: Date },
): Promise<void> {
  await db.query(
    'INSERT INTO foyer.process (id, seen_at) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET seen_at = $2',
    [processId, now.toISOString()],
  )
  await db.query('DELETE FROM foyer.process WHERE seen_at < $1 AND id <> $2', [
    deadBefore.toISOString(),
    processId,
  ])
}

export async function removeProcess(db: Queries, processId: string): Promise<void> {
  await db.query('DELETE FROM foyer.process WHERE id = $1', [processId])
}
