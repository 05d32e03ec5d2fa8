// Stores the vectors of conversations, and creates the index of pgvector if the database has it.

import { type Database, type Queries, type Reading, textArray } from '../../database/index.ts'
import { type Filter, type Found, quietOrEnded, type SearchPage } from '../filter-store.ts'
import { type NearestPlace, nearest, type Pgvector } from './nearest-store.ts'

/** All words of `c`, a conversation. */
const WORDS = `(SELECT string_agg(t.user_input || ' ' || t.agent_response, ' ' ORDER BY t.position)
   FROM foyer.turn AS t WHERE t.conversation_id = c.id)`

/** A conversation whose vector this process makes. `attempts`: how often the endpoint refused it, alone or with others. */
export type ClaimedText = { id: string; text: string; attempts: number }

export type VectorCounts = { made: number; waiting: number }

export interface VectorStore {
  /** The conversations nearest to a vector. Throws TooManyToCompare if only pgvector could search them. */
  nearest(
    db: Reading,
    filter: Filter,
    query: { model: string; vector: readonly number[] },
    page: SearchPage<NearestPlace>,
  ): Promise<Found<NearestPlace>[]>
  /**
   * Claims for `owner` conversations whose newest words have no vector yet, that are quiet or ended, and whose next attempt is due,
   * with all their words. What an earlier call claimed and did not finish is claimed again.
   */
  claimTexts(owner: string, when: { quietSince: Date; now: Date }, limit: number): Promise<ClaimedText[]>
  /**
   * Saves the vector of a text that `owner` has claimed. The conversation stays due if it has continued meanwhile.
   * Without numbers the text is given up: the former vector stays until the conversation continues.
   */
  saveVector(
    owner: string,
    claimed: Pick<ClaimedText, 'id' | 'text'>,
    model: string,
    numbers: readonly number[],
  ): Promise<void>
  /** Gives claimed texts back, for an attempt that is due at the given time. */
  retryTexts(owner: string, ids: readonly string[], attempts: number, due: Date): Promise<void>
  /** Gives back what `owner` has claimed, as it was. */
  releaseTexts(owner: string): Promise<void>
  /** Deletes the vectors of other models, which cannot be compared with this one's, so that they are made again. */
  useModel(model: string, size: number): Promise<void>
  /** How many conversations wait for a vector. */
  waiting(): Promise<number>
}

export function createVectorStore(database: Database): VectorStore {
  /** Once `useModel` has found it. */
  let pgvector: Pgvector | undefined

  return {
    nearest: (db, filter, query, page) => nearest(db, pgvector, filter, query, page),
    claimTexts: (owner, { quietSince, now }, limit) =>
      database.query<ClaimedText>(
        `WITH due AS (
           SELECT c.id AS found FROM foyer.conversation AS c WHERE c.unembedded AND ${quietOrEnded('$1')}
             AND (c.embedding_due IS NULL OR c.embedding_due <= $2)
             AND (c.embedding_owner IS NULL OR c.embedding_owner = $3
               OR c.embedding_owner NOT IN (SELECT id FROM foyer.process))
           ORDER BY c.started_at LIMIT $4 FOR UPDATE OF c SKIP LOCKED),
         claimed AS (
           UPDATE foyer.conversation AS c SET embedding_owner = $3 FROM due WHERE c.id = due.found
           RETURNING c.id, c.started_at, c.embedding_attempts)
         SELECT c.id, c.embedding_attempts AS attempts, ${WORDS} AS text FROM claimed AS c ORDER BY c.started_at`,
        [quietSince.toISOString(), now.toISOString(), owner, limit],
      ),
    async saveVector(owner, { id, text }, model, numbers) {
      await database.transaction(async (tx) => {
        // Another process has claimed it, if this one seemed to be gone.
        const [row] = await tx.query(
          'SELECT 1 FROM foyer.conversation WHERE id = $1 AND embedding_owner = $2 FOR UPDATE',
          [id, owner],
        )
        if (!row) return
        await tx.query(
          `INSERT INTO foyer.embedding (conversation_id, model, numbers) VALUES ($1, $2, $3)
           ON CONFLICT (conversation_id) DO UPDATE SET model = $2, numbers = $3 WHERE cardinality($3::real[]) > 0`,
          [id, model, `{${numbers.join(',')}}`],
        )
        await tx.query(
          `UPDATE foyer.conversation AS c SET unembedded = ${WORDS} <> $2, embedding_owner = NULL,
             embedding_attempts = 0, embedding_due = NULL WHERE id = $1`,
          [id, text],
        )
      })
    },
    async retryTexts(owner, ids, attempts, due) {
      await database.query(
        `UPDATE foyer.conversation SET embedding_owner = NULL, embedding_attempts = $3, embedding_due = $4
         WHERE embedding_owner = $1 AND id = ANY ($2::text[])`,
        [owner, textArray(ids), attempts, due.toISOString()],
      )
    },
    async releaseTexts(owner) {
      await database.query(
        'UPDATE foyer.conversation SET embedding_owner = NULL WHERE unembedded AND embedding_owner = $1',
        [owner],
      )
    },
    async useModel(model, size) {
      // Usually there are none: this query delays a start less than an update that changes nothing.
      const [other] = await database.query(
        'SELECT 1 FROM foyer.embedding WHERE model < $1 OR model > $1 LIMIT 1',
        [model],
      )
      if (other)
        await database.query(
          `WITH old AS (DELETE FROM foyer.embedding WHERE model < $1 OR model > $1 RETURNING conversation_id)
         UPDATE foyer.conversation SET unembedded = true WHERE id IN (SELECT conversation_id FROM old)`,
          [model],
        )
      pgvector = await findPgvector(database, size)
    },
    waiting: () => waitingForVectors(database),
  }
}

/** How many conversations have a vector, which costs as much as all of them, and how many wait for one. */
export async function vectorCounts(db: Queries): Promise<VectorCounts> {
  const [row] = await db.query<{ made: number }>(
    'SELECT count(*)::integer AS made FROM foyer.embedding WHERE cardinality(numbers) > 0',
  )
  return { made: row?.made ?? 0, waiting: await waitingForVectors(db) }
}

async function waitingForVectors(db: Queries): Promise<number> {
  const [row] = await db.query<{ waiting: number }>(
    'SELECT count(*)::integer AS waiting FROM foyer.conversation WHERE unembedded',
  )
  return row?.waiting ?? 0
}

/** The schema that pgvector lives in, as SQL writes it. */
const PGVECTOR = `SELECT quote_ident(n.nspname) AS schema FROM pg_extension AS e
  JOIN pg_namespace AS n ON n.oid = e.extnamespace WHERE e.extname = 'vector'`

/** Finds or installs pgvector, if the database permits that, and creates its index for vectors of this size. */
async function findPgvector(database: Database, size: number): Promise<Pgvector | undefined> {
  // The index cannot hold larger vectors.
  if (size > 2_000) return undefined
  const index = `embedding_nearest_${size}`
  // Usually the index exists: this query delays a start less than the transaction that creates it.
  const [made] = await database.query<{ schema: string }>(
    `${PGVECTOR} AND to_regclass('foyer.${index}') IS NOT NULL`,
  )
  if (made) return { schema: made.schema, size }
  try {
    return await database.transaction(async (tx) => {
      await tx.query("SELECT pg_advisory_xact_lock(hashtext('foyer.vector'))")
      const [available] = await tx.query("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'")
      if (!available) return undefined
      await tx.query('CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA foyer')
      const [found] = await tx.query<{ schema: string }>(PGVECTOR)
      if (!found) return undefined
      await tx.query(
        `CREATE INDEX IF NOT EXISTS ${index} ON foyer.embedding
         USING hnsw ((numbers::${found.schema}.vector(${size})) ${found.schema}.vector_cosine_ops)
         WITH (m = 8, ef_construction = 40) WHERE array_length(numbers, 1) = ${size}`,
      )
      return { schema: found.schema, size }
    })
  } catch {
    // The database user may not install the extension. Exact search serves smaller ranges.
    return undefined
  }
}
