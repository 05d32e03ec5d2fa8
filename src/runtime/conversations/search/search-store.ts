// Searches transcripts by their words: PostgreSQL's full-text search, in every language for which PostgreSQL has a dictionary.

import { type Queries, textArray } from '../../database/index.ts'
import {
  type ConversationRow,
  conditions,
  type Filter,
  type Found,
  type SearchPage,
  SUMMARY,
} from '../filter-store.ts'
import { ALL_DICTIONARIES, folded, operandsOf } from './language.ts'
import { type Days, dayOf, daysQuery, nextWindow, startOfDay } from './windows.ts'

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
/**
 * The place of a match: the days of its block, and its rank, start and id among the matches that began on these days. Matches of other
 * conversations do not move it, so a page after it neither repeats nor misses a conversation whose words have not changed.
 */
export type TranscriptPlace = Days & { rank: number; startedAt: number; id: string }
type Match = { id: string; started_at: Date; rank: number; matches: number }

/**
 * Finds conversations by what was said: words, "phrases", or, and -not. Best match first; where more match than are ranked together,
 * the best of the newest ones first.
 */
export async function searchTranscripts(
  db: Queries,
  filter: Filter,
  { text, side }: TranscriptQuery,
  { limit, offset, asOf, after }: SearchPage<TranscriptPlace>,
): Promise<Found<TranscriptPlace>[]> {
  const weight = side === undefined ? '' : side === 'user' ? 'A' : 'B'
  const query = await readTsqueries(db, text, weight)
  if (query.any === '') return []
  const range = await searchedDays(db, filter, asOf)
  const end = offset + limit
  const all = await fewMatches(db, filter, query, { asOf, after, transcripts: range.transcripts })

  /** The matches on these days, and how many there are. */
  async function matchesOn(days: Days, most: number): Promise<{ matches: Match[]; count: number }> {
    if (all) {
      const matches = all.filter(({ started_at }) => isWithin(days, started_at))
      return { matches, count: matches.length }
    }
    const matches = await matchesIn(db, filter, query, {
      asOf,
      limit: most,
      days: range.dated ? days : undefined,
      // Older days are after the place as a whole.
      after: after && days.last >= after.first ? after : undefined,
    })
    return { matches, count: matches[0]?.matches ?? 0 }
  }

  /** The matches of the next block, which ends on the day `last`. */
  async function nextBlock(last: number, most: number): Promise<{ days: Days; matches: Match[] }> {
    const block: Match[] = []
    let first = last + 1
    for (let found = 0; first > range.oldest && found < RANKED_TOGETHER; ) {
      const covered = { found, days: last + 1 - first, wanted: RANKED_TOGETHER }
      const days = range.dated
        ? nextWindow(first - 1, range.oldest, covered)
        : { first: range.oldest, last: first - 1 }
      const { matches, count } = await matchesOn(days, most)
      block.push(...matches)
      found += count
      first = days.first
    }
    return { days: { first, last }, matches: block }
  }

  /** The rest of the block in which the page before this one ended. */
  async function restOfBlock({ first, last }: TranscriptPlace): Promise<{ days: Days; matches: Match[] }> {
    const days = { first: range.dated ? first : Math.min(first, range.oldest), last }
    return { days, matches: (await matchesOn(days, end)).matches }
  }

  const places: TranscriptPlace[] = []
  /** Matches in the blocks before this one. */
  let before = 0
  for (let last = after?.last ?? range.last; last >= range.oldest && before < end; ) {
    const { days, matches } =
      after && last === after.last ? await restOfBlock(after) : await nextBlock(last, end - before)
    // Matches that began at the same instant are of the same window, and in order.
    matches.sort((a, b) => b.rank - a.rank || b.started_at.getTime() - a.started_at.getTime())
    for (const { id, rank, started_at } of matches.slice(Math.max(0, offset - before), end - before))
      places.push({ ...days, rank, startedAt: started_at.getTime(), id })
    before += matches.length
    last = days.first - 1
  }
  if (places.length === 0) return []
  const rows = await db.query<ConversationRow>(
    `SELECT ${SUMMARY} FROM unnest($1::text[]) WITH ORDINALITY AS page (found, place)
     JOIN foyer.conversation ON id = found ORDER BY place`,
    [textArray(places.map(({ id }) => id))],
  )
  const placeOf = new Map(places.map((place) => [place.id, place]))
  return rows.flatMap((row) => {
    const place = placeOf.get(row.id)
    return place ? [{ ...row, place }] : []
  })
}

const isWithin = ({ first, last }: Days, time: Date): boolean => dayOf(time) >= first && dayOf(time) <= last

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
  { asOf, after, transcripts }: { asOf: Date; after: TranscriptPlace | undefined; transcripts: number },
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
  const matches = await matchesIn(db, filter, query, { asOf, after, limit: FEW })
  return (matches[0]?.matches ?? 0) > FEW ? undefined : matches
}

type MatchesIn = {
  asOf: Date
  limit: number
  /** Only those that began on these days. */
  days?: Days | undefined
  /** Only those after this place. */
  after?: TranscriptPlace | undefined
}

/** The best matches, each with the number of all. */
function matchesIn(
  db: Queries,
  filter: Filter,
  query: Tsqueries,
  { asOf, limit, days, after }: MatchesIn,
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
  // The first condition is one index lookup. The CASE keeps the planner from counting the same words twice. A rank in double precision
  // is the same number here, in a cursor and in the next statement.
  const matches = `SELECT c.id, c.started_at, ts_rank(t.words, $${n - 3}::tsquery, 1)::double precision AS rank
     FROM foyer.transcript AS t JOIN foyer.conversation AS c ON c.id = t.conversation_id
     WHERE t.words @@ $${n - 2}::tsquery AND CASE ${arms.join(' ')} ELSE false END
       AND ${where.join(' AND ')} AND c.started_at <= $${n - 1}`
  return db.query<Match>(
    `SELECT id, started_at, rank, (count(*) OVER ())::integer AS matches
     FROM (${matches} ${after ? `OFFSET 0) AS match WHERE ${isAfter(after, params)}` : ') AS match'}
     ORDER BY rank DESC, started_at DESC, id LIMIT $${n}`,
    params,
  )
}

/** Condition on a match of the place's block or of older ones: it is after the place. Behind OFFSET 0, PostgreSQL computes each rank once. */
function isAfter({ first, rank, startedAt, id }: TranscriptPlace, params: unknown[]): string {
  const add = (value: unknown) => `$${params.push(value)}`
  const started = add(new Date(startedAt).toISOString())
  const ranked = `${add(rank)}::double precision`
  return `(started_at < ${add(startOfDay(first).toISOString())} OR rank < ${ranked} OR rank = ${ranked} AND
    (started_at < ${started} OR started_at = ${started} AND id > ${add(id)}))`
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
