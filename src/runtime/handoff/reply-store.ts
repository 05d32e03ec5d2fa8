// Stores the canned replies of each project's live agents, by the name that they type.

import type { Queries } from '../database/index.ts'

/** A reply that live agents insert by its name. */
export type CannedReply = { name: string; text: string }

/** The limit of a project. */
const MOST_REPLIES = 500

/** All canned replies of a project, by name. */
export const cannedReplies = (db: Queries, projectId: string): Promise<CannedReply[]> =>
  db.query<CannedReply>(
    `SELECT name, words AS text FROM foyer.canned_reply WHERE project_id = $1
     ORDER BY name LIMIT ${MOST_REPLIES}`,
    [projectId],
  )

/** Saves a reply under its name; it replaces an earlier one. False: the limit of replies is reached. */
export async function saveReply(
  db: Queries,
  projectId: string,
  { name, text }: CannedReply,
): Promise<boolean> {
  const saved = await db.query(
    `INSERT INTO foyer.canned_reply (project_id, name, words) SELECT $1::text, $2::text, $3::text
     WHERE (SELECT count(*) FROM foyer.canned_reply WHERE project_id = $1 AND name <> $2) < ${MOST_REPLIES}
     ON CONFLICT (project_id, name) DO UPDATE SET words = excluded.words RETURNING 1`,
    [projectId, name, text],
  )
  return saved.length > 0
}

export async function deleteReply(db: Queries, projectId: string, name: string): Promise<void> {
  await db.query('DELETE FROM foyer.canned_reply WHERE project_id = $1 AND name = $2', [projectId, name])
}
