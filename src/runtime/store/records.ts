// Records of conversations: written while they go on, read by the API. Every list has an index that serves it.

import type { Database, Queries } from './database.ts'
import { ALL_DICTIONARIES, dictionaryOf, folded, spaced, spacedQuery } from './language.ts'

export type Channel = 'WEBCHAT' | 'VOICE-SIP' | 'SMS' | 'RCS'

/** What is known of a conversation when it begins. */
export type NewConversation = {
  id: string
  accountId: string
  projectId: string
  environment: string
  channel: Channel
  variant?: { id: string; name: string } | undefined
  fromNumber?: string
  toNumber?: string
  language?: string
}

export type ConversationRow = {
  id: string
  account_id: string
  project_id: string
  variant_id: string
  variant_name: string
  environment: string
  channel: string
  from_number: string
  to_number: string
  language: string
  started_at: Date
  ended_at: Date | null
  num_turns: number
  num_silences: number
  num_ood: number
  latency_sum: number
  latency_count: number
  handoff: boolean
  handoff_reason: string
  handoff_destination: string
  /** When a person took over from the agent. */
  agent_left_at: Date | null
  metrics: Record<string, string | string[]>
  state: Record<string, unknown>
}

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

/** What an agent found out about the turn it answers. */
export type Understanding = {
  intents?: readonly string[]
  entities?: readonly Record<string, string | string[]>[]
  outOfDomain?: boolean
  translatedInput?: string
  englishResponse?: string
}

/** `cause`: the sequence of the event that brought the input. */
export type NewTurn = { cause: number; input: string; dtmf?: string; silence?: boolean; at: Date }

/** The agent, answering the turn of a cause; or a person, who answers the last. */
export type Speaker = { agent: true; cause: number } | { agent: false }

/** Writes the record of one conversation, within the transaction that stores the events it tells of. */
export interface Recorder {
  beginTurn(turn: NewTurn): Promise<void>
  /** Adds words to the turn they answer; words that answer nothing get a turn without input. */
  respond(text: string, at: Date, by: Speaker): Promise<void>
  understand(understanding: Understanding, cause: number): Promise<void>
  /** A second value under one name makes an array. */
  metric(name: string, value: string): Promise<void>
  state(state: Readonly<Record<string, unknown>>): Promise<void>
  handoff(reason: string, destination: string): Promise<void>
  agentLeft(at: Date): Promise<void>
  language(code: string): Promise<void>
  channel(channel: Channel): Promise<void>
  end(at: Date): Promise<void>
}

export type Filter = {
  projectId: string
  environment: string
  from?: Date | undefined
  to?: Date | undefined
  channels?: readonly string[] | undefined
  variantId?: string | undefined
  variantName?: string | undefined
  inProgress?: boolean | undefined
  /** Concurrency only. */
  language?: string | undefined
  phoneNumber?: string | undefined
}

export type Place = { startedAt: Date; id: string }
/** Of a search: what started after `asOf` is not seen, so that its pages do not drift. */
export type SearchPage = { limit: number; offset: number; asOf: Date }

/** Semantic search has to look at each conversation, and there are too many of them in range. */
export class TooManyToCompare extends Error {
  override name = 'TooManyToCompare'
}

export const MOST_COMPARED = 20_000
/** No more words of a conversation are indexed above this: a search vector has a largest size. */
const MOST_WORDS = 20_000

const SUMMARY = `id, account_id, project_id, variant_id, variant_name, environment, channel, from_number, to_number,
  language, started_at, ended_at, num_turns, num_silences, num_ood, latency_sum, latency_count, handoff,
  handoff_reason, handoff_destination, agent_left_at, metrics, state`

export type Records = ReturnType<typeof createRecords>

export async function insertConversation(
  tx: Queries,
  conversation: NewConversation,
  now: Date,
): Promise<void> {
  const language = conversation.language ?? ''
  await tx.query(
    `INSERT INTO foyer.conversation (id, account_id, project_id, environment, channel, variant_id, variant_name,
       from_number, to_number, language, started_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      conversation.id,
      conversation.accountId,
      conversation.projectId,
      conversation.environment,
      conversation.channel,
      conversation.variant?.id ?? '',
      conversation.variant?.name ?? '',
      conversation.fromNumber ?? '',
      conversation.toNumber ?? '',
      language,
      now.toISOString(),
    ],
  )
  await tx.query(`INSERT INTO foyer.transcript (conversation_id, config, words) VALUES ($1, $2, '')`, [
    conversation.id,
    dictionaryOf(language),
  ])
}

export function createRecorder(tx: Queries, id: string): Recorder {
  async function index(text: string, side: 'A' | 'B'): Promise<void> {
    if (text.trim() === '') return
    await tx.query(
      `UPDATE foyer.transcript SET words = words
         || setweight(to_tsvector(config::regconfig, $2), $4::"char") || setweight(to_tsvector('simple', $3), $4::"char")
       WHERE conversation_id = $1 AND length(words) < ${MOST_WORDS}`,
      [id, spaced(text), folded(spaced(text)), side],
    )
  }
  const recorder: Recorder = {
    async beginTurn({ cause, input, dtmf = '', silence = false, at }) {
      await tx.query(
        `WITH c AS (UPDATE foyer.conversation SET num_turns = num_turns + 1, num_silences = num_silences + $5::integer
           WHERE id = $1 RETURNING num_turns)
         INSERT INTO foyer.turn (conversation_id, position, user_input, user_input_dtmf, user_input_at, is_silence, cause)
         SELECT $1, num_turns, $2, $3, $4, $5 = 1, $6 FROM c`,
        [id, input, dtmf, at.toISOString(), silence ? 1 : 0, cause],
      )
      await index(input, 'A')
    },
    async respond(text, at, by) {
      const [turn] = await tx.query<{
        position: number
        agent_response_at: Date | null
        user_input_at: Date
      }>(
        `SELECT position, agent_response_at, user_input_at FROM foyer.turn
         WHERE conversation_id = $1 ${by.agent ? 'AND cause = $2' : 'AND $2 = 0'} ORDER BY position DESC LIMIT 1`,
        [id, by.agent ? by.cause : 0],
      )
      if (!turn) {
        await recorder.beginTurn({ cause: by.agent ? by.cause : 0, input: '', at })
        return recorder.respond(text, at, by)
      }
      const first = by.agent && turn.agent_response_at === null
      const latency = Math.max(0, (at.getTime() - new Date(turn.user_input_at).getTime()) / 1000)
      await tx.query(
        `UPDATE foyer.turn SET
           agent_response = CASE WHEN agent_response = '' THEN $3 ELSE agent_response || E'\\n\\n' || $3 END,
           agent_response_at = coalesce(agent_response_at, $4), latency = CASE WHEN $5 THEN $6 ELSE latency END
         WHERE conversation_id = $1 AND position = $2`,
        [id, turn.position, text, at.toISOString(), first, latency],
      )
      if (first)
        await tx.query(
          'UPDATE foyer.conversation SET latency_sum = latency_sum + $2, latency_count = latency_count + 1 WHERE id = $1',
          [id, latency],
        )
      await index(text, 'B')
    },
    async understand({ intents, entities, outOfDomain, translatedInput, englishResponse }, cause) {
      await tx.query(
        `WITH last AS (SELECT position, is_ood FROM foyer.turn WHERE conversation_id = $1 AND cause = $7),
         counted AS (UPDATE foyer.conversation SET num_ood = num_ood + 1
           WHERE id = $1 AND $4 AND EXISTS (SELECT 1 FROM last WHERE NOT is_ood))
         UPDATE foyer.turn SET intents = intents || $2::jsonb, entities = entities || $3::jsonb,
           is_ood = turn.is_ood OR $4, translated_user_input = coalesce($5, translated_user_input),
           english_agent_response = coalesce($6, english_agent_response)
         FROM last WHERE turn.conversation_id = $1 AND turn.position = last.position`,
        [
          id,
          JSON.stringify(intents ?? []),
          JSON.stringify(entities ?? []),
          outOfDomain ?? false,
          translatedInput ?? null,
          englishResponse ?? null,
          cause,
        ],
      )
    },
    async metric(name, value) {
      await tx.query(
        `UPDATE foyer.conversation SET metrics = metrics || jsonb_build_object($2::text, CASE
           WHEN NOT metrics ? $2 THEN to_jsonb($3::text)
           WHEN jsonb_typeof(metrics -> $2) = 'array' THEN (metrics -> $2) || to_jsonb($3::text)
           ELSE jsonb_build_array(metrics -> $2, $3::text) END) WHERE id = $1`,
        [id, name, value],
      )
    },
    async state(state) {
      await tx.query('UPDATE foyer.conversation SET state = state || $2::jsonb WHERE id = $1', [
        id,
        JSON.stringify(state),
      ])
    },
    async handoff(reason, destination) {
      await tx.query(
        `UPDATE foyer.conversation SET handoff = true, handoff_reason = $2, handoff_destination = $3 WHERE id = $1`,
        [id, reason, destination],
      )
    },
    async agentLeft(at) {
      await tx.query(
        'UPDATE foyer.conversation SET agent_left_at = coalesce(agent_left_at, $2) WHERE id = $1',
        [id, at.toISOString()],
      )
    },
    async language(code) {
      await tx.query('UPDATE foyer.conversation SET language = $2 WHERE id = $1', [id, code])
      await tx.query('UPDATE foyer.transcript SET config = $2 WHERE conversation_id = $1', [
        id,
        dictionaryOf(code),
      ])
    },
    async channel(channel) {
      await tx.query('UPDATE foyer.conversation SET channel = $2 WHERE id = $1', [id, channel])
    },
    async end(at) {
      // Of two clocks the later one began it, perhaps: it never ends before.
      await tx.query(
        'UPDATE foyer.conversation SET ended_at = coalesce(ended_at, greatest($2, started_at)) WHERE id = $1',
        [id, at.toISOString()],
      )
    },
  }
  return recorder
}

export function createRecords(database: Database) {
  /** Undefined until it was looked for: the schema that pgvector lives in, where the database has it. */
  let vectors: { schema: string; size: number } | undefined

  return {
    /** Newest first. Without a place and an offset the first page. */
    page(
      filter: Filter,
      { limit, after, offset = 0 }: { limit: number; after?: Place | undefined; offset?: number },
    ): Promise<ConversationRow[]> {
      const several = filter.channels !== undefined && filter.channels.length > 1
      const { where, params } = conditions(several ? { ...filter, channels: undefined } : filter)
      if (after) {
        params.push(after.startedAt.toISOString(), after.id)
        const [at, id] = [params.length - 1, params.length]
        // The first half gives the index a range to start at; the second takes the right ones of one instant.
        where.push(`c.started_at <= $${at} AND (c.started_at < $${at} OR c.id > $${id})`)
      }
      params.push(limit, offset)
      const [most, from] = [`$${params.length - 1}::bigint`, `$${params.length}::bigint`]
      const matching = `FROM foyer.conversation AS c WHERE ${where.join(' AND ')}`
      const newest = 'ORDER BY c.started_at DESC, c.id'
      if (!several && offset === 0)
        return database.query<ConversationRow>(
          `SELECT ${SUMMARY} ${matching} ${newest} LIMIT ${most} OFFSET ${from}`,
          params,
        )
      if (several) params.push(JSON.stringify([...new Set(filter.channels)]))
      // What is passed by is read from an index alone. One has each channel in order: their first are put together.
      const places = several
        ? `SELECT c.found FROM jsonb_array_elements_text($${params.length}::jsonb) AS one (name) CROSS JOIN LATERAL (
             SELECT c.id AS found, c.started_at ${matching} AND c.channel = one.name ${newest} LIMIT ${most} + ${from}
           ) AS c ORDER BY c.started_at DESC, c.found`
        : `SELECT c.id AS found ${matching} ${newest}`
      return database.query<ConversationRow>(
        `SELECT ${SUMMARY} FROM (${places} LIMIT ${most} OFFSET ${from}) AS page
         JOIN foyer.conversation ON id = found ORDER BY started_at DESC, id`,
        params,
      )
    },

    /** Full-text search in what was said, best first: words, "phrases", or, and -not. */
    async search(
      filter: Filter,
      { text, side }: { text: string; side?: 'user' | 'agent' | undefined },
      { limit, offset, asOf }: SearchPage,
    ): Promise<ConversationRow[]> {
      const parsed = await database.query<{ config: string; query: string }>(
        `SELECT config, websearch_to_tsquery(config::regconfig, $1)::text AS query
           FROM jsonb_array_elements_text($2::jsonb) AS config
         UNION ALL SELECT 'any', websearch_to_tsquery('simple', $3)::text`,
        [spacedQuery(text), JSON.stringify(ALL_DICTIONARIES), folded(spacedQuery(text))],
      )
      const weight = side === undefined ? '' : side === 'user' ? 'A' : 'B'
      const weighted = (query: string) =>
        weight ? query.replace(/'((?:[^']|'')*)'/g, (lexeme) => `${lexeme}:${weight}`) : query
      // Each conversation is asked in its own language, and by its exact words.
      const byQuery = new Map<string, string[]>()
      for (const { config, query } of parsed)
        if (query !== '') byQuery.set(weighted(query), [...(byQuery.get(weighted(query)) ?? []), config])
      if (byQuery.size === 0) return []
      const { where, params } = conditions(filter)
      const arms = [...byQuery].map(([query, configs]) => {
        params.push(query)
        const matches = `t.words @@ $${params.length}::tsquery`
        if (configs.includes('any')) return matches
        return `(${matches} AND t.config IN (${configs.map((config) => `'${config}'`).join(', ')}))`
      })
      params.push(
        [...byQuery.keys()].map((query) => `(${query})`).join(' | '),
        asOf.toISOString(),
        limit,
        offset,
      )
      const n = params.length
      // The first condition is one look into the index. The CASE keeps the planner from counting the same words twice.
      return database.query<ConversationRow>(
        `SELECT ${SUMMARY} FROM (
           SELECT c.id AS found, ts_rank(t.words, $${n - 3}::tsquery, 1) AS rank
           FROM foyer.transcript AS t JOIN foyer.conversation AS c ON c.id = t.conversation_id
           WHERE t.words @@ $${n - 3}::tsquery AND CASE WHEN ${arms.join(' OR ')} THEN true ELSE false END
             AND ${where.join(' AND ')} AND c.started_at <= $${n - 2}
           ORDER BY rank DESC, c.started_at DESC, c.id LIMIT $${n - 1} OFFSET $${n}) AS best
         JOIN foyer.conversation ON id = found ORDER BY rank DESC, started_at DESC, id`,
        params,
      )
    },

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
      return compared(`(SELECT -sum(a * b) FROM unnest(e.numbers, $${n}::real[]) AS pair (a, b))`, 'true')
    },

    /** So many of the range, by chance. */
    sample(filter: Filter, limit: number): Promise<ConversationRow[]> {
      const { where, params } = conditions(filter)
      params.push(limit)
      return database.query<ConversationRow>(
        // Drawn from the index, and only then read.
        `SELECT ${SUMMARY} FROM foyer.conversation WHERE id IN (
           SELECT c.id FROM foyer.conversation AS c WHERE ${where.join(' AND ')}
           ORDER BY random() LIMIT $${params.length})
         ORDER BY random()`,
        params,
      )
    },

    /** The turns of these conversations, in order. */
    turns: (ids: readonly string[]): Promise<TurnRow[]> =>
      ids.length === 0
        ? Promise.resolve([])
        : database.query<TurnRow>(
            `SELECT * FROM foyer.turn WHERE conversation_id = ANY ($1::text[]) ORDER BY conversation_id, position`,
            [`{${ids.map((id) => `"${id.replace(/["\\]/g, '\\$&')}"`).join(',')}}`],
          ),

    /** When the conversations that were open between two times began and ended, in milliseconds since 1970. */
    async spans(
      filter: Filter,
      from: Date,
      to: Date,
    ): Promise<{ start: number; end: number | undefined; variantId: string; variantName: string }[]> {
      const { where, params } = conditions(filter)
      params.push(from.toISOString(), to.toISOString())
      const n = params.length
      // One row for each variant: a week may hold a great many conversations.
      const rows = await database.query<{ variant_id: string; variant_name: string; spans: string }>(
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
    },

    async find(id: string): Promise<ConversationRow | undefined> {
      const [row] = await database.query<ConversationRow>(
        `SELECT ${SUMMARY} FROM foyer.conversation AS c WHERE id = $1`,
        [id],
      )
      return row
    },

    /** Erases one conversation with all that hangs on it. False where there is none. */
    async erase(id: string): Promise<boolean> {
      const rows = await database.query('DELETE FROM foyer.conversation WHERE id = $1 RETURNING id', [id])
      return rows.length > 0
    },

    /** Erases what is known of a phone number: conversations, calls, consent. Returns how many conversations. */
    eraseNumber: (number: string): Promise<number> =>
      database.transaction(async (tx) => {
        const rows = await tx.query(
          'DELETE FROM foyer.conversation WHERE from_number = $1 OR to_number = $1 RETURNING id',
          [number],
        )
        await tx.query('DELETE FROM foyer.call WHERE to_number = $1', [number])
        await tx.query('DELETE FROM foyer.consent WHERE user_number = $1', [number])
        return rows.length
      }),

    /** Erases at most a thousand conversations that ended before; returns how many. */
    async eraseEndedBefore(time: Date): Promise<number> {
      const rows = await database.query(
        `DELETE FROM foyer.conversation WHERE id IN
           (SELECT id FROM foyer.conversation WHERE ended_at < $1 ORDER BY ended_at LIMIT 1000) RETURNING id`,
        [time.toISOString()],
      )
      return rows.length
    },

    /** Conversations whose newest words have no vector yet, with all their words. */
    async unembedded(
      quietSince: Date,
      limit: number,
    ): Promise<{ id: string; turns: number; text: string }[]> {
      return database.query(
        `SELECT c.id, c.num_turns AS turns,
           (SELECT string_agg(t.user_input || ' ' || t.agent_response, ' ' ORDER BY t.position)
            FROM foyer.turn AS t WHERE t.conversation_id = c.id) AS text
         FROM foyer.conversation AS c WHERE c.embedded_turns < c.num_turns
           AND (c.ended_at IS NOT NULL OR $1 >= (SELECT coalesce(max(t.user_input_at), '-infinity')
             FROM foyer.turn AS t WHERE t.conversation_id = c.id))
         ORDER BY c.started_at LIMIT $2`,
        [quietSince.toISOString(), limit],
      )
    },
    async saveVector(id: string, model: string, numbers: readonly number[], turns: number): Promise<void> {
      await database.transaction(async (tx) => {
        const [row] = await tx.query('SELECT 1 FROM foyer.conversation WHERE id = $1 FOR UPDATE', [id])
        if (!row) return
        await tx.query(
          `INSERT INTO foyer.embedding (conversation_id, model, numbers) VALUES ($1, $2, $3)
           ON CONFLICT (conversation_id) DO UPDATE SET model = $2, numbers = $3`,
          [id, model, `{${numbers.join(',')}}`],
        )
        await tx.query('UPDATE foyer.conversation SET embedded_turns = $2 WHERE id = $1', [id, turns])
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

function conditions(filter: Filter): { where: string[]; params: unknown[] } {
  const where = ['c.project_id = $1', 'c.environment = $2']
  const params: unknown[] = [filter.projectId, filter.environment]
  const add = (condition: (n: number) => string, value: unknown) => {
    params.push(value)
    where.push(condition(params.length))
  }
  if (filter.from) add((n) => `c.started_at >= $${n}`, filter.from.toISOString())
  if (filter.to) add((n) => `c.started_at <= $${n}`, filter.to.toISOString())
  const [only, ...more] = filter.channels ?? []
  if (only !== undefined && more.length === 0) add((n) => `c.channel = $${n}`, only)
  else if (only !== undefined)
    add(
      (n) => `c.channel IN (SELECT jsonb_array_elements_text($${n}::jsonb))`,
      JSON.stringify(filter.channels),
    )
  if (filter.variantId !== undefined) add((n) => `c.variant_id = $${n}`, filter.variantId)
  if (filter.variantName !== undefined) add((n) => `c.variant_name = $${n}`, filter.variantName)
  if (filter.language !== undefined) add((n) => `c.language = $${n}`, filter.language)
  if (filter.phoneNumber !== undefined)
    add((n) => `(c.from_number = $${n} OR c.to_number = $${n})`, filter.phoneNumber)
  if (filter.inProgress !== undefined) where.push(`c.ended_at IS ${filter.inProgress ? '' : 'NOT '}NULL`)
  return { where, params }
}
