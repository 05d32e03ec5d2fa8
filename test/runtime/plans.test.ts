// Every list has an index that serves it, and the planner takes it. Not how fast that is: see `npm run bench`.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, migrate, openPglite } from '../../src/runtime/database/index.ts'
import { SCHEMAS } from '../../src/runtime/schemas.ts'
import { apiLists, sweepLists } from '../bench/lists.ts'
import { type Plan, plansOf } from '../bench/plans.ts'
import { seed } from '../bench/seed.ts'

const NOW = new Date(Date.UTC(2026, 0, 31, 12))
let database: Database
let plans: Plan[]

beforeAll(async () => {
  database = await openPglite(undefined)
  await migrate(database, SCHEMAS)
  await seed(database, { conversations: 5_000, recent: 2_000, batch: 5_000, atOnce: 1 }, NOW, () => {})
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
    ['semantic search, a month', 'embedding_pkey'],
    ['concurrency of a week', 'conversation_span'],
  ])('uses its index: %s', (list, index) => {
    const scans = plans.filter((plan) => plan.list === list).flatMap((plan) => plan.scans)
    expect(scans.map((scan) => scan.split(' ').at(-1))).toContain(index)
  })
})
