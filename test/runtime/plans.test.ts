// Every list has an index that serves it, and the planner takes it. Not how fast that is: see `npm run bench`.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, migrate, openPglite } from '../../src/runtime/database/index.ts'
import { SCHEMAS } from '../../src/runtime/schemas.ts'
import {
  chunksOf,
  deleteChunks,
  hasAnswerAfter,
  isAnswer,
} from '../../src/runtime/sessions/state/event-store.ts'
import { apiLists, sweepLists } from '../bench/lists.ts'
import { type Plan, plansOf, rowsRead } from '../bench/plans.ts'
import { seed } from '../bench/seed.ts'
import { isLong } from '../long.ts'

const CONVERSATIONS = isLong ? 5_000 : 2_500
const NOW = new Date(Date.UTC(2026, 0, 31, 12))
let database: Database
let plans: Plan[]

beforeAll(async () => {
  database = await openPglite(undefined)
  await migrate(database, SCHEMAS)
  await seed(
    database,
    { conversations: CONVERSATIONS, recent: CONVERSATIONS * 0.4, batch: CONVERSATIONS, atOnce: 1 },
    NOW,
    () => {},
  )
  plans = await plansOf(database, async (over) => [
    ...(await apiLists(over, { now: NOW, page: 10, far: 30 })),
    ...sweepLists(over, NOW),
  ])
}, 120_000)
afterAll(() => database.close())

describe('a list of conversations', () => {
  it('is tested in more than 40 combinations of filters', () => {
    expect(new Set(plans.map(({ list }) => list)).size).toBeGreaterThan(40)
  })

  it('never scans the whole of a growing table', () => {
    expect(
      plans.filter(({ readWhole }) => readWhole.length > 0).map(({ list, scans }) => [list, scans]),
    ).toEqual([])
  })

  it.each([
    ['first page', 'conversation_time'],
    ['page 30 by cursor', 'conversation_time'],
    ['channel=rcs', 'conversation_channel'],
    ['channel=sms, channel=rcs', 'conversation_channel'],
    ['variant_id', 'conversation_variant'],
    ['variant_name', 'conversation_variant_name'],
    ['search for three words, a month', 'transcript_words'],
    ['search for one word, a year, page 2 by cursor', 'transcript_words'],
    ['semantic search, a month', 'embedding_pkey'],
    ['semantic search, a week, page 2 by cursor', 'embedding_pkey'],
    ['what a search would have to index', 'conversation_unindexed'],
    ['concurrency of a week', 'conversation_span'],
  ])('uses its index: %s', (list, index) => {
    const scans = plans.filter((plan) => plan.list === list).flatMap((plan) => plan.scans)
    expect(scans.map((scan) => scan.split(' ').at(-1))).toContain(index)
  })
})

describe('an answer in a session of 5,000 events', () => {
  const EVENTS = 5_000
  const INPUT_SEQUENCE = EVENTS - 3
  const id = 'session-of-many-events'
  beforeAll(async () => {
    await database.query(
      `INSERT INTO foyer.conversation (id, account_id, project_id, environment, channel, started_at)
       VALUES ($1, 'ws-1', 'PROJECT-1', 'live', 'WEBCHAT', $2)`,
      [id, NOW.toISOString()],
    )
    await database.query(
      "INSERT INTO foyer.session (id, family, token_id, platform) VALUES ($1, 'chat', 'token', 'web')",
      [id],
    )
    // A question and its answer in turn. The last question has two chunks so far.
    await database.query(
      `INSERT INTO foyer.event (session_id, sequence, id, type, payload, message_id, created_at)
       SELECT $1, n, 'event-' || n, CASE WHEN n > $3 THEN 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK'
           WHEN n % 2 = 1 THEN 'EVENT_TYPE_USER_MESSAGE' ELSE 'EVENT_TYPE_POLY_AGENT_MESSAGE' END,
         '{"text": "words"}', CASE WHEN n > $3 THEN 'open' ELSE 'message-' || n END, $4
       FROM generate_series(1, $2::integer) AS n`,
      [id, EVENTS, INPUT_SEQUENCE, NOW.toISOString()],
    )
    await database.query('ANALYZE foyer.event')
  })

  it.each<[string, (over: Database) => Promise<unknown>]>([
    [
      'its chunks',
      async (over) => expect(await chunksOf(over, id, { inputSequence: INPUT_SEQUENCE })).toHaveLength(3),
    ],
    [
      'the chunks of its message',
      async (over) =>
        expect(await chunksOf(over, id, { inputSequence: INPUT_SEQUENCE, messageId: 'open' })).toHaveLength(
          3,
        ),
    ],
    ['whether it has a whole message', (over) => hasAnswerAfter(over, id, INPUT_SEQUENCE)],
    [
      'the deletion of its chunks',
      (over) =>
        over.transaction(async (tx) => {
          deleteChunks(tx, id, { inputSequence: INPUT_SEQUENCE, messageId: 'open' })
        }),
    ],
    [
      'the rating of an earlier answer',
      async (over) => expect(await isAnswer(over, id, 'message-1000')).toBe(true),
    ],
  ])('reads few of them for %s', async (_, run) => {
    expect(await rowsRead(database, run)).toBeLessThan(20)
  })
})
