// Searches transcripts by their words: PostgreSQL's full-text search, in every language for which PostgreSQL has a dictionary.

import type { Queries } from '../../database/index.ts'
import { type ConversationRow, conditions, type Filter, type SearchPage, SUMMARY } from '../filter-store.ts'
import { ALL_DICTIONARIES, folded, operandsOf } from './language.ts'

/** The words that a query may have. Each is searched in the forms of 29 dictionaries: 50 words can make 2,900 operands. */
export const MOST_QUERY_WORDS = 50

export type TranscriptQuery = { text: string; side?: 'user' | 'agent' | undefined }

/** Finds conversations by what was said, best match first: words, "phrases", or, and -not. */
export async function searchTranscripts(
  db: Queries,
  filter: Filter,
  { text, side }: TranscriptQuery,
  { limit, offset, asOf }: SearchPage,
): Promise<ConversationRow[]> {
  const weight = side === undefined ? '' : side === 'user' ? 'A' : 'B'
  const query = await readTsqueries(db, text, weight)
  if (query.any === '') return []
  const { where, params } = conditions(filter)
  const arms = [...query.byDictionary].map(([own, dictionaries]) => {
    params.push(own)
    const list = dictionaries.map((dictionary) => `'${dictionary}'`).join(', ')
    return `WHEN t.config IN (${list}) THEN t.words @@ $${params.length}::tsquery`
  })
  params.push(query.any, asOf.toISOString(), limit, offset)
  const n = params.length
  // The first condition is one index lookup. The CASE keeps the planner from counting the same words twice.
  return db.query<ConversationRow>(
    `SELECT ${SUMMARY} FROM (
       SELECT c.id AS found, ts_rank(t.words, $${n - 3}::tsquery, 1) AS rank
       FROM foyer.transcript AS t JOIN foyer.conversation AS c ON c.id = t.conversation_id
       WHERE t.words @@ $${n - 3}::tsquery AND CASE ${arms.join(' ')} ELSE false END
         AND ${where.join(' AND ')} AND c.started_at <= $${n - 2}
       ORDER BY rank DESC, c.started_at DESC, c.id LIMIT $${n - 1} OFFSET $${n}) AS best
     JOIN foyer.conversation ON id = found ORDER BY rank DESC, started_at DESC, id`,
    params,
  )
}

/**
 * The tsquery for each set of dictionaries, and `any`, which finds the matches of all of them and perhaps more. Either
 * all words match by their stems or all as they are written; excluded words are excluded in both forms.
 */
async function readTsqueries(
  db: Queries,
  text: string,
  weight: string,
): Promise<{ any: string; byDictionary: Map<string, string[]> }> {
  const alternatives = operandsOf(text)
  const operands = alternatives.flat()
  const queriesByDictionary = await db.query<{ dictionary: string; queries: string[] }>(
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
  const matchesAll = (queries: readonly string[]) => queries.map((query) => `(${query})`).join(' & ')
  const distinct = (queries: readonly string[]) => [...new Set(queries)].filter((query) => query !== '')

  const exact = queriesByDictionary.find(({ dictionary }) => dictionary === 'simple')?.queries ?? []
  const byDictionary = new Map<string, string[]>()
  const any = new Set<string>()
  for (const { dictionary, queries } of queriesByDictionary) {
    if (dictionary === 'simple') continue
    let place = 0
    const own = alternatives.flatMap((alternative) => {
      const forms = alternative.map(({ not }) => {
        const at = place++
        return { not, stem: weighted(queries[at]), word: weighted(exact[at]) }
      })
      const wanted = forms.filter(({ not }) => !not)
      const either = distinct([
        matchesAll(distinct(wanted.map(({ stem }) => stem))),
        matchesAll(distinct(wanted.map(({ word }) => word))),
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
