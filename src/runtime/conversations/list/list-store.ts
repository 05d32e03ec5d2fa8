// Reads the log of conversations for the API's lists. Every list has an index that serves it.

import { type Queries, textArray } from '../../database/index.ts'
import { type ConversationRow, conditions, type Filter, type ListPlace, SUMMARY } from '../filter-store.ts'

export type TurnRow = {
  conversation_id: string
  position: number
  user_input: string
  user_input_dtmf: string
  user_input_at: Date
  agent_response: string
  agent_response_at: Date | null
  latency: number
  translated_user_input: string
  english_agent_response: string
  intents: string[]
  entities: Record<string, string | string[]>[]
  is_ood: boolean
  is_silence: boolean
}

export type ListPage = { limit: number; after?: ListPlace | undefined; offset?: number }

/** Lists conversations, newest first. Without a place and an offset: the first page. */
export function listConversations(
  db: Queries,
  filter: Filter,
  { limit, after, offset = 0 }: ListPage,
): Promise<ConversationRow[]> {
  const several = filter.channels !== undefined && filter.channels.length > 1
  const { where, params } = conditions(several ? { ...filter, channels: undefined } : filter)
  if (after) {
    params.push(after.startedAt.toISOString(), after.id)
    const [at, id] = [params.length - 1, params.length]
    // The first half gives the index a range to start at; the second orders conversations that started at the same
    // instant.
    where.push(`c.started_at <= $${at} AND (c.started_at < $${at} OR c.id > $${id})`)
  }
  params.push(limit, offset)
  const [most, from] = [`$${params.length - 1}::bigint`, `$${params.length}::bigint`]
  const matching = `FROM foyer.conversation AS c WHERE ${where.join(' AND ')}`
  const newest = 'ORDER BY c.started_at DESC, c.id'
  if (!several && offset === 0)
    return db.query<ConversationRow>(
      `SELECT ${SUMMARY} ${matching} ${newest} LIMIT ${most} OFFSET ${from}`,
      params,
    )
  if (several) params.push(JSON.stringify([...new Set(filter.channels)]))
  // PostgreSQL reads the rows before the offset from an index alone. The index holds each channel in order, so the query
  // merges the first rows of each channel.
  const places = several
    ? `SELECT c.found FROM jsonb_array_elements_text($${params.length}::jsonb) AS one (name) CROSS JOIN LATERAL (
         SELECT c.id AS found, c.started_at ${matching} AND c.channel = one.name ${newest} LIMIT ${most} + ${from}
       ) AS c ORDER BY c.started_at DESC, c.found`
    : `SELECT c.id AS found ${matching} ${newest}`
  return db.query<ConversationRow>(
    `SELECT ${SUMMARY} FROM (${places} LIMIT ${most} OFFSET ${from}) AS page
     JOIN foyer.conversation ON id = found ORDER BY started_at DESC, id`,
    params,
  )
}

/** Draws conversations at random from those that match. */
export function sampleConversations(db: Queries, filter: Filter, limit: number): Promise<ConversationRow[]> {
  const { where, params } = conditions(filter)
  params.push(limit)
  return db.query<ConversationRow>(
    // Draw the ids from the index, and read only those rows.
    `SELECT ${SUMMARY} FROM foyer.conversation WHERE id IN (
       SELECT c.id FROM foyer.conversation AS c WHERE ${where.join(' AND ')}
       ORDER BY random() LIMIT $${params.length})
     ORDER BY random()`,
    params,
  )
}

export async function findConversation(db: Queries, id: string): Promise<ConversationRow | undefined> {
  const [row] = await db.query<ConversationRow>(
    `SELECT ${SUMMARY} FROM foyer.conversation AS c WHERE id = $1`,
    [id],
  )
  return row
}

/** The turns of these conversations, in order. */
export const turnsOf = async (db: Queries, ids: readonly string[]): Promise<TurnRow[]> =>
  ids.length === 0
    ? []
    : db.query<TurnRow>(
        'SELECT * FROM foyer.turn WHERE conversation_id = ANY ($1::text[]) ORDER BY conversation_id, position',
        [textArray(ids)],
      )

/** One conversation's time in milliseconds since 1970, and its variant. */
export type ConversationSpan = {
  start: number
  end: number | undefined
  variantId: string
  variantName: string
}

/** The spans of the conversations that were open between two times. */
export async function conversationSpans(
  db: Queries,
  filter: Filter,
  from: Date,
  to: Date,
): Promise<ConversationSpan[]> {
  const { where, params } = conditions(filter)
  params.push(from.toISOString(), to.toISOString())
  const n = params.length
  // One row for each variant: a week may hold a great many conversations.
  const rows = await db.query<{ variant_id: string; variant_name: string; spans: string }>(
    `SELECT variant_id, variant_name, string_agg(
         (extract(epoch FROM started_at) * 1000)::bigint || ' ' ||
         coalesce(((extract(epoch FROM ended_at) * 1000)::bigint)::text, ''), ',') AS spans
     FROM foyer.conversation AS c WHERE ${where.join(' AND ')}
       AND tstzrange(c.started_at, c.ended_at, '[]') && tstzrange($${n - 1}, $${n})
     GROUP BY variant_id, variant_name ORDER BY variant_id, variant_name`,
    params,
  )
  return rows.flatMap((row) =>
    row.spans.split(',').map((span) => {
      const [start, end] = span.split(' ')
      return {
        start: Number(start),
        end: end ? Number(end) : undefined,
        variantId: row.variant_id,
        variantName: row.variant_name,
      }
    }),
  )
}
