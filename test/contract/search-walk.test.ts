// Walks through the pages of a search by cursor, while others write, against a model of what the pages must hold.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ConversationPage } from '../../src/api/index.ts'
import { offlineEmbeddings } from '../../src/runtime/conversations/semantic/offline-embeddings.ts'
import type { Database } from '../../src/runtime/index.ts'
import { isLong } from '../long.ts'
import { type HandClock, handClock } from './clock.ts'
import { newDatabase } from './store.ts'
import { createWorld } from './world.ts'

const START = 1_800_000_000_000
const DAY_MS = 86_400_000
const DAYS = 30
/** More than twice as many as are ranked together, so that the walk goes through several blocks. */
const FINISHED = 700
const OPEN = 150
/** Of another project: with them a word has too many matches to be ranked at once. */
const OTHERS = 2_100
const QUERY = 'where is my parcel'

/**
 * A conversation that ended before the walk: there are more of the newest days. Three begin at the same instant, and a third of all match
 * equally well.
 */
type Finished = { id: string; startedAt: number; times: 1 | 2 | 3 }
const finished: readonly Finished[] = Array.from({ length: FINISHED }, (_, n) => ({
  id: `walk-${String((n * 389) % 1_000).padStart(3, '0')}`,
  startedAt: START - DAY_MS - Math.round((Math.floor(n / 3) / Math.floor(FINISHED / 3)) ** 2 * DAYS * DAY_MS),
  times: ([1, 2, 3] as const)[Math.floor(n / 2) % 3] ?? 1,
}))
const finishedById = new Map(finished.map((one) => [one.id, one]))
const words = (times: number) =>
  [...Array(times).fill('parcel zeppelin'), ...Array(4 - times).fill('and more')].join(' ')
/** What the open conversations write: it matches better, worse and as well as what is there. */
const WRITTEN = [words(3), words(2), words(1), 'parcel zeppelin', `${words(1)} ${words(0)} ${words(0)}`]

let clock: HandClock
let database: Database
let world: Awaited<ReturnType<typeof createWorld>>

beforeAll(async () => {
  clock = handClock(START)
  database = await newDatabase()
  world = await createWorld({ clock, data: { database } })
  await insert('PROJECT-test0001', finished, true)
  const other = (n: number) => ({ id: `other-${n}`, startedAt: START - n * 1_000, times: 1 as const })
  await insert(
    'PROJECT-twin0001',
    Array.from({ length: OTHERS }, (_, n) => other(n)),
    true,
  )
  await database.query(
    `INSERT INTO foyer.transcript (conversation_id, config, words)
     SELECT id, 'english', setweight(to_tsvector('simple', text), 'A')
     FROM jsonb_to_recordset($1::jsonb) AS said (id text, text text)`,
    [
      JSON.stringify([
        ...finished.map(({ id, times }) => ({ id, text: words(times) })),
        ...Array.from({ length: OTHERS }, (_, n) => ({ id: `other-${n}`, text: 'parcel' })),
      ]),
    ],
  )
  const vectors = await offlineEmbeddings.embed([1, 2, 3].map(words))
  await database.query(
    `INSERT INTO foyer.embedding (conversation_id, model, numbers)
     SELECT id, $2, (SELECT array_agg(n::real) FROM jsonb_array_elements_text(numbers) AS n)
     FROM jsonb_to_recordset($1::jsonb) AS made (id text, numbers jsonb)`,
    [
      JSON.stringify(finished.map(({ id, times }) => ({ id, numbers: vectors[times - 1] }))),
      offlineEmbeddings.model,
    ],
  )
  await database.query('ANALYZE')
}, 120_000)
afterAll(() => world.close())

const openIds = Array.from({ length: OPEN }, (_, n) => `open-${n}`)
beforeEach(async () => {
  await database.query("DELETE FROM foyer.conversation WHERE id LIKE 'open-%' OR id LIKE 'new-%'")
  // Most are of the last days, where they move the limits of what is ranked together.
  const began = (n: number) => START - DAY_MS * (n % 5 === 0 ? 1 + (n % DAYS) : 1 + (n % 2)) - n * 60_000
  await insert(
    'PROJECT-test0001',
    openIds.map((id, n) => ({ id, startedAt: began(n) })),
    false,
  )
})

async function insert(
  project: string,
  all: readonly Pick<Finished, 'id' | 'startedAt'>[],
  ended: boolean,
): Promise<void> {
  await database.query(
    `INSERT INTO foyer.conversation (id, account_id, project_id, environment, channel, started_at, ended_at)
     SELECT id, 'ws-test0001', $2, 'sandbox', 'WEBCHAT', began, CASE WHEN $3 THEN began END
     FROM jsonb_to_recordset($1::jsonb) AS made (id text, began timestamptz)`,
    [
      JSON.stringify(all.map(({ id, startedAt }) => ({ id, began: new Date(startedAt).toISOString() }))),
      project,
      ended,
    ],
  )
}

/** These conversations say something now. */
async function write(ids: readonly string[], text: string): Promise<void> {
  for (const id of ids) {
    await database.query(
      `INSERT INTO foyer.turn (conversation_id, position, cause, user_input, user_input_at)
       SELECT $1, count(*) + 1, 1, $2, $3 FROM foyer.turn WHERE conversation_id = $1`,
      [id, text, new Date(clock.now()).toISOString()],
    )
    await database.query(
      'UPDATE foyer.conversation SET unindexed = true, unembedded = true, num_turns = num_turns + 1 WHERE id = $1',
      [id],
    )
  }
}

type Search = { query_type: 'transcript' | 'semantic'; query: string; start_time?: string }

async function find(search: Search, more: Record<string, string>): Promise<ConversationPage> {
  const query = new URLSearchParams({
    ...{ client_env: 'sandbox', start_time: new Date(START - 60 * DAY_MS).toISOString() },
    ...{ end_time: new Date(START + DAY_MS).toISOString(), ...search, ...more },
  })
  const response = await world.get(`/v3/larkspur/shop/conversations?${query}`)
  expect(response.status).toBe(200)
  return (await response.json()) as ConversationPage
}

/** All ids, page by page. `between` runs after each page. */
async function walk(
  search: Search,
  limitOf: (page: number) => number,
  between: (page: number) => Promise<void>,
): Promise<string[]> {
  const given: string[] = []
  let cursor: string | null | undefined
  for (let page = 0; cursor !== null; page++) {
    const limit = limitOf(page)
    const found = await find(search, { limit: String(limit), ...(cursor && { cursor }) })
    expect(found.conversations.length).toBeLessThanOrEqual(limit)
    given.push(...found.conversations.map(({ id }) => id))
    cursor = found.cursor ?? null
    expect(page).toBeLessThan(500)
    await between(page)
  }
  return given
}

/** Pages between which others write, where pages are of one conversation. */
const EVERY = 8

/** Five of the open conversations write, three begin that match as well as others, and somebody else searches. */
async function othersWrite(search: Search, page: number): Promise<void> {
  const five = openIds.filter((_, n) => n % Math.ceil(OPEN / 5) === (page * 7) % Math.ceil(OPEN / 5))
  await write(five, WRITTEN[page % WRITTEN.length] ?? '')
  await clock.pass(1_000)
  for (const times of [1, 2, 3]) {
    const id = `new-${page}-${times}`
    await insert('PROJECT-test0001', [{ id, startedAt: clock.now() }], true)
    await write([id], words(times))
  }
  // Vectors are made of conversations that have been quiet for five seconds.
  if (search.query_type === 'semantic') await clock.pass(6_000)
  await find(search, { limit: '1' })
}

/** Fails unless each of `expected` was given once, and nothing that began later. Returns those of `expected`, as they were given. */
function finishedOf(given: readonly string[], expected: readonly Finished[] = finished): Finished[] {
  const found = given.flatMap((id) => finishedById.get(id) ?? [])
  const times = new Map<string, number>()
  for (const { id } of found) times.set(id, (times.get(id) ?? 0) + 1)
  const twice = [...times].filter(([, count]) => count > 1).map(([id]) => id)
  const missing = expected.filter(({ id }) => !times.has(id)).map(({ id }) => id)
  expect({ twice, missing }).toEqual({ twice: [], missing: [] })
  expect(found).toHaveLength(expected.length)
  expect(given.filter((id) => id.startsWith('new-'))).toEqual([])
  return found
}

/** Best match first; of equals the newest, and then by ID. */
const inOrder = (a: Finished, b: Finished) =>
  b.times - a.times || b.startedAt - a.startedAt || (a.id < b.id ? -1 : 1)

/** Fails unless these are blocks of days, the newest first, each in order. Returns how many. */
function expectBlocks(found: readonly Finished[]): number {
  const blocks: Finished[][] = []
  for (const one of found) {
    const block = blocks.at(-1)
    const before = block?.at(-1)
    if (block && before && inOrder(before, one) < 0) block.push(one)
    else blocks.push([one])
  }
  const day = ({ startedAt }: Finished) => Math.floor(startedAt / DAY_MS)
  for (const [n, block] of blocks.entries()) {
    const later = Math.max(...(blocks[n + 1] ?? []).map(day))
    expect(later).toBeLessThan(Math.min(...block.map(day)))
  }
  expect(blocks.length).toBeLessThan(6)
  return blocks.length
}

const SIZES: readonly [string, (page: number) => number][] = [
  ['of 1 to 120', (page) => 1 + ((page * 71) % 120)],
  ...(isLong
    ? ([
        ['of 1 to 50', (page) => 1 + ((page * 31) % 50)],
        ['of 50', () => 50],
      ] satisfies [string, (page: number) => number][])
    : []),
]
/** A few matches are ranked at once; of a word that very many say, those of the newest days. */
const SEARCHES: readonly [string, Search][] = [
  ['few conversations say', { query_type: 'transcript', query: 'zeppelin' }],
  ['very many conversations say', { query_type: 'transcript', query: 'parcel' }],
]

describe.each(SEARCHES)('a search by cursor for a word that %s', (_, search) => {
  it('gives what one page of all has, the best of each block of days first, while nobody writes', async () => {
    const { conversations } = await find(search, { limit: '1000' })
    for (const [, limitOf] of SIZES)
      expect(await walk(search, limitOf, async () => {})).toEqual(conversations.map(({ id }) => id))
    expect(expectBlocks(finishedOf(conversations.map(({ id }) => id)))).toBeGreaterThan(1)
  })

  it.each(SIZES)(
    'gives each finished conversation once while others write, in pages %s',
    async (_name, limitOf) => {
      const given = await walk(search, limitOf, (page) => othersWrite(search, page))
      expectBlocks(finishedOf(given))
      expect(given.length).toBeGreaterThan(FINISHED)
    },
  )

  it.runIf(isLong || search.query === 'parcel')('gives each once in pages of one', async () => {
    const start_time = new Date(START - 1.3 * DAY_MS).toISOString()
    const newest = finished.filter(({ startedAt }) => startedAt >= Date.parse(start_time))
    const given = await walk(
      { ...search, start_time },
      () => 1,
      async (page) => {
        if (page % EVERY === 0) await othersWrite(search, page / EVERY)
      },
    )
    expectBlocks(finishedOf(given, newest))
  })
})

describe('a semantic search by cursor', () => {
  const search: Search = { query_type: 'semantic', query: QUERY }
  // The model: what says parcel more often is no nearer. The vectors of the three texts tell.
  async function nearest(): Promise<Finished[]> {
    const [query = [], ...vectors] = await offlineEmbeddings.embed([QUERY, ...[1, 2, 3].map(words)])
    const far = vectors.map((vector) => -vector.reduce((sum, each, n) => sum + each * (query[n] ?? 0), 0))
    return finished.toSorted(
      (a, b) =>
        (far[a.times - 1] ?? 0) - (far[b.times - 1] ?? 0) ||
        b.startedAt - a.startedAt ||
        (a.id < b.id ? -1 : 1),
    )
  }

  it.each(SIZES)(
    'gives each finished conversation once while others write, the nearest first, in pages %s',
    async (_name, limitOf) => {
      const given = await walk(search, limitOf, (page) => othersWrite(search, page))
      expect(finishedOf(given)).toEqual(await nearest())
    },
  )

  it.runIf(isLong)('gives each finished conversation once in pages of one', async () => {
    const start_time = new Date(START - 1.3 * DAY_MS).toISOString()
    const newest = (await nearest()).filter(({ startedAt }) => startedAt >= Date.parse(start_time))
    const given = await walk(
      { ...search, start_time },
      () => 1,
      async (page) => {
        if (page % EVERY === 0) await othersWrite(search, page / EVERY)
      },
    )
    expect(finishedOf(given, newest)).toEqual(newest)
  })
})
