// Counts conversations and their vectors, for the operator.

import type { Queries } from '../../database/index.ts'
import { type VectorCounts, vectorCounts } from '../semantic/vector-store.ts'

/** How many conversations and vectors there are. */
export type ConversationCounts = {
  conversations: number
  inProgress: number
  vectors: VectorCounts
}

export async function countConversations(db: Queries): Promise<ConversationCounts> {
  const [row] = await db.query<{ conversations: number; in_progress: number }>(
    `SELECT count(*)::integer AS conversations,
       (count(*) FILTER (WHERE ended_at IS NULL))::integer AS in_progress FROM foyer.conversation`,
  )
  return {
    conversations: row?.conversations ?? 0,
    inProgress: row?.in_progress ?? 0,
    vectors: await vectorCounts(db),
  }
}
