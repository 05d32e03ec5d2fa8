// Writes the full-text index of transcripts.

import {
  type Condition,
  type Database,
  inTransaction,
  isLockTimeout,
  makeIndex,
  type Queries,
  textArray,
} from '../../database/index.ts'
import { quietOrEnded } from '../filter-store.ts'
import { beginning, byteLength, dictionaryOf, folded, spaced } from './language.ts'

// The index must never be the reason to refuse a text. A tsvector holds 1 MiB of words and their places
// (not counting 4 bytes for each word), and refuses more. N bytes of text give at most 16 N bytes of a tsvector:
//
//   words    N x 2 (`well-known` is indexed whole and in parts) x 1.5 (characters that grow in lower case)     3 N
//   places   fewer than N words, each with 2 bytes for its place, 2 for how many there are, 1 to align    5 N
//   both indexed twice, by the language's dictionary and as written                                    x 2
//
// So one step from under 512 KiB stays under 512 + 16 x 24 = 896 KiB. Words beyond that are not found.
const LARGEST_INDEX = 512 * 1024
const LARGEST_STEP = 24 * 1024
/** Texts of one statement. */
const TEXTS_PER_STEP = 100

/** Whether any conversation has words that are not indexed yet. */
export const dueIndexing = (): Condition => ({
  sql: 'EXISTS (SELECT 1 FROM foyer.conversation WHERE unindexed)',
  params: [],
})

/** The newest conversations of a project that have words which are not indexed yet, the newest first. */
export async function unindexedOf(db: Queries, projectId: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT c.id FROM foyer.conversation AS c WHERE c.unindexed AND c.project_id = $1
     ORDER BY c.started_at DESC LIMIT $2`,
    [projectId, limit],
  )
  return rows.map(({ id }) => id)
}

type Due = { id: string; language: string }

/**
 * Indexes the words of conversations that are due, and that have ended or are quiet since a time, each in the dictionary of its language.
 * Returns how many it indexed. Skips conversations that another transaction has locked; the next call indexes them.
 */
export const indexTranscripts = (
  database: Database,
  { quietSince, limit }: { quietSince: Date; limit: number },
): Promise<number> =>
  inTransaction(database, 'index transcripts', async (tx) => {
    const due = await tx.query<Due>(
      `SELECT c.id, c.language FROM foyer.conversation AS c WHERE c.unindexed AND ${quietOrEnded('$1')}
       ORDER BY c.started_at LIMIT $2 FOR UPDATE OF c SKIP LOCKED`,
      [quietSince.toISOString(), limit],
    )
    return (await writeIndexes(tx, due)).length
  })

/**
 * Indexes those of these conversations that are due, the newest first, until `late` is true. Returns what it indexed. Skips
 * conversations that another transaction has locked.
 */
export const indexConversations = (
  database: Database,
  ids: readonly string[],
  late: () => boolean,
): Promise<string[]> =>
  inTransaction(database, 'index conversations of a search', async (tx) => {
    const due = await tx.query<Due>(
      `SELECT c.id, c.language FROM foyer.conversation AS c WHERE c.unindexed AND c.id = ANY ($1::text[])
       ORDER BY c.started_at DESC FOR UPDATE OF c SKIP LOCKED`,
      [textArray(ids)],
    )
    return writeIndexes(tx, due, late)
  })

/**
 * Indexes a conversation if it is due, once no other transaction has it locked: it holds no other lock meanwhile. False if it is still
 * locked after so many milliseconds.
 */
export async function indexLocked(database: Database, id: string, ms: number): Promise<boolean> {
  try {
    await inTransaction(database, 'index a locked conversation', async (tx) => {
      // 0 would be no limit.
      tx.send("SELECT set_config('lock_timeout', $1, true)", [`${Math.max(1, Math.ceil(ms))}ms`])
      const due = await tx.query<Due>(
        'SELECT c.id, c.language FROM foyer.conversation AS c WHERE c.unindexed AND c.id = $1 FOR UPDATE OF c',
        [id],
      )
      await writeIndexes(tx, due)
    })
    return true
  } catch (error) {
    if (isLockTimeout(error)) return false
    throw error
  }
}

/** Indexes conversations that this transaction has locked, until `late` is true. Returns what it indexed. */
async function writeIndexes(tx: Queries, due: readonly Due[], late = () => false): Promise<string[]> {
  if (due.length === 0) return []
  const turns = await tx.query<{ conversation_id: string; user_input: string; agent_response: string }>(
    `SELECT conversation_id, user_input, agent_response FROM foyer.turn
     WHERE conversation_id = ANY ($1::text[]) ORDER BY conversation_id, position`,
    [textArray(due.map(({ id }) => id))],
  )
  const indexed: string[] = []
  for (const { id, language } of due) {
    if (late()) break
    const spokenTurns = turns
      .filter((turn) => turn.conversation_id === id)
      .flatMap(({ user_input, agent_response }): TurnText[] => [
        { text: user_input, side: 'A' },
        { text: agent_response, side: 'B' },
      ])
    await writeIndex(tx, id, dictionaryOf(language), spokenTurns)
    indexed.push(id)
  }
  await tx.query('UPDATE foyer.conversation SET unindexed = false WHERE id = ANY ($1::text[])', [
    textArray(indexed),
  ])
  return indexed
}

/**
 * Adds the day of their start to transcripts that an earlier build has written: a trigger does so whenever a transcript is written.
 * Returns how many it wrote.
 */
export async function dateTranscripts(db: Queries, limit: number): Promise<number> {
  const rows = await db.query(
    `UPDATE foyer.transcript SET words = words WHERE conversation_id IN (
       SELECT conversation_id FROM foyer.transcript WHERE NOT dated LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING 1`,
    [limit],
  )
  return rows.length
}

/** Finds the transcripts that are not dated. */
export const makeUndatedIndex = (database: Database): Promise<void> =>
  makeIndex(database, {
    name: 'transcript_undated',
    on: 'foyer.transcript (conversation_id) WHERE NOT dated',
  })

/** A text and the weight of its side: A the user, B the agent. */
type TurnText = { text: string; side: 'A' | 'B' }
type IndexWords = { side: 'A' | 'B'; spoken: string; folded: string; bytes: number }

async function writeIndex(
  tx: Queries,
  id: string,
  dictionary: string,
  said: readonly TurnText[],
): Promise<void> {
  const texts = said.filter(({ text }) => text.trim() !== '')
  const [first = [], ...more] = indexStepsOf(texts.map(wordsOf))
  await tx.query(
    `INSERT INTO foyer.transcript (conversation_id, config, words) VALUES ($1, $2, ${vectorSql(first)})
     ON CONFLICT (conversation_id) DO UPDATE SET config = excluded.config, words = excluded.words`,
    [id, dictionary, ...vectorParams(first)],
  )
  for (const step of more) {
    // pg_column_size of the bare column is its compressed size on disk; of an expression, its real size.
    const added = await tx.query(
      `UPDATE foyer.transcript SET words = words || ${vectorSql(step)}
       WHERE conversation_id = $1 AND $2 = config AND pg_column_size(words || ''::tsvector) < ${LARGEST_INDEX}
       RETURNING 1`,
      [id, dictionary, ...vectorParams(step)],
    )
    if (added.length === 0) return
  }
}

/** The parameters of this SQL: $2 the dictionary, from $3 on each text spaced and folded. */
const vectorSql = (step: readonly IndexWords[]): string =>
  step
    .map(
      ({ side }, n) =>
        `setweight(to_tsvector($2::text::regconfig, $${2 * n + 3}), '${side}')
         || setweight(to_tsvector('simple', $${2 * n + 4}), '${side}')`,
    )
    .join(' || ') || "''::tsvector"

const vectorParams = (step: readonly IndexWords[]): string[] =>
  step.flatMap((words) => [words.spoken, words.folded])

function wordsOf({ text, side }: TurnText): IndexWords {
  const spoken = beginning(spaced(text), LARGEST_STEP)
  const plain = beginning(folded(spoken), LARGEST_STEP)
  return { side, spoken, folded: plain, bytes: Math.max(byteLength(spoken), byteLength(plain)) }
}

/** Groups texts, in order, into steps of the largest size. */
function indexStepsOf(all: readonly IndexWords[]): IndexWords[][] {
  const steps: IndexWords[][] = []
  let room = 0
  for (const words of all) {
    const lastStep = steps.at(-1)
    room -= words.bytes
    if (lastStep && room >= 0 && lastStep.length < TEXTS_PER_STEP) lastStep.push(words)
    else {
      steps.push([words])
      room = LARGEST_STEP - words.bytes
    }
  }
  return steps
}
