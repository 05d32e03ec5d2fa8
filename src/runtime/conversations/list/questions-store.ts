// Lists what visitors said that the agent did not understand, for the operator.

import type { Queries } from '../../database/index.ts'

/** `days`: how far back. `limit`: most questions. */
export type UnansweredFilter = {
  days: number
  limit: number
  projectId?: string | undefined
  environment?: string | undefined
}

/** What visitors said in the same words, whatever their case and spaces. `text`: as it was said last, as the log has it. */
export type UnansweredQuestion = { text: string; count: number; lastAt: Date }

const DAY_MS = 86_400_000
/** Characters of a text. A longer one is cut. */
const LONGEST = 200

/** Most frequent first. */
export async function unansweredQuestions(
  db: Queries,
  { days, limit, projectId, environment }: UnansweredFilter,
  now: number,
): Promise<UnansweredQuestion[]> {
  const rows = await db.query<{ text: string; count: number; last_at: Date }>(
    `WITH said AS (
       SELECT left(btrim(regexp_replace(t.user_input, '[\\s\\u00a0]+', ' ', 'g')), ${LONGEST}) AS text, t.user_input_at AS at
       FROM foyer.conversation AS c JOIN foyer.turn AS t ON t.conversation_id = c.id
       WHERE (c.ended_at IS NULL OR c.ended_at >= $1) AND c.num_ood > 0 AND t.is_ood AND t.user_input_at >= $1
         AND ($2::text IS NULL OR c.project_id = $2) AND ($3::text IS NULL OR c.environment = $3))
     SELECT (array_agg(text ORDER BY at DESC))[1] AS text, count(*)::integer AS count, max(at) AS last_at
     FROM said WHERE text <> '' GROUP BY lower(text) ORDER BY count(*) DESC, max(at) DESC, lower(text) LIMIT $4`,
    [new Date(now - days * DAY_MS).toISOString(), projectId ?? null, environment ?? null, limit],
  )
  return rows.map(({ text, count, last_at }) => ({ text, count, lastAt: last_at }))
}
