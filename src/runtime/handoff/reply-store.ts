// Stores canned replies of live agents, by the name that they type.

import type { Queries } from '../database/index.ts'

export type CannedReply = { name: string; text: string }

const MOST_REPLIES = 500

/** All canned replies, by name. */
export const cannedReplies = (db: Queries): Promise<CannedReply[]> =>
  db.query<CannedReply>(
    `SELECT name, words AS text FROM foyer.canned_reply ORDER BY name LIMIT ${MOST_REPLIES}`,
  )

/** Saves a reply under its name; it replaces an earlier one. False: the limit of replies is reached. */
export async function saveReply(db: Queries, { name, text }: CannedReply): Promise<boolean> {
  const saved = await db.query(
    `INSERT INTO foyer.canned_reply (name, words) SELECT $1::text, $2::text
     WHERE (SELECT count(*) FROM foyer.canned_reply WHERE name <> $1) < ${MOST_REPLIES}
     ON CONFLICT (name) DO UPDATE SET words = excluded.words RETURNING 1`,
    [name, text],
  )
  return saved.length > 0
}

export async function deleteReply(db: Queries, name: string): Promise<void> {
  await db.query('DELETE FROM foyer.canned_reply WHERE name = $1', [name])
}
