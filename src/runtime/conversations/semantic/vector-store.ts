// Stores the vectors of conversations, and makes the index of pgvector if the database has it.

import {
  type Condition,
  type Database,
  inTransaction,
  isValidIndex,
  makeIndex,
  type Queries,
  type Reading,
  textArray,
} from '../../database/index.ts'
import { type Filter, type Found, quietOrEnded, type SearchPage } from '../filter-store.ts'
import { type NearestPlace, nearest, type Pgvector } from './nearest-store.ts'

/** All words of `c`, a conversation. */
const WORDS = `(SELECT string_agg(t.user_input || ' ' || t.agent_response, ' ' ORDER BY t.position)
   FROM foyer.turn AS t WHERE t.conversation_id = c.id)`

/** A conversation whose vector this process makes. `attempts`: how often the endpoint refused it, alone or with others. */
export type ClaimedText = { id: string; text: string; attempts: number }

/** `made`: vectors. `waiting`: conversations that wait for theirs. */
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
  /** Installs pgvector, if the database permits that, and makes its index for vectors of this size. One process at a time may do so. */
  makeIndex(size: number): Promise<void>
  /**
   * Deletes so many vectors of other models, which cannot be compared with this one's, so that they are made again. Resolves to how many
   * it deleted.
   */
  forgetOtherModels(model: string, limit: number): Promise<number>
  /** How many conversations wait for a vector. */
  waiting(): Promise<number>
  /** Whether any conversation waits for a vector. */
  due(): Condition
}

export function createVectorStore(database: Database): VectorStore {
  /** Once a search has found its index. */
  let pgvector: Pgvector | undefined

  return {
    async nearest(db, filter, query, page) {
      pgvector ??= await findPgvector(db, query.vector.length)
      return nearest(db, pgvector, filter, query, page)
    },
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
      await inTransaction(database, 'store a vector', async (tx) => {
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
    makeIndex: (size) => makePgvectorIndex(database, size),
    async forgetOtherModels(model, limit) {
      const rows = await database.query(
        `WITH old AS (DELETE FROM foyer.embedding WHERE conversation_id IN (
           SELECT conversation_id FROM foyer.embedding WHERE model < $1 OR model > $1 LIMIT $2) RETURNING conversation_id)
         UPDATE foyer.conversation SET unembedded = true WHERE id IN (SELECT conversation_id FROM old) RETURNING 1`,
        [model, limit],
      )
      return rows.length
    },
    waiting: () => waitingForVectors(database),
    due: () => ({ sql: 'EXISTS (SELECT 1 FROM foyer.conversation WHERE unembedded)', params: [] }),
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

/** pgvector's index cannot hold larger vectors. */
const MOST_NUMBERS = 2_000
const indexOf = (size: number): string => `embedding_nearest_${size}`

/** The index of pgvector for vectors of this size, if it can be used. */
async function findPgvector(db: Queries, size: number): Promise<Pgvector | undefined> {
  const [found] = await db.query<{ schema: string }>(
    `${PGVECTOR} AND EXISTS (SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1) AND indisvalid)`,
    [`foyer.${indexOf(size)}`],
  )
  return found && { schema: found.schema, size }
}

async function makePgvectorIndex(database: Database, size: number): Promise<void> {
  if (size > MOST_NUMBERS || (await isValidIndex(database, indexOf(size)))) return
  const [available] = await database.query("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'")
  if (!available) return
  try {
    await database.query('CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA foyer')
    const [found] = await database.query<{ schema: string }>(PGVECTOR)
    if (!found) return
    const vector = `${found.schema}.vector`
    await makeIndex(database, {
      name: indexOf(size),
      on: `foyer.embedding USING hnsw ((numbers::${vector}(${size})) ${vector}_cosine_ops)
        WITH (m = 8, ef_construction = 40) WHERE array_length(numbers, 1) = ${size}`,
    })
  } catch {
    // The database user may not install it, or it is too old. Exact search serves smaller ranges.
  }
}
