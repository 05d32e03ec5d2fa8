// Erases conversations with everything that belongs to them.

import { type Database, inTransaction, type Queries, textArray } from '../../database/index.ts'
import type { DomainEvent } from '../../domain-event.ts'

/**
 * Published before conversations are erased, in the same transaction. `number`: a phone number whose data is
 * erased too.
 */
export type ConversationsErasing = { tx: Queries; ids: readonly string[]; number?: string | undefined }

/** Which conversations to erase: one, all of a phone number, or the oldest that ended before a time. */
export type Erasing = { id: string } | { number: string } | { endedBefore: Date; limit: number }

/** Erases conversations; returns their ids. */
export const eraseConversations = (
  database: Database,
  conversationsErasing: DomainEvent<ConversationsErasing>,
  which: Erasing,
): Promise<string[]> =>
  inTransaction(database, 'erase conversations', async (tx) => {
    const [where, ...params] = conditionOf(which)
    const found = await tx.query<{ id: string }>(
      `SELECT c.id FROM foyer.conversation AS c WHERE ${where} ORDER BY c.id`,
      params,
    )
    const ids = found.map(({ id }) => id)
    if (ids.length === 0 && !('number' in which)) return []
    await conversationsErasing.publish({ tx, ids, number: 'number' in which ? which.number : undefined })
    const rows = await tx.query<{ id: string }>(
      'DELETE FROM foyer.conversation WHERE id = ANY ($1::text[]) RETURNING id',
      [textArray(ids)],
    )
    return rows.map(({ id }) => id)
  })

function conditionOf(which: Erasing): [string, ...(string | number)[]] {
  if ('id' in which) return ['c.id = $1', which.id]
  if ('number' in which) return ['c.from_number = $1 OR c.to_number = $1', which.number]
  return [
    'c.id IN (SELECT id FROM foyer.conversation WHERE ended_at < $1 ORDER BY ended_at LIMIT $2)',
    which.endedBefore.toISOString(),
    which.limit,
  ]
}
