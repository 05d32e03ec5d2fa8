// Records which process holds each lease. A lease ends when the row of its process is deleted.

import { type Queries, textArray } from '../database/index.ts'

/** Takes those of the leases that no process holds. Returns all that this process holds now: none if it is not in the list of processes. */
export async function takeLeases(
  db: Queries,
  processId: string,
  names: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `WITH taken AS (
       INSERT INTO foyer.lease (name, process_id)
       SELECT name, p.id FROM unnest($2::text[]) AS name CROSS JOIN foyer.process AS p WHERE p.id = $1 ORDER BY name
       ON CONFLICT (name) DO NOTHING RETURNING name)
     SELECT name FROM taken UNION SELECT name FROM foyer.lease WHERE process_id = $1`,
    [processId, textArray(names)],
  )
  return rows.map(({ name }) => name)
}

export async function giveLeasesBack(db: Queries, processId: string): Promise<void> {
  await db.query('DELETE FROM foyer.lease WHERE process_id = $1', [processId])
}
