// A search for common words reads the newest days alone, and finds what it would find otherwise.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Filter } from '../../src/runtime/conversations/filter-store.ts'
import { dateTranscripts } from '../../src/runtime/conversations/search/index-store.ts'
import {
  searchTranscripts,
  type TranscriptPlace,
} from '../../src/runtime/conversations/search/search-store.ts'
import { daysQuery, nextWindow } from '../../src/runtime/conversations/search/windows.ts'
import type { Database } from '../../src/runtime/database/index.ts'
import { migratedPglite } from '../contract/template.ts'

const LIVE = { projectId: "PROJECT-o'hara\\1", environment: 'live' }

describe('a window', () => {
  it('is one day at first', () => {
    expect(nextWindow(100, 0, { found: 0, days: 0, wanted: 10 })).toEqual({ first: 100, last: 100 })
  })
  it('grows with what is missing, and at most fourfold', () => {
    const grown = (found: number) => nextWindow(100, 0, { found, days: 3, wanted: 100 })
    expect(grown(90)).toEqual({ first: 100, last: 100 })
    expect(grown(50)).toEqual({ first: 97, last: 100 })
    for (const found of [0, 1, 10]) expect(grown(found)).toEqual({ first: 89, last: 100 })
  })
  it('of 16 days or more begins with a period', () => {
    expect(nextWindow(99, 0, { found: 0, days: 5, wanted: 10 })).toEqual({ first: 80, last: 99 })
    expect(nextWindow(79, 0, { found: 0, days: 25, wanted: 10 })).toEqual({ first: 0, last: 79 })
  })
  it('ends where the search ends', () => {
    expect(nextWindow(99, 98, { found: 0, days: 2, wanted: 10 })).toEqual({ first: 98, last: 99 })
    expect(nextWindow(99, 90, { found: 0, days: 50, wanted: 10 })).toEqual({ first: 80, last: 99 })
  })
  it('is looked up by whole periods and single days, each day once', () => {
    const place = { projectId: 'P', environment: 'live' }
    expect(daysQuery(place, { first: 5, last: 5 })).toBe("(' P live d5')")
    expect(daysQuery(place, { first: 15, last: 33 })).toBe(
      "(' P live d33' | ' P live d32' | ' P live p1' | ' P live d15')",
    )
    expect(daysQuery(place, { first: 17, last: 31 }).match(/d/g)).toHaveLength(15)
  })
})

/** Conversations, the newest first. All say `parcel`; every fiftieth says it four times more, and `zeppelin`. */
const CONVERSATIONS = 2_400
const PER_DAY = 40
const NOW = new Date(Date.UTC(2026, 0, 31, 12))
const DAY_MS = 86_400_000
const SAID = `CASE WHEN n % 50 = 7 THEN 'parcel parcel parcel parcel parcel zeppelin' ELSE 'parcel and more of it' END`

let database: Database
beforeAll(async () => {
  database = await migratedPglite()
  for (const [project, environment] of [
    [LIVE.projectId, 'live'],
    [LIVE.projectId, 'sandbox'],
    ['PROJECT-other', 'live'],
  ])
    await database.query(
      `INSERT INTO foyer.conversation (id, account_id, project_id, environment, channel, started_at)
       SELECT $2 || $1 || lpad(n::text, 5, '0'), 'ws-1', $1, $2, CASE WHEN n % 100 = 7 THEN 'VOICE-SIP' ELSE 'WEBCHAT' END,
         $3::timestamptz - n * $4::double precision * interval '1 ms' FROM generate_series(0, $5::integer - 1) AS n`,
      [project, environment, NOW.toISOString(), DAY_MS / PER_DAY, CONVERSATIONS],
    )
  await database.query(
    `INSERT INTO foyer.transcript (conversation_id, config, words)
     SELECT id, 'english', setweight(to_tsvector('simple', ${SAID}), 'A')
     FROM (SELECT id, right(id, 5)::integer AS n FROM foyer.conversation) AS c`,
  )
  await database.query('ANALYZE')
}, 60_000)
afterAll(() => database.close())

const find = async (
  text: string,
  { limit = 50, offset = 0, asOf = NOW }: { limit?: number; offset?: number; asOf?: Date } = {},
  filter: Partial<Filter> = {},
  over = database,
) =>
  (await searchTranscripts(over, { ...LIVE, ...filter }, { text }, { limit, offset, asOf })).map(
    ({ id, project_id, environment }) => {
      expect([project_id, environment]).toEqual([LIVE.projectId, 'live'])
      return Number(id.slice(-5))
    },
  )
const best = (numbers: readonly number[]) => numbers.filter((n) => n % 50 === 7)
const everything = Array.from({ length: CONVERSATIONS }, (_, n) => n)

describe('a search for a word that every conversation has', () => {
  it('returns the best of the newest first, then the rest of these', async () => {
    const found = await find('parcel', { limit: 100 })
    expect(found.slice(0, 6)).toEqual([7, 57, 107, 157, 207, 257])
    expect(best(found.slice(20))).toEqual([])
    expect(Math.max(...found)).toBeLessThan(1_000)
  })

  it('returns every match once, whatever the size of the pages', async () => {
    const whole = await find('parcel', { limit: 1_000_000 })
    expect(whole.toSorted((a, b) => a - b)).toEqual(everything)
    for (const limit of [1_000, 333]) {
      const pages: number[] = []
      for (let offset = 0; offset < CONVERSATIONS; offset += limit)
        pages.push(...(await find('parcel', { limit, offset })))
      expect(pages).toEqual(whole)
    }
    // Each page after the place where the one before it ended, in pages of changing size.
    const walked: (typeof whole)[] = []
    for (let after: TranscriptPlace | undefined, limit = 1; ; limit = 1 + ((limit * 7) % 400)) {
      const page = await searchTranscripts(
        database,
        LIVE,
        { text: 'parcel' },
        { limit, offset: 0, asOf: NOW, after },
      )
      walked.push(page.map(({ id }) => Number(id.slice(-5))))
      after = page.at(-1)?.place
      if (!after) break
    }
    expect(walked.length).toBeGreaterThan(10)
    expect(walked.flat()).toEqual(whole)
  })

  it('reads, for a later page, no more than the rest of a block and the next one', async () => {
    const [{ place: after } = expect.fail('no match')] = (
      await searchTranscripts(database, LIVE, { text: 'parcel' }, { limit: 1_000, offset: 0, asOf: NOW })
    ).slice(-1)
    const statements: string[] = []
    const over: Database = {
      ...database,
      query(sql, params, options) {
        if (sql.includes('ts_rank')) statements.push(sql)
        return database.query(sql, params, options)
      },
    }
    await searchTranscripts(over, LIVE, { text: 'parcel' }, { limit: 20, offset: 0, asOf: NOW, after })
    expect(statements).toHaveLength(1)
  })

  it('keeps to the times and filters of the search', async () => {
    const all = { limit: 1_000_000 }
    const from = new Date(NOW.getTime() - 30.5 * DAY_MS)
    const to = new Date(NOW.getTime() - 10.5 * DAY_MS)
    const within = everything.filter((n) => n >= 10.5 * PER_DAY && n <= 30.5 * PER_DAY)
    const sorted = async (...given: Parameters<typeof find>) =>
      (await find(...given)).toSorted((a, b) => a - b)
    expect(await sorted('parcel', all, { from, to })).toEqual(within)
    expect(await sorted('parcel', { ...all, asOf: to }, { from })).toEqual(within)
    const byVoice = everything.filter((n) => n % 100 === 7)
    expect(await find('parcel', all, { channels: ['VOICE-SIP'] })).toEqual(byVoice)
    expect(await sorted('parcel -zeppelin', all)).toEqual(everything.filter((n) => n % 50 !== 7))
    expect(await find('parcel', all, { projectId: 'PROJECT-nobody' })).toEqual([])
  })

  it('ranks a small part of them, and a rare word all at once', async () => {
    const ranked: number[] = []
    const over: Database = {
      ...database,
      async query<T>(...[sql, params]: Parameters<Database['query']>) {
        const rows = await database.query<T>(sql, params)
        if (sql.includes('ts_rank')) ranked.push((rows[0] as { matches?: number }).matches ?? 0)
        return rows
      },
    }
    await find('parcel', {}, {}, over)
    expect(ranked.length).toBeGreaterThan(1)
    expect(ranked.reduce((sum, matches) => sum + matches)).toBeLessThan(600)
    ranked.length = 0
    await find('zeppelin', {}, {}, over)
    expect(ranked).toEqual([48])
  })
})

it('a search for a rare word ranks all its matches, and so does one for a common word with it', async () => {
  for (const text of ['zeppelin', 'parcel zeppelin'])
    expect(await find(text, { limit: 1_000 })).toEqual(best(everything))
})

it('a search finds everything while transcripts of an earlier build are being dated', async () => {
  const words = () =>
    database.query<{ words: string }>('SELECT words::text FROM foyer.transcript ORDER BY conversation_id')
  const dated = await words()
  await database.script('ALTER TABLE foyer.transcript DISABLE TRIGGER transcript_dated')
  await database.query(
    `UPDATE foyer.transcript SET dated = false, words = setweight(to_tsvector('simple', ${SAID}), 'A')
     FROM (SELECT id, right(id, 5)::integer AS n FROM foyer.conversation) AS c WHERE id = conversation_id`,
  )
  await database.script('ALTER TABLE foyer.transcript ENABLE TRIGGER transcript_dated')
  const undated = async () => (await database.query('SELECT 1 FROM foyer.transcript WHERE NOT dated')).length
  for (const limit of [0, 500]) {
    await dateTranscripts(database, limit)
    expect(await undated()).toBeGreaterThan(0)
    const found = await find('parcel', { limit: 1_000_000 })
    // The days count as words, which lowers a rank: while some have them, ranks differ.
    if (limit === 0) expect(found.slice(0, 48)).toEqual(best(everything))
    expect(found.toSorted((a, b) => a - b)).toEqual(everything)
  }
  while ((await dateTranscripts(database, 2_000)) > 0);
  expect(await undated()).toBe(0)
  expect(await words()).toEqual(dated)
})
