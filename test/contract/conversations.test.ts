// Part 1: conversations, from the chats that they were.

import type * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Conversation, ConversationPage, ConversationsError } from '../../src/api/index.ts'
import { handClock } from './clock.ts'
import { createWorld } from './world.ts'

const START = 1_800_000_000_000
const clock = handClock(START)
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString()
let world: Awaited<ReturnType<typeof createWorld>>
/** The chats of this file: one an hour, and the one that goes on. */
const ids: string[] = []

const PATH = '/v3/ws-test0001/PROJECT-test0001/conversations'
async function list(query: string | Record<string, string> = {}, path = PATH): Promise<ConversationPage> {
  const text = typeof query === 'string' ? query : String(new URLSearchParams(query))
  const response = await world.get(`${path}?client_env=sandbox&${text}`)
  expect(response.status).toBe(200)
  return (await response.json()) as ConversationPage
}
const idsOf = (page: ConversationPage) => page.conversations.map(({ id }) => id)
async function error(query: string, headers?: Record<string, string>, path = PATH) {
  const response = await world.get(`${path}?${query}`, headers)
  return { status: response.status, ...((await response.json()) as v.InferOutput<typeof ConversationsError>) }
}

beforeAll(async () => {
  world = await createWorld({ clock })
  for (const texts of [
    ['a bicycle with a broken chain'],
    ['write', 'two bicycles'],
    ['Wo ist mein Paket?'],
    ['caffè'],
  ]) {
    ids.push((await world.chat(texts)).sessionId)
    await clock.leap(3_600_000)
  }
  ids.push((await world.chat(['the parcel is still open'], { open: true })).sessionId)
  await clock.pass(5_000)
}, 60_000)
afterAll(() => world.close())

describe('a conversation', () => {
  it('tells all that was said and found out', async () => {
    const page = await list()
    const written = page.conversations.find(({ id }) => id === ids[1]) as Conversation
    expect(written).toMatchObject({
      account_id: 'ws-test0001',
      project_id: 'PROJECT-test0001',
      environment: 'sandbox',
      channel: 'WEBCHAT',
      started_at: at(3_600),
      in_progress: false,
      from_number: '',
      to_number: '',
      num_turns: 3,
      num_ood: 1,
      num_silences: 0,
      handoff: false,
      handoff_reason: '',
      handoff_destination: '',
      metrics: { resolved: 'yes', step: ['first', 'second', 'third'] },
      state: { booking: { seats: 2 }, step: 'done' },
    })
    expect(written.turns?.[0]).toMatchObject({ user_input: '', agent_response: 'Hello there' })
    expect(written.turns?.[1]).toMatchObject({
      user_input: 'write',
      agent_response: 'Written',
      intents: ['book', 'table'],
      entities: [{ seats: '2', day: ['monday', 'tuesday'] }],
      is_ood: true,
      is_silence: false,
      translated_user_input: 'write, in English',
      english_agent_response: 'Written, in English',
    })
    expect(written.turns?.[2]).toMatchObject({
      user_input: 'two bicycles',
      user_input_dtmf: '',
      agent_response: 'You said two bicycles',
      translated_user_input: '',
      english_agent_response: '',
    })
    expect(Object.values(written.turns?.[2] ?? {})).not.toContain(null)
    expect(written.turns).toHaveLength(written.num_turns ?? -1)
  })

  it('has one of the variants of its project, the same each time it is asked', async () => {
    const [first, again] = [await list(), await list()]
    expect(first).toEqual(again)
    for (const { variant_id, variant_name } of first.conversations)
      expect([
        ['VAR-1', 'Calm voice'],
        ['VAR-2', 'Quick voice'],
      ]).toContainEqual([variant_id, variant_name])
  })

  it('is in progress until it ends, and its durations grow until then', async () => {
    const open = (await list({ in_progress: 'true' })).conversations[0]
    expect(open).toMatchObject({ id: ids[4], in_progress: true, total_duration: 5, polyai_duration: 5 })
    await clock.pass(2_000)
    expect((await list({ in_progress: 'true' })).conversations[0]?.total_duration).toBe(7)
  })

  it('tells its latency only when asked', async () => {
    expect((await list()).conversations.some((one) => 'latency' in one)).toBe(false)
    for (const one of (await list({ include_latency: 'true' })).conversations)
      expect(one.latency).toBeGreaterThanOrEqual(0)
  })

  it('counts the time until a person took over as the agent’s own', async () => {
    const before = (clock.now() - START) / 1000
    const { sessionId, client } = await world.chat(['handoff'].slice(1), { open: true })
    await clock.pass(10_000)
    client.say('handoff')
    await client.event('EVENT_TYPE_LIVE_AGENT_MESSAGE')
    await clock.pass(20_000)
    client.send('EVENT_TYPE_USER_END_SESSION')
    await client.event('EVENT_TYPE_SESSION_END')
    const found = (await list({ start_time: at(before) })).conversations.find(({ id }) => id === sessionId)
    expect(found).toMatchObject({
      handoff: true,
      handoff_destination: 'support',
      total_duration: 30,
      polyai_duration: 10,
    })
    expect(found?.turns?.at(-1)).toMatchObject({ user_input: 'handoff', agent_response: 'Hello from Sarah' })
    await world.runtime.commands.eraseConversation(sessionId)
  })
})

describe('the list', () => {
  it('has the newest first, and all that match when no mode is given', async () => {
    expect(idsOf(await list())).toEqual([...ids].reverse())
    expect(idsOf(await list({ query: 'bicycle', turn_type: 'user' }))).toEqual([...ids].reverse())
  })

  it('takes both forms of account and project', async () => {
    for (const path of [
      '/v3/larkspur/shop/conversations',
      '/v3/larkspur/PROJECT-test0001/conversations',
      '/v3/ws-test0001/shop/conversations',
    ])
      expect(idsOf(await list({}, path))).toHaveLength(5)
  })

  it('looks at live conversations unless told otherwise', async () => {
    const response = await world.get(PATH)
    expect(await response.json()).toEqual({ conversations: [], cursor: null })
  })

  it('is filtered by time', async () => {
    expect(idsOf(await list({ start_time: at(3_600), end_time: at(7_200) }))).toEqual([ids[2], ids[1]])
    expect(idsOf(await list({ start_time: at(7_201).replace('Z', '+00:00') }))).toEqual([ids[4], ids[3]])
    expect(idsOf(await list(`start_time=${at(7_201).replace('.000Z', '+00:00')}`))).toEqual([ids[4], ids[3]])
  })

  it('is filtered by channel family or stored channel, several of them', async () => {
    expect(idsOf(await list({ channel: 'chat' }))).toHaveLength(5)
    expect(idsOf(await list({ channel: 'WEBCHAT' }))).toHaveLength(5)
    expect(idsOf(await list({ channel: 'voice' }))).toEqual([])
    expect(idsOf(await list('channel=voice&channel=chat'))).toHaveLength(5)
  })

  it('is filtered by variant and by progress', async () => {
    const all = (await list()).conversations
    for (const [id, name] of [
      ['VAR-1', 'Calm%20voice'],
      ['VAR-2', 'Quick%20voice'],
    ]) {
      const own = all.filter(({ variant_id }) => variant_id === id).map((one) => one.id)
      expect(idsOf(await list(`variant_id=${id}`))).toEqual(own)
      expect(idsOf(await list(`variant_name=${name}`))).toEqual(own)
    }
    expect(idsOf(await list({ in_progress: 'false' }))).toEqual([...ids.slice(0, 4)].reverse())
    expect(idsOf(await list({ in_progress: 'true' }))).toEqual([ids[4]])
  })

  it('shows no turns where the project gives no access to them, and still counts them', async () => {
    await world.runtime.commands.setTranscripts('PROJECT-test0001', false)
    const page = await list()
    await world.runtime.commands.setTranscripts('PROJECT-test0001', true)
    for (const one of page.conversations) expect(one.turns).toEqual([])
    expect(page.conversations.every(({ num_turns }) => (num_turns ?? 0) > 0)).toBe(true)
  })
})

describe('pages', () => {
  it('go on by offset', async () => {
    const first = await list({ limit: '2' })
    expect(first.next_offset).toBe(2)
    const second = await list({ limit: '2', offset: '2' })
    expect(second.next_offset).toBe(4)
    const third = await list({ limit: '2', offset: '4' })
    expect(third.next_offset).toBeUndefined()
    expect([first, second, third].flatMap(idsOf)).toEqual([...ids].reverse())
  })

  it('go on by cursor, unmoved by what is written meanwhile', async () => {
    const first = await list({ limit: '2' })
    const { sessionId } = await world.chat([])
    const second = await list({ limit: '2', cursor: first.cursor ?? '' })
    const third = await list({ limit: '2', cursor: second.cursor ?? '' })
    await world.runtime.commands.eraseConversation(sessionId)
    expect([first, second, third].flatMap(idsOf)).toEqual([...ids].reverse())
    expect(third.cursor).toBeNull()
    expect(second.next_offset).toBeUndefined()
    expect(first.cursor).toMatch(/^[\w-]+$/)
  })

  it('of a search go on by cursor too', async () => {
    const search = {
      query_type: 'transcript',
      query: 'You said',
      start_time: at(0),
      end_time: at(90_000),
      limit: '2',
    }
    const first = await list(search)
    const second = await list({ ...search, cursor: first.cursor ?? '' })
    const third = await list({ ...search, offset: '4' })
    expect(new Set([first, second, third].flatMap(idsOf))).toEqual(new Set(ids))
  })

  it.each([
    ['no cursor at all', 'nonsense'],
    ['one that was changed', 'changed'],
    ['one of another query', 'other'],
  ])('refuse a malformed cursor: %s', async (_, kind) => {
    const { cursor } = await list({ limit: '2' })
    const query = {
      nonsense: 'limit=2&cursor=abc',
      changed: `limit=2&cursor=${cursor?.slice(0, -4)}AAAA`,
      other: `in_progress=true&cursor=${cursor}`,
    }[kind]
    expect(await error(`client_env=sandbox&${query}`)).toMatchObject({
      status: 400,
      error_code: 'GET_CONVERSATIONS_FILTER_PARSE_ERROR',
    })
  })
})

describe('transcript search', () => {
  const search = (query: string, more: Record<string, string> = {}) =>
    list({ query_type: 'transcript', query, start_time: at(0), end_time: at(90_000), ...more }).then(idsOf)

  it('finds words in any form, also without their accents, and several together', async () => {
    expect(await search('bicycle')).toEqual(expect.arrayContaining([ids[0], ids[1]]))
    expect(await search('chains')).toEqual([ids[0]])
    expect(await search('bicycle chain')).toEqual([ids[0]])
    expect(await search('CAFFE')).toEqual([ids[3]])
    expect(await search('Paket')).toEqual([ids[2]])
  })

  it('finds phrases, alternatives and exclusions', async () => {
    expect(await search('"broken chain"')).toEqual([ids[0]])
    expect(await search('"chain broken"')).toEqual([])
    expect(await search('chain or caffè')).toHaveLength(2)
    expect(await search('bicycle -chain')).toEqual([ids[1]])
  })

  it('finds what one side said', async () => {
    expect(await search('written', { turn_type: 'user' })).toEqual([])
    expect(await search('written', { turn_type: 'agent' })).toEqual([ids[1]])
    expect(await search('broken', { turn_type: 'user' })).toEqual([ids[0]])
  })

  it('finds nothing where there is nothing to find', async () => {
    expect(await search('zeppelin')).toEqual([])
    expect(await search('!?')).toEqual([])
    expect(await search("'); DROP TABLE foyer.turn; --")).toEqual([])
  })

  it('keeps to the other filters', async () => {
    expect(await search('bicycle', { end_time: at(100) })).toEqual([ids[0]])
    expect(await search('parcel', { in_progress: 'false' })).toEqual([])
  })
})

describe('semantic search', () => {
  it('has the likest first', async () => {
    await clock.pass(10_000)
    const found = await list({
      query_type: 'semantic',
      query: 'my bicycle chain is broken',
      start_time: at(0),
      end_time: at(90_000),
    })
    expect(idsOf(found)[0]).toBe(ids[0])
    expect(idsOf(found).length).toBeGreaterThan(1)
  })
})

describe('a sample', () => {
  it('is some of the range, without pages', async () => {
    const page = await list({ sample: 'random', start_time: at(0), end_time: at(90_000), limit: '3' })
    expect(new Set(idsOf(page)).size).toBe(3)
    expect(page).not.toHaveProperty('next_offset')
    for (const id of idsOf(page)) expect(ids).toContain(id)
  })
})

describe('a request that is wrong', () => {
  const range = `start_time=${at(0)}&end_time=${at(9_000)}`

  it.each([
    [
      'a mode and a sample',
      `query_type=transcript&query=a&sample=random&${range}`,
      'SCHEMA_VALIDATION_FAILED',
      'sample',
    ],
    ['both names of a variant', 'variant_id=a&variant_name=b', 'SCHEMA_VALIDATION_FAILED', 'variant_name'],
    ['a mode without a query', `query_type=semantic&${range}`, 'SCHEMA_VALIDATION_FAILED', 'query'],
    [
      'a mode without a start',
      `query_type=transcript&query=a&end_time=${at(0)}`,
      'SCHEMA_VALIDATION_FAILED',
      'start_time',
    ],
    ['a sample without an end', `sample=random&start_time=${at(0)}`, 'SCHEMA_VALIDATION_FAILED', 'end_time'],
    ['a cursor with an offset', 'cursor=abc&offset=1', 'SCHEMA_VALIDATION_FAILED', 'offset'],
    [
      'a range that ends before it starts',
      `start_time=${at(9)}&end_time=${at(0)}`,
      'SCHEMA_VALIDATION_FAILED',
      'end_time',
    ],
    ['limit 0', 'limit=0', 'GET_CONVERSATIONS_FILTER_PARSE_ERROR', 'limit'],
    ['limit 1001', 'limit=1001', 'GET_CONVERSATIONS_FILTER_PARSE_ERROR', 'limit'],
    ['a limit that is no number', 'limit=ten', 'GET_CONVERSATIONS_FILTER_PARSE_ERROR', 'limit'],
    ['a negative offset', 'offset=-1', 'GET_CONVERSATIONS_FILTER_PARSE_ERROR', 'offset'],
    ['a bad date', 'start_time=yesterday', 'GET_CONVERSATIONS_FILTER_PARSE_ERROR', 'start_time'],
    [
      'a day that is none',
      'end_time=2026-02-30T00:00:00Z',
      'GET_CONVERSATIONS_FILTER_PARSE_ERROR',
      'end_time',
    ],
    ['an unknown mode', 'query_type=magic&query=a', 'GET_CONVERSATIONS_FILTER_PARSE_ERROR', 'query_type'],
    ['an unknown side', `turn_type=both`, 'GET_CONVERSATIONS_FILTER_PARSE_ERROR', 'turn_type'],
    ['an unknown environment', 'client_env=moon', 'GET_CONVERSATIONS_FILTER_PARSE_ERROR', 'client_env'],
    ['a flag that is none', 'in_progress=maybe', 'GET_CONVERSATIONS_FILTER_PARSE_ERROR', 'in_progress'],
    ['a limit given twice', 'limit=1&limit=2', 'GET_CONVERSATIONS_FILTER_PARSE_ERROR', 'limit'],
  ])('%s is refused, and the field named', async (_, query, code, field) => {
    const answer = await error(query)
    expect(answer).toMatchObject({ status: 400, error_code: code, success: false, data: null })
    expect(answer.error_message).toContain(field)
    expect(answer.error).toBe(answer.error_message)
  })

  it('takes the largest and smallest limit', async () => {
    for (const limit of ['1', '1000']) expect((await world.get(`${PATH}?limit=${limit}`)).status).toBe(200)
  })

  it.each([
    ['no key', PATH, {}, 401, 'AUTH_USER_INVALID_TOKEN'],
    ['an unknown key', PATH, { 'x-api-key': 'nobody' }, 401, 'AUTH_USER_INVALID_TOKEN'],
    ['a build key', PATH, { 'x-api-key': 'build-key' }, 401, 'AUTH_USER_INVALID_TOKEN'],
    ['a calling token', PATH, { 'x-api-key': 'calling-token' }, 401, 'AUTH_USER_INVALID_TOKEN'],
    ['a key of another account', PATH, { 'x-api-key': 'other-key' }, 403, 'USER_ACCESS_FORBIDDEN'],
    ['a key of another project', PATH, { 'x-api-key': 'twin-key' }, 403, 'USER_ACCESS_FORBIDDEN'],
    ['a key of another region', PATH, { 'x-api-key': 'us-key' }, 403, 'USER_ACCESS_FORBIDDEN'],
    ['a key without the permission', PATH, { 'x-api-key': 'powerless-key' }, 403, 'USER_ACCESS_FORBIDDEN'],
    [
      'an account nobody has',
      '/v3/nobody/shop/conversations',
      { 'x-api-key': 'all-key' },
      403,
      'USER_ACCESS_FORBIDDEN',
    ],
    [
      'a project nobody has',
      '/v3/larkspur/nothing/conversations',
      { 'x-api-key': 'all-key' },
      404,
      'PROJECT_NOT_FOUND',
    ],
    [
      'a project that is no text',
      '/v3/larkspur/a%00b/conversations',
      { 'x-api-key': 'all-key' },
      404,
      'PROJECT_NOT_FOUND',
    ],
  ])(
    'with %s is answered in this order: credentials, access, project, parameters',
    async (_, path, headers, status, code) => {
      const answer = await error('limit=0', headers as Record<string, string>, path)
      expect(answer).toMatchObject({ status, error_code: code, success: false, data: null })
    },
  )

  it('is told the correlation id of its own, or a new one', async () => {
    const own = await world.get(`${PATH}?limit=0`, {
      'x-api-key': 'all-key',
      'x-svc-correlation-id': 'mine-1',
    })
    expect(own.headers.get('x-svc-correlation-id')).toBe('mine-1')
    expect(await own.json()).toMatchObject({ error_id: 'mine-1' })
    const made = await world.get(`${PATH}?limit=0`, {
      'x-api-key': 'all-key',
      'x-svc-correlation-id': 'no good!',
    })
    expect(await made.json()).toMatchObject({ error_id: made.headers.get('x-svc-correlation-id') })
    expect(made.headers.get('x-svc-correlation-id')).toMatch(/^[\w-]{36}$/)
  })

  it('by another method is refused', async () => {
    const response = await world.ask('POST', PATH, { 'x-api-key': 'all-key' })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET'])
  })
})
