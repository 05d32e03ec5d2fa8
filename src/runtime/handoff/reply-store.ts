// Stores canned replies of live agents, by the name that they type.

import type { Queries } from '../database/index.ts'

export type CannedReply = { name: string; text: string }

/** All of them, by name. */
export const cannedReplies = (db: Queries): Promise<CannedReply[]> =>
  db.query<CannedReply>('SELECT name, words AS text FROM foyer.canned_reply ORDER BY name LIMIT 500')

/** Saves a reply under its name; it replaces an earlier one. */
export async function saveReply(db: Queries, { name, text }: CannedReply): Promise<void> {
  await db.query(
    `INSERT INTO foyer.canned_reply (name, words) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET words = excluded.words`,
    [name, text],
  )
}

export async function deleteReply(db: Queries, name: string): Promise<void> {
  await db.query('DELETE FROM foyer.canned_reply WHERE name = $1', [name])
}
