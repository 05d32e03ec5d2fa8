// Searches transcripts by their words: PostgreSQL's full-text search, in every language for which PostgreSQL has a dictionary.

import { type Queries, textArray } from '../../database/index.ts'
import { type ConversationRow, conditions, type Filter, type SearchPage, SUMMARY } from '../filter-store.ts'
import { ALL_DICTIONARIES, folded, operandsOf } from './language.ts'
import { type Days, dayOf, daysQuery, nextWindow } from './windows.ts'

/** The words that a query may have. Each is searched in the forms of 29 dictionaries: 50 words can make 2,900 operands. */
export const MOST_QUERY_WORDS = 50

/**
 * So many matches, or a few more, are ranked together: the newest first, then those before them. To rank every conversation that has
 * a common word takes seconds.
 */
const RANKED_TOGETHER = 300
/** A word that a larger part of all transcripts has is common. PostgreSQL guesses half a hundredth for words that its statistics lack. */
const COMMON_SHARE = 0.02
/** Where no more transcripts match, in all projects, the search reads them at once. */
const FEW = 2_000

export type TranscriptQuery = { text: string; side?: 'user' | 'agent' | undefined }
type Match = { id: string; started_at: Date; rank: number; matches: number }

/**
 * Finds conversations by what was said: words, "phrases", or, and -not. Best match first; where more match than are ranked together,
 * the best of the newest ones first.
 */
export async function searchTranscripts(
  db: Queries,
  filter: Filter,
  { text, side }: TranscriptQuery,
  { limit, offset, asOf }: SearchPage,
): Promise<ConversationRow[]> {
  const weight = side === undefined ? '' : side === 'user' ? 'A' : 'B'
  const query = await readTsqueries(db, text, weight)
  if (query.any === '') return []
  const range = await searchedDays(db, filter, asOf)
  const end = offset + limit
  const all = await fewMatches(db, filter, query, { asOf, transcripts: range.transcripts })
  const page: string[] = []
  /** Matches in the blocks before this one. */
  let before = 0
  for (let last = range.last; last >= range.oldest && before < end; ) {
    const block: Match[] = []
    for (let found = 0, covered = 0; last >= range.oldest && found < RANKED_TOGETHER; ) {
      const days = range.dated
        ? nextWindow(last, range.oldest, { found, days: covered, wanted: RANKED_TOGETHER })
        : undefined
      const first = days?.first ?? range.oldest
      const matches = all
        ? all.filter(({ started_at }) => dayOf(started_at) >= first && dayOf(started_at) <= last)
        : await matchesIn(db, filter, query, { asOf, limit: end - before, days })
      block.push(...matches)
      found += all ? matches.length : (matches[0]?.matches ?? 0)
      covered += last - first + 1
      last = first - 1
    }
    // Matches that began at the same instant are of the same window, and in order.
    block.sort((a, b) => b.rank - a.rank || b.started_at.getTime() - a.started_at.getTime())
    page.push(...block.slice(Math.max(0, offset - before), end - before).map(({ id }) => id))
    before += block.length
  }
  if (page.length === 0) return []
  return db.query<ConversationRow>(
    `SELECT ${SUMMARY} FROM unnest($1::text[]) WITH ORDINALITY AS page (found, place)
     JOIN foyer.conversation ON id = found ORDER BY place`,
    [textArray(page)],
  )
}

/**
 * The days on which a match can have begun. `dated`: the index has the day of every transcript, which it lacks while an upgrade has
 * transcripts left to date. `transcripts`: about how many there are.
 */
async function searchedDays(
  db: Queries,
  { projectId, environment, from, to }: Filter,
  asOf: Date,
): Promise<{ oldest: number; last: number; dated: boolean; transcripts: number }> {
  const [row] = await db.query<{ oldest: Date | null; dated: boolean; transcripts: number }>(
    `SELECT (SELECT started_at FROM foyer.conversation WHERE project_id = $1 AND environment = $2
       ORDER BY started_at LIMIT 1) AS oldest,
     NOT EXISTS (SELECT 1 FROM foyer.transcript WHERE NOT dated) AS dated,
     (SELECT reltuples FROM pg_class WHERE oid = 'foyer.transcript'::regclass) AS transcripts`,
    [projectId, environment],
  )
  const oldest = Math.max(row?.oldest?.getTime() ?? Number.POSITIVE_INFINITY, from?.getTime() ?? 0)
  return {
    oldest: dayOf(new Date(oldest)),
    last: dayOf(new Date(Math.min(asOf.getTime(), to?.getTime() ?? Number.POSITIVE_INFINITY))),
    dated: row?.dated ?? true,
    transcripts: row?.transcripts ?? 0,
  }
}

/**
 * All matches, where few transcripts match. PostgreSQL's statistics know common words, and combinations that are rare; the transcripts that
 * match anything else are counted.
 */
async function fewMatches(
  db: Queries,
  filter: Filter,
  query: Tsqueries,
  { asOf, transcripts }: { asOf: Date; transcripts: number },
): Promise<Match[] | undefined> {
  const [plan] = await db.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    'EXPLAIN (FORMAT JSON) SELECT 1 FROM foyer.transcript WHERE words @@ $1::tsquery',
    [query.any],
  )
  const expected = plan?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0
  if (expected > FEW) {
    if (expected > COMMON_SHARE * transcripts) return undefined
    const counted = await db.query(
      `SELECT 1 FROM foyer.transcript WHERE words @@ $1::tsquery LIMIT ${FEW + 1}`,
      [query.any],
    )
    if (counted.length > FEW) return undefined
  }
  const matches = await matchesIn(db, filter, query, { asOf, limit: FEW })
  return (matches[0]?.matches ?? 0) > FEW ? undefined : matches
}

/** The best matches, each with the number of all. `days`: only those that began on these days. */
function matchesIn(
  db: Queries,
  filter: Filter,
  query: Tsqueries,
  { asOf, limit, days }: { asOf: Date; limit: number; days?: Days | undefined },
): Promise<Match[]> {
  const { where, params } = conditions(filter)
  const arms = [...query.byDictionary].map(([own, dictionaries]) => {
    params.push(own)
    const list = dictionaries.map((dictionary) => `'${dictionary}'`).join(', ')
    return `WHEN t.config IN (${list}) THEN t.words @@ $${params.length}::tsquery`
  })
  const indexed = days ? `(${query.any}) & ${daysQuery(filter, days)}` : query.any
  params.push(query.any, indexed, asOf.toISOString(), limit)
  const n = params.length
  // The first condition is one index lookup. The CASE keeps the planner from counting the same words twice.
  return db.query<Match>(
    `SELECT c.id, c.started_at, ts_rank(t.words, $${n - 3}::tsquery, 1) AS rank, (count(*) OVER ())::integer AS matches
     FROM foyer.transcript AS t JOIN foyer.conversation AS c ON c.id = t.conversation_id
     WHERE t.words @@ $${n - 2}::tsquery AND CASE ${arms.join(' ')} ELSE false END
       AND ${where.join(' AND ')} AND c.started_at <= $${n - 1}
     ORDER BY rank DESC, c.started_at DESC, c.id LIMIT $${n}`,
    params,
  )
}

/** Queries by what transcripts must match: `any` finds the matches of all dictionaries and perhaps more. */
type Tsqueries = { any: string; byDictionary: Map<string, string[]> }

/**
 * The tsquery for each set of dictionaries, and `any`, which finds the matches of all of them and perhaps more. Either
 * all words match by their stems or all as they are written; excluded words are excluded in both forms.
 */
async function readTsqueries(db: Queries, text: string, weight: string): Promise<Tsqueries> {
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
