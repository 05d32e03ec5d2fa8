// Part 3: how many conversations were open at once.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Concurrency } from '../../src/api/index.ts'
import type { Database } from '../../src/runtime/index.ts'
import { handClock } from './clock.ts'
import { newDatabase } from './store.ts'
import { createWorld, NUMBER, PROJECTS, plainNumber } from './world.ts'

// On a mark of five minutes.
const START = 1_800_000_000_000
const clock = handClock(START)
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString()
const PATH = '/v1/larkspur/shop/conversations/concurrency'
let world: Awaited<ReturnType<typeof createWorld>>
let database: Database

async function measure(query: Record<string, string>): Promise<Concurrency> {
  const response = await world.get(`${PATH}?${new URLSearchParams({ client_env: 'sandbox', ...query })}`)
  expect(response.status).toBe(200)
  return (await response.json()) as Concurrency
}
const peaksOf = ({ intervals }: Concurrency) => intervals.map((each) => each.max_concurrent_conversations)

beforeAll(async () => {
  database = await newDatabase()
  world = await createWorld({ clock, data: { database } })
  // One for 7 minutes; a second within it for 1; a third that goes on.
  const first = await world.chat([], { open: true })
  await clock.leap(60_000)
  await world.chat([], { open: true }).then(async ({ client }) => {
    await clock.leap(60_000)
    client.send('EVENT_TYPE_USER_END_SESSION')
    await client.event('EVENT_TYPE_SESSION_END')
  })
  await clock.leap(300_000)
  first.client.send('EVENT_TYPE_USER_END_SESSION')
  await first.client.event('EVENT_TYPE_SESSION_END')
  await clock.leap(600_000)
  await world.chat([], { open: true })
  await clock.leap(60_000)
})
afterAll(() => world.close())

describe('GET concurrency', () => {
  it('lists every window with its peak, in order, and 0 for a window without conversations', async () => {
    const answer = await measure({ start_time: at(0), end_time: at(1_500) })
    expect(answer).toMatchObject({ account_id: 'ws-test0001', project_id: 'PROJECT-test0001' })
    expect(answer.intervals.map(({ time }) => time)).toEqual([0, 300, 600, 900, 1_200].map(at))
    expect(peaksOf(answer)).toEqual([2, 1, 0, 1, 1])
    expect(answer.intervals[0]).not.toHaveProperty('variant_id')
  })

  it('rounds the start down and the end up to five minutes', async () => {
    const answer = await measure({ start_time: at(299), end_time: at(301) })
    expect(answer.intervals.map(({ time }) => time)).toEqual([at(0), at(300)])
    expect((await measure({ start_time: at(300), end_time: at(300) })).intervals).toEqual([])
  })

  it('allows a range of one week, measured before rounding, and refuses a longer one', async () => {
    const week = 7 * 86_400
    expect((await measure({ start_time: at(1), end_time: at(week + 1) })).intervals).toHaveLength(
      week / 300 + 1,
    )
    const more = await world.get(`${PATH}?start_time=${at(0)}&end_time=${at(week + 1)}`)
    expect(more.status).toBe(400)
    expect(await more.json()).toEqual({ error_message: expect.stringContaining('week') })
  })

  it('is filtered by environment, variant, language and number', async () => {
    const range = { start_time: at(0), end_time: at(300) }
    expect(peaksOf(await measure({ ...range, client_env: 'live' }))).toEqual([0])
    const each = ['VAR-1', 'VAR-2'].map(
      async (variant_id) => peaksOf(await measure({ ...range, variant_id }))[0] ?? 0,
    )
    const [one = 0, two = 0] = await Promise.all(each)
    expect(one + two).toBe(2)
    expect(peaksOf(await measure({ ...range, variant_name: 'Calm voice' }))).toEqual([one])
    expect(peaksOf(await measure({ ...range, language: 'en-GB' }))).toEqual([0])
    expect(peaksOf(await measure({ ...range, phone_number: '+15005550006' }))).toEqual([0])
  })

  it('is sliced by variant: a series for each, windows side by side', async () => {
    const { intervals } = await measure({ start_time: at(0), end_time: at(600), slice_by: 'variant' })
    const times = intervals.map(({ time }) => time)
    expect(times).toEqual([...times].sort())
    for (const interval of intervals) expect(['Calm voice', 'Quick voice']).toContain(interval.variant_name)
    const first = intervals.filter(({ time }) => time === at(0))
    expect(first.reduce((sum, each) => sum + each.max_concurrent_conversations, 0)).toBe(2)
    expect(new Set(first.map(({ variant_id }) => variant_id)).size).toBe(first.length)
  })

  it('is sliced by every variant of the project in each window, with 0 where a variant has no conversation', async () => {
    const variants = PROJECTS[0]?.variants ?? []
    // Nobody chatted then, and only one at a time later.
    for (const [from, to] of [
      [86_400, 87_000],
      [600, 1_500],
    ] as const) {
      const range = { start_time: at(from), end_time: at(to) }
      const windows = (to - from) / 300
      const { intervals } = await measure({ ...range, slice_by: 'variant' })
      expect(intervals.map(({ time, variant_id, variant_name }) => [time, variant_id, variant_name])).toEqual(
        Array.from({ length: windows }, (_, n) => at(from + n * 300)).flatMap((time) =>
          variants.map(({ id, name }) => [time, id, name]),
        ),
      )
      for (const { id } of variants) {
        const own = peaksOf(await measure({ ...range, variant_id: id }))
        const sliced = intervals.filter(({ variant_id }) => variant_id === id)
        expect(sliced.map((each) => each.max_concurrent_conversations)).toEqual(own)
      }
    }
  })

  it('is sliced by those variants that the filter admits', async () => {
    const range = { start_time: at(86_400), end_time: at(86_700), slice_by: 'variant' }
    const named = async (query: Record<string, string>) =>
      (await measure({ ...range, ...query })).intervals.map(({ variant_name }) => variant_name)
    expect(await named({})).toEqual(['Calm voice', 'Quick voice'])
    expect(await named({ variant_id: 'VAR-2' })).toEqual(['Quick voice'])
    expect(await named({ variant_name: 'Calm voice' })).toEqual(['Calm voice'])
    expect(await named({ variant_id: 'Calm voice' })).toEqual([])
  })

  it('is sliced by variants too that only conversations name, after those of the project', async () => {
    await database.query(
      `INSERT INTO foyer.conversation (id, account_id, project_id, environment, channel, variant_id, variant_name, started_at, ended_at)
       VALUES ('old', 'ws-test0001', 'PROJECT-test0001', 'sandbox', 'WEBCHAT', 'VAR-0', 'Former voice', $1, $1),
         ('renamed', 'ws-test0001', 'PROJECT-test0001', 'sandbox', 'WEBCHAT', 'VAR-1', 'Another name', $1, $1)`,
      [at(-86_400)],
    )
    const { intervals } = await measure({
      ...{ start_time: at(-86_400), end_time: at(-86_100), slice_by: 'variant' },
    })
    expect(intervals.map((each) => [each.variant_name, each.max_concurrent_conversations])).toEqual([
      ['Calm voice', 0],
      ['Quick voice', 0],
      ['Former voice', 1],
      ['Another name', 1],
    ])
    await database.query("DELETE FROM foyer.conversation WHERE id IN ('old', 'renamed')")
  })

  it.each(['language', 'phone_number'])('answers 501 to slicing by %s', async (slice) => {
    const response = await world.get(`${PATH}?start_time=${at(0)}&end_time=${at(1)}&slice_by=${slice}`)
    expect(response.status).toBe(501)
    expect(await response.json()).toEqual({ error_message: expect.stringContaining(slice) })
  })

  it.each([
    ['no start', `end_time=${at(0)}`, 'start_time'],
    ['no end', `start_time=${at(0)}`, 'end_time'],
    ['a bad date', `start_time=now&end_time=${at(0)}`, 'start_time'],
    ['an end before the start', `start_time=${at(9)}&end_time=${at(0)}`, 'end_time'],
    [
      'both names of a variant',
      `start_time=${at(0)}&end_time=${at(9)}&variant_id=a&variant_name=b`,
      'variant_name',
    ],
    ['an unknown slice', `start_time=${at(0)}&end_time=${at(9)}&slice_by=colour`, 'slice_by'],
  ])('refuses %s', async (_, query, field) => {
    const response = await world.get(`${PATH}?${query}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error_message: expect.stringContaining(field) })
  })

  it.each([
    ['no key', {}, 401],
    ['an unknown key', { 'x-api-key': 'nobody' }, 401],
    ['a key of another account', { 'x-api-key': 'other-key' }, 403],
    ['a key without analytics', { 'x-api-key': 'conversations-key' }, 403],
    ['a key without conversations', { 'x-api-key': 'analytics-key' }, 403],
    ['a key of another region', { 'x-api-key': 'us-key' }, 403],
  ])('answers %s with an error_message', async (_, headers, status) => {
    const response = await world.get(
      `${PATH}?start_time=${at(0)}&end_time=${at(1)}`,
      headers as Record<string, string>,
    )
    expect(response.status).toBe(status)
    expect(await response.json()).toEqual({ error_message: expect.any(String) })
  })

  it('answers 404 for an unknown project', async () => {
    const response = await world.get('/v1/larkspur/nothing/conversations/concurrency?start_time=x')
    expect([response.status, await response.json()]).toEqual([404, { error_message: expect.any(String) }])
  })

  it('accepts IDs and slugs of account and project', async () => {
    for (const project of ['larkspur/PROJECT-test0001', 'ws-test0001/shop', 'ws-test0001/PROJECT-test0001']) {
      const query = `client_env=sandbox&start_time=${at(0)}&end_time=${at(300)}`
      const response = await world.get(`/v1/${project}/conversations/concurrency?${query}`)
      expect(peaksOf((await response.json()) as Concurrency)).toEqual([2])
    }
  })

  it('has exactly the fields of the document', async () => {
    const answer = await measure({ start_time: at(0), end_time: at(300) })
    expect(answer).toStrictEqual({
      account_id: 'ws-test0001',
      project_id: 'PROJECT-test0001',
      intervals: [{ time: at(0), max_concurrent_conversations: 2 }],
    })
    const sliced = await measure({ start_time: at(0), end_time: at(300), slice_by: 'variant' })
    for (const interval of sliced.intervals)
      expect(interval).toStrictEqual({
        time: at(0),
        max_concurrent_conversations: expect.any(Number),
        variant_id: expect.any(String),
        variant_name: expect.any(String),
      })
  })
})

describe('the count of open conversations', () => {
  /** The peak of the window that it is now. */
  const now = async (query: Record<string, string>) => {
    const passed = (clock.now() - START) / 1000
    return peaksOf(await measure({ start_time: at(passed), end_time: at(passed + 1), ...query }))
  }

  it('includes only the environment live by default', async () => {
    await clock.leap(3_600_000)
    const { client } = await world.chat([], { token: 'live-secret', open: true })
    const { client: other } = await world.chat([], { open: true })
    const { client: third } = await world.chat([], { open: true })
    const passed = (clock.now() - START) / 1000
    const response = await world.get(`${PATH}?start_time=${at(passed)}&end_time=${at(passed + 1)}`)
    expect(peaksOf((await response.json()) as Concurrency)).toEqual([1])
    expect(await now({ client_env: 'live' })).toEqual([1])
    expect(await now({})).toEqual([2])
    for (const each of [client, other, third]) each.send('EVENT_TYPE_USER_END_SESSION')
    for (const each of [client, other, third]) await each.event('EVENT_TYPE_SESSION_END')
  })

  it('can be limited to one language, or to one number on either side', async () => {
    await clock.leap(3_600_000)
    const { client } = await world.chat(['deutsch'], { open: true })
    const headers = {
      'x-svc-auth-token': 'all-key',
      'x-token-id': 'CON-test0001',
      'content-type': 'application/json',
    }
    const body = { user_number: plainNumber(1), message: 'Hello' }
    expect((await world.post('/v1/outbound-sms', headers, JSON.stringify(body))).status).toBe(202)
    expect(await now({})).toEqual([2])
    expect(await now({ language: 'de-DE' })).toEqual([1])
    expect(await now({ language: 'en-GB' })).toEqual([0])
    expect(await now({ phone_number: plainNumber(1) })).toEqual([1])
    expect(await now({ phone_number: NUMBER })).toEqual([1])
    expect(await now({ phone_number: plainNumber(2) })).toEqual([0])
    client.send('EVENT_TYPE_USER_END_SESSION')
    await client.event('EVENT_TYPE_SESSION_END')
  })

  it('knows the language of a conversation from its start: the first that the page asks for, else the project’s', async () => {
    await clock.leap(3_600_000)
    const begin = async (languages?: string, connector = 'connector-secret') => {
      const response = await world.post(
        '/api/v1/sessions',
        {
          'content-type': 'application/json',
          authorization: `Bearer ${await world.accessToken(connector)}`,
          ...(languages !== undefined && { 'accept-language': languages }),
        },
        '{}',
      )
      expect(response.status).toBe(200)
    }
    const { commands } = world.runtime
    await begin('fr-ca,fr;q=0.9,en;q=0.8')
    await begin('FR')
    await begin('*, fil')
    await begin("en-US'; --")
    expect(await now({ language: 'fr' })).toEqual([2])
    expect(await now({ language: 'fr-CA' })).toEqual([1])
    expect(await now({ language: 'FR-ca' })).toEqual([1])
    // `fi` is Finnish, no prefix of Filipino; and a wildcard matches nothing.
    expect(await now({ language: 'fi' })).toEqual([0])
    expect(await now({ language: 'fil' })).toEqual([1])
    expect(await now({ language: 'f%' })).toEqual([0])
    const shop = PROJECTS.find(({ id }) => id === 'PROJECT-test0001')
    if (!shop) throw new Error('no such project')
    await commands.saveProject({ ...shop, language: 'pt-BR' })
    await begin()
    const headers = {
      'x-svc-auth-token': 'all-key',
      'x-token-id': 'CON-test0001',
      'content-type': 'application/json',
    }
    const body = { user_number: plainNumber(3), message: 'Hello' }
    expect((await world.post('/v1/outbound-sms', headers, JSON.stringify(body))).status).toBe(202)
    expect(await now({ language: 'pt' })).toEqual([2])
    await begin('fr-FR')
    expect(await now({ language: 'pt' })).toEqual([2])
    expect(await now({ language: 'fr' })).toEqual([3])
    await commands.saveProject(shop)
  })
})
