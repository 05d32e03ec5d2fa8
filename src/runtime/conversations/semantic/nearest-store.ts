// Finds the conversations nearest to a vector: one by one, or with the index of pgvector if there are many.

import { inTransaction, type Reading } from '../../database/index.ts'
import {
  type ConversationRow,
  conditions,
  type Filter,
  type Found,
  type SearchPage,
  SUMMARY,
} from '../filter-store.ts'

/** Thrown if semantic search without an index would have to compare too many conversations. */
export class TooManyToCompare extends Error {
  override name = 'TooManyToCompare'
}

export const MOST_COMPARED = 20_000

/**
 * The place of a match: its distance, start and id. A page after it neither repeats nor misses a conversation whose vector has not
 * changed; where an index finds the vectors, that holds as far as the index finds every one.
 */
export type NearestPlace = { distance: number; startedAt: number; id: string }

/** The schema that pgvector lives in, and the size of the vectors that its index holds. */
export type Pgvector = { schema: string; size: number }

/** The conversations nearest to a vector. Throws TooManyToCompare if only pgvector could search them. */
export async function nearest(
  db: Reading,
  pgvector: Pgvector | undefined,
  filter: Filter,
  { model, vector }: { model: string; vector: readonly number[] },
  { limit, offset, asOf, after }: SearchPage<NearestPlace>,
): Promise<Found<NearestPlace>[]> {
  const { where, params } = conditions(filter)
  params.push(asOf.toISOString(), model, `{${vector.join(',')}}`)
  const n = params.length
  where.push(`c.started_at <= $${n - 2}`)
  const [counted] = await db.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM (SELECT 1 FROM foyer.conversation AS c
     WHERE ${where.join(' AND ')} LIMIT ${MOST_COMPARED + 1}) AS found`,
    params.slice(0, n - 2),
  )
  const fewInRange = (counted?.n ?? 0) <= MOST_COMPARED
  params.push(limit, offset)
  const page = `LIMIT $${n + 1} OFFSET $${n + 2}`
  // Look up each vector by its key: a filtered scan of the vector index would skip most matches.
  const compareVectors = (far: string, condition: string) => `
    SELECT c.id AS found, c.started_at AS began, ${far} AS far
    FROM foyer.conversation AS c CROSS JOIN LATERAL (
      SELECT numbers FROM foyer.embedding
      WHERE conversation_id = c.id AND model = $${n - 1} AND ${condition} LIMIT 1) AS e
    WHERE ${where.join(' AND ')}`
  // PostgreSQL computes each distance once, behind OFFSET 0.
  const nearestOf = async (compared: string) => {
    const found = after
      ? `${compared} OFFSET 0) AS match WHERE ${isAfter(after, params)}`
      : `${compared}) AS match`
    return placed(
      await db.query<Distant>(
        `SELECT ${SUMMARY}, far FROM (
           SELECT found, far FROM (${found} ORDER BY far, began DESC, found ${page}) AS best
         JOIN foyer.conversation ON id = found ORDER BY far, started_at DESC, id`,
        params,
      ),
    )
  }
  if (pgvector?.size === vector.length) {
    const { schema, size } = pgvector
    const type = `${schema}.vector(${size})`
    const distance = `e.numbers::${type} OPERATOR(${schema}.<=>) $${n}::real[]::${type}`
    // Must match the index's WHERE clause: one index per vector size.
    const ofSize = `array_length(numbers, 1) = ${size}`
    if (fewInRange) return nearestOf(compareVectors(comparable(distance), ofSize))
    if (after)
      where.push(isAfter(after, params, { far: comparable(distance), began: 'c.started_at', found: 'c.id' }))
    return inTransaction(db, 'find the nearest conversations', async (tx) => {
      // The filter applies after the index scan, which continues until it has found enough.
      await tx.query("SELECT set_config('hnsw.iterative_scan', 'strict_order', true)")
      return placed(
        await tx.query<Distant>(
          `SELECT ${SUMMARY}, ${comparable(distance)} AS far
           FROM foyer.embedding AS e JOIN foyer.conversation AS c ON c.id = e.conversation_id
           WHERE e.model = $${n - 1} AND ${ofSize} AND ${where.join(' AND ')}
           ORDER BY ${distance}, c.started_at DESC, c.id ${page}`,
          params,
        ),
      )
    })
  }
  if (!fewInRange) throw new TooManyToCompare()
  // Vectors have length 1, so the product is the cosine.
  return nearestOf(
    compareVectors(
      `(SELECT -sum(a * b) FROM unnest(e.numbers, $${n}::real[]) AS pair (a, b))::double precision`,
      'cardinality(numbers) > 0',
    ),
  )
}

type Distant = ConversationRow & { far: number }

const placed = (rows: readonly Distant[]): Found<NearestPlace>[] =>
  rows.map(({ far, ...row }) => ({
    ...row,
    place: { distance: far, startedAt: row.started_at.getTime(), id: row.id },
  }))

/** The distance of a vector without a direction, which has none, is the largest. */
const comparable = (distance: string): string => `coalesce(nullif(${distance}, 'NaN'), 2)`

/** Condition on a match: it is after a place. */
function isAfter(
  { distance, startedAt, id }: NearestPlace,
  params: unknown[],
  { far, began, found } = { far: 'far', began: 'began', found: 'found' },
): string {
  const place = `$${params.push(distance)}::double precision`
  const started = `$${params.push(new Date(startedAt).toISOString())}`
  return `(${far} > ${place} OR ${far} = ${place} AND
    (${began} < ${started} OR ${began} = ${started} AND ${found} > $${params.push(id)}))`
}
