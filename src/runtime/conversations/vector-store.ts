// Semantic search: the vectors of conversations, and those nearest to one. By pgvector where the database has it.

import type { Database } from '../database/database.ts'
import { type ConversationRow, conditions, type Filter, type SearchPage, SUMMARY } from './filter-store.ts'

/** Semantic search has to look at each conversation, and there are too many of them in range. */
export class TooManyToCompare extends Error {
  override name = 'TooManyToCompare'
}

export const MOST_COMPARED = 20_000

/** All that was said in `c`, a conversation. */
const WORDS = `(SELECT string_agg(t.user_input || ' ' || t.agent_response, ' ' ORDER BY t.position)
   FROM foyer.turn AS t WHERE t.conversation_id = c.id)`

export function createVectors(database: Database) {
  /** Undefined until it was looked for: the schema that pgvector lives in, where the database has it. */
  let vectors: { schema: string; size: number } | undefined

  return {
    /** Those nearest to a vector, nearest first. Throws TooManyToCompare where only pgvector could do it. */
    async nearest(
      filter: Filter,
      { model, vector }: { model: string; vector: readonly number[] },
      { limit, offset, asOf }: SearchPage,
    ): Promise<ConversationRow[]> {
      const { where, params } = conditions(filter)
      params.push(asOf.toISOString(), model, `{${vector.join(',')}}`)
      const n = params.length
      where.push(`c.started_at <= $${n - 2}`)
      const [counted] = await database.query<{ n: number }>(
        `SELECT count(*)::integer AS n FROM (SELECT 1 FROM foyer.conversation AS c
         WHERE ${where.join(' AND ')} LIMIT ${MOST_COMPARED + 1}) AS found`,
        params.slice(0, n - 2),
      )
      const few = (counted?.n ?? 0) <= MOST_COMPARED
      params.push(limit, offset)
      // Each by its key: there are more vectors than these, and an index of them would pass by most of what is near.
      const compared = (far: string, condition: string) =>
        database.query<ConversationRow>(
          `SELECT ${SUMMARY} FROM (
             SELECT c.id AS found, ${far} AS far FROM foyer.conversation AS c CROSS JOIN LATERAL (
               SELECT numbers FROM foyer.embedding
               WHERE conversation_id = c.id AND model = $${n - 1} AND ${condition} LIMIT 1) AS e
             WHERE ${where.join(' AND ')}
             ORDER BY far, c.started_at DESC, c.id LIMIT $${n + 1} OFFSET $${n + 2}) AS best
           JOIN foyer.conversation ON id = found ORDER BY far, started_at DESC, id`,
          params,
        )
      if (vectors?.size === vector.length) {
        const { schema, size } = vectors
        const type = `${schema}.vector(${size})`
        const distance = `e.numbers::${type} OPERATOR(${schema}.<=>) $${n}::real[]::${type}`
        // As the index has it, which holds no vectors of another size.
        const ofSize = `array_length(numbers, 1) = ${size}`
        if (few) return compared(distance, ofSize)
        return database.transaction(async (tx) => {
          // Filtered after the index: it goes on until enough are found.
          await tx.query("SELECT set_config('hnsw.iterative_scan', 'strict_order', true)")
          return tx.query<ConversationRow>(
            `SELECT ${SUMMARY} FROM foyer.embedding AS e JOIN foyer.conversation AS c ON c.id = e.conversation_id
             WHERE e.model = $${n - 1} AND ${ofSize} AND ${where.join(' AND ')}
             ORDER BY ${distance} LIMIT $${n + 1} OFFSET $${n + 2}`,
            params,
          )
        })
      }
      if (!few) throw new TooManyToCompare()
      // Vectors have length 1, so the product is the cosine.
      return compared(
        `(SELECT -sum(a * b) FROM unnest(e.numbers, $${n}::real[]) AS pair (a, b))`,
        'cardinality(numbers) > 0',
      )
    },

    /** Conversations whose newest words have no vector yet, with all their words. */
    async unembedded(quietSince: Date, limit: number): Promise<{ id: string; text: string }[]> {
      return database.query(
        `SELECT c.id, ${WORDS} AS text
         FROM foyer.conversation AS c WHERE c.embedded_turns < c.num_turns
           AND (c.ended_at IS NOT NULL OR $1 >= (SELECT coalesce(max(greatest(t.user_input_at, t.agent_response_at)), '-infinity')
             FROM foyer.turn AS t WHERE t.conversation_id = c.id))
         ORDER BY c.started_at LIMIT $2`,
        [quietSince.toISOString(), limit],
      )
    },
    /**
     * The vector of a text, as `unembedded` gave it. Where more was said meanwhile it is due again. Without
     * numbers there is none to be had: the one of fewer words stays, and none is due until more is said.
     */
    async saveVector(id: string, model: string, numbers: readonly number[], text: string): Promise<void> {
      await database.transaction(async (tx) => {
        const [row] = await tx.query('SELECT 1 FROM foyer.conversation WHERE id = $1 FOR UPDATE', [id])
        if (!row) return
        await tx.query(
          `INSERT INTO foyer.embedding (conversation_id, model, numbers) VALUES ($1, $2, $3)
           ON CONFLICT (conversation_id) DO UPDATE SET model = $2, numbers = $3 WHERE cardinality($3::real[]) > 0`,
          [id, model, `{${numbers.join(',')}}`],
        )
        await tx.query(
          `UPDATE foyer.conversation AS c SET embedded_turns = num_turns WHERE id = $1 AND ${WORDS} = $2`,
          [id, text],
        )
      })
    },
    /** Vectors of another model mean nothing to this one: they are made again. */
    async useModel(model: string, size: number): Promise<void> {
      await database.query(
        `WITH old AS (DELETE FROM foyer.embedding WHERE model < $1 OR model > $1 RETURNING conversation_id)
         UPDATE foyer.conversation SET embedded_turns = 0 WHERE id IN (SELECT conversation_id FROM old)`,
        [model],
      )
      vectors = await findVectors(database, size)
    },
    /** Whether semantic search has an index. */
    hasVectorIndex: (): boolean => vectors !== undefined,
  }
}

/** pgvector, where the database has it and lets us use it; with an index for vectors of this size. */
async function findVectors(
  database: Database,
  size: number,
): Promise<{ schema: string; size: number } | undefined> {
  // What its index can hold.
  if (size > 2_000) return undefined
  try {
    return await database.transaction(async (tx) => {
      await tx.query("SELECT pg_advisory_xact_lock(hashtext('foyer.vector'))")
      const [available] = await tx.query("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'")
      if (!available) return undefined
      await tx.query('CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA foyer')
      const [found] = await tx.query<{ schema: string }>(
        `SELECT quote_ident(n.nspname) AS schema FROM pg_extension AS e
         JOIN pg_namespace AS n ON n.oid = e.extnamespace WHERE e.extname = 'vector'`,
      )
      if (!found) return undefined
      await tx.query(
        `CREATE INDEX IF NOT EXISTS embedding_nearest_${size} ON foyer.embedding
         USING hnsw ((numbers::${found.schema}.vector(${size})) ${found.schema}.vector_cosine_ops)
         WITH (m = 8, ef_construction = 40) WHERE array_length(numbers, 1) = ${size}`,
      )
      return { schema: found.schema, size }
    })
  } catch {
    // Not allowed to make it: exact search does for smaller ranges.
    return undefined
  }
}
