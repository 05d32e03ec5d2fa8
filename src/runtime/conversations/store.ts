// Records of conversations, read by the API. Every list has an index that serves it.

import type { Database, Queries } from '../database/database.ts'
import {
  type ConversationRow,
  conditions,
  type Filter,
  type Place,
  type SearchPage,
  SUMMARY,
} from './filter-store.ts'
import { ALL_DICTIONARIES, folded, operandsOf } from './language.ts'
import { createVectors } from './vector-store.ts'

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

export type Records = ReturnType<typeof createRecords>

export function createRecords(database: Database) {
  return {
    ...createVectors(database),

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
      const weight = side === undefined ? '' : side === 'user' ? 'A' : 'B'
      const query = await readQuery(database, text, weight)
      if (query.any === '') return []
      const { where, params } = conditions(filter)
      const arms = [...query.byDictionary].map(([own, dictionaries]) => {
        params.push(own)
        const list = dictionaries.map((dictionary) => `'${dictionary}'`).join(', ')
        return `WHEN t.config IN (${list}) THEN t.words @@ $${params.length}::tsquery`
      })
      params.push(query.any, asOf.toISOString(), limit, offset)
      const n = params.length
      // The first condition is one look into the index. The CASE keeps the planner from counting the same words twice.
      return database.query<ConversationRow>(
        `SELECT ${SUMMARY} FROM (
           SELECT c.id AS found, ts_rank(t.words, $${n - 3}::tsquery, 1) AS rank
           FROM foyer.transcript AS t JOIN foyer.conversation AS c ON c.id = t.conversation_id
           WHERE t.words @@ $${n - 3}::tsquery AND CASE ${arms.join(' ')} ELSE false END
             AND ${where.join(' AND ')} AND c.started_at <= $${n - 2}
           ORDER BY rank DESC, c.started_at DESC, c.id LIMIT $${n - 1} OFFSET $${n}) AS best
         JOIN foyer.conversation ON id = found ORDER BY rank DESC, started_at DESC, id`,
        params,
      )
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
    erase: (id: string): Promise<boolean> =>
      database.transaction(async (tx) => (await eraseThese(tx, 'c.id = $1', [id])) > 0),

    /** Erases what is known of a phone number: conversations, calls, consent. Returns how many conversations. */
    eraseNumber: (number: string): Promise<number> =>
      database.transaction(async (tx) => {
        const erased = await eraseThese(tx, 'c.from_number = $1 OR c.to_number = $1', [number])
        await tx.query('DELETE FROM foyer.call WHERE to_number = $1', [number])
        await tx.query('DELETE FROM foyer.consent WHERE user_number = $1', [number])
        return erased
      }),

    /** Erases at most a thousand conversations that ended before; returns how many. */
    eraseEndedBefore: (time: Date): Promise<number> => {
      const ended =
        'c.id IN (SELECT id FROM foyer.conversation WHERE ended_at < $1 ORDER BY ended_at LIMIT 1000)'
      return database.transaction((tx) => eraseThese(tx, ended, [time.toISOString()]))
    },
  }
}

/**
 * Erases conversations with all that hangs on them; returns how many. Their sessions are locked before they are,
 * as by everybody who writes to them: else two could wait for each other.
 */
async function eraseThese(tx: Queries, where: string, params: readonly unknown[]): Promise<number> {
  const found = await tx.query<{ id: string }>(
    `SELECT c.id FROM foyer.conversation AS c WHERE ${where} ORDER BY c.id`,
    params,
  )
  const ids = `{${found.map(({ id }) => JSON.stringify(id)).join(',')}}`
  await tx.query('SELECT id FROM foyer.session WHERE id = ANY ($1::text[]) ORDER BY id FOR UPDATE', [ids])
  const rows = await tx.query('DELETE FROM foyer.conversation WHERE id = ANY ($1::text[]) RETURNING id', [
    ids,
  ])
  return rows.length
}

/**
 * What is looked for in the conversations of each language, queries of PostgreSQL with the dictionaries they are
 * for; and `any`, which finds those of all, and perhaps more. Words are found by their stems or as they are
 * written, all of them in the same way; what is excluded is so in both.
 */
async function readQuery(
  database: Database,
  text: string,
  weight: string,
): Promise<{ any: string; byDictionary: Map<string, string[]> }> {
  const alternatives = operandsOf(text)
  const operands = alternatives.flat()
  const read = await database.query<{ dictionary: string; queries: string[] }>(
    `SELECT dictionary, jsonb_agg(phraseto_tsquery(dictionary::regconfig, words)::text ORDER BY place) AS queries
     FROM jsonb_array_elements_text($1::jsonb) AS dictionary
       CROSS JOIN jsonb_array_elements_text($2::jsonb) WITH ORDINALITY AS operand (words, place)
     GROUP BY dictionary
     UNION ALL SELECT 'simple', jsonb_agg(phraseto_tsquery('simple', words)::text ORDER BY place)
     FROM jsonb_array_elements_text($3::jsonb) WITH ORDINALITY AS operand (words, place)`,
    [ALL_DICTIONARIES, operands.map((one) => one.text), operands.map((one) => folded(one.text))].map((list) =>
      JSON.stringify(list),
    ),
  )
  const weighted = (query = '') =>
    weight ? query.replace(/'((?:[^']|'')*)'/g, (lexeme) => `${lexeme}:${weight}`) : query
  const all = (queries: readonly string[]) => queries.map((query) => `(${query})`).join(' & ')
  const distinct = (queries: readonly string[]) => [...new Set(queries)].filter((query) => query !== '')

  const exact = read.find(({ dictionary }) => dictionary === 'simple')?.queries ?? []
  const byDictionary = new Map<string, string[]>()
  const any = new Set<string>()
  for (const { dictionary, queries } of read) {
    if (dictionary === 'simple') continue
    let place = 0
    const own = alternatives.flatMap((alternative) => {
      const forms = alternative.map(({ not }) => {
        const at = place++
        return { not, stem: weighted(queries[at]), word: weighted(exact[at]) }
      })
      const wanted = forms.filter(({ not }) => !not)
      const either = distinct([
        all(distinct(wanted.map(({ stem }) => stem))),
        all(distinct(wanted.map(({ word }) => word))),
      ])
      const none = distinct(forms.flatMap(({ not, stem, word }) => (not ? [stem, word] : [])))
      const without = none.map((query) => `!(${query})`).join(' & ')
      for (const query of either.length > 0 ? either : distinct([without])) any.add(query)
      return distinct([
        [...(either.length > 0 ? [`(${either.join(' | ')})`] : []), ...distinct([without])].join(' & '),
      ])
    })
    const query = own.map((one) => `(${one})`).join(' | ')
    if (query !== '') byDictionary.set(query, [...(byDictionary.get(query) ?? []), dictionary])
  }
  return { any: [...any].map((query) => `(${query})`).join(' | '), byDictionary }
}
