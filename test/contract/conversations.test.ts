// Part 1: conversations, from the chats that they were.

import type * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Conversation,
  type ConversationPage,
  type ConversationsError,
  ConversationsQuery,
  readQuery,
} from '../../src/api/index.ts'
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
})
afterAll(() => world.close())

describe('a conversation', () => {
  it('contains every text of both sides, and what the agent understood', async () => {
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

  it('has exactly the fields of the document, each of its type', async () => {
    const { conversations } = await list()
    const text = expect.any(String)
    const number = expect.any(Number)
    const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const written = conversations.find(({ id }) => id === ids[1])
    expect(written).toStrictEqual({
      id: text,
      account_id: text,
      project_id: text,
      variant_id: text,
      variant_name: text,
      environment: text,
      started_at: moment,
      channel: text,
      from_number: text,
      to_number: text,
      in_progress: expect.any(Boolean),
      num_turns: number,
      total_duration: number,
      polyai_duration: number,
      handoff: expect.any(Boolean),
      handoff_reason: text,
      handoff_destination: text,
      num_silences: number,
      num_ood: number,
      metrics: expect.any(Object),
      state: expect.any(Object),
      turns: expect.any(Array),
    })
    for (const name of ['num_turns', 'total_duration', 'polyai_duration', 'num_silences', 'num_ood'] as const)
      expect([name, Number.isInteger(written?.[name])]).toEqual([name, true])
    for (const turn of conversations.flatMap(({ turns = [] }) => turns))
      expect(turn).toStrictEqual({
        user_input: text,
        user_input_dtmf: text,
        user_input_datetime: moment,
        agent_response: text,
        agent_response_datetime: moment,
        latency: number,
        translated_user_input: text,
        english_agent_response: text,
        intents: expect.any(Array),
        entities: expect.any(Array),
        is_ood: expect.any(Boolean),
        is_silence: expect.any(Boolean),
      })
  })

  it('has one of its project’s variants, the same on each request', async () => {
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

  it('contains its latency only on request', async () => {
    expect((await list()).conversations.some((one) => 'latency' in one)).toBe(false)
    for (const one of (await list({ include_latency: 'true' })).conversations)
      expect(one.latency).toBeGreaterThanOrEqual(0)
  })

  it('contains the times at which each turn was received and answered, and the seconds between', async () => {
    const { sessionId, client } = await world.chat([], { open: true })
    const before = (clock.now() - START) / 1000
    client.say('wait')
    const thoughts = () => client.events().filter(({ type }) => type === 'EVENT_TYPE_POLY_AGENT_THINKING')
    await client.until(() => thoughts().length === 2)
    const find = async () => {
      const page = await list({ start_time: at(before), include_latency: 'true' })
      return page.conversations.find(({ id }) => id === sessionId)
    }
    const waiting = (await find())?.turns?.[1]
    expect(waiting).toMatchObject({ user_input: 'wait', agent_response: '', latency: 0 })
    expect(waiting).not.toHaveProperty('agent_response_datetime')
    await clock.pass(60_000)
    await client.event('EVENT_TYPE_POLY_AGENT_MESSAGE', ({ payload }) => payload.text === 'You said wait')
    const found = await find()
    expect(found?.turns?.[1]).toMatchObject({
      user_input: 'wait',
      user_input_datetime: at(before),
      agent_response_datetime: at(before + 60),
      latency: 60,
    })
    // The mean: the greeting took no time.
    expect(found?.latency).toBe(30)
    await world.runtime.commands.eraseConversation(sessionId)
  })

  it('that the visitor ends during an answer keeps the part that was already sent', async () => {
    const { sessionId, client } = await world.joined({ streaming_enabled: true })
    client.say('slow')
    while (!client.events().some(({ payload }) => String(payload.text ?? '').includes('3')))
      await clock.pass(50)
    client.send('EVENT_TYPE_USER_END_SESSION')
    await client.event('EVENT_TYPE_SESSION_END')
    const read = client
      .events()
      .flatMap(({ type, payload }) =>
        type === 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK' ? [String(payload.text)] : [],
      )
    const spoken = async () => (await list()).conversations.find(({ id }) => id === sessionId)?.turns?.[1]
    while ((await spoken())?.agent_response === '') await new Promise((resolve) => setImmediate(resolve))
    const { agent_response = '' } = (await spoken()) ?? {}
    expect(agent_response).toContain('1, 2, 3')
    expect(read.join('')).toContain(agent_response.trimEnd())
    await world.runtime.commands.eraseConversation(sessionId)
  })

  it('counts a streamed answer as answered at its first words', async () => {
    const { sessionId, client } = await world.joined({ streaming_enabled: true })
    const before = (clock.now() - START) / 1000
    client.say('slow')
    // It speaks as soon as it has thought.
    const thoughts = () => client.events().filter(({ type }) => type === 'EVENT_TYPE_POLY_AGENT_THINKING')
    await client.until(() => thoughts().length === 2)
    const whole = () =>
      client.events().some(({ sequence, payload }) => sequence && payload.is_complete && sequence > 8)
    while (!whole()) await clock.pass(100)
    const found = (await list({ start_time: at(before) })).conversations.find(({ id }) => id === sessionId)
    expect(found?.turns?.[1]).toMatchObject({
      user_input: 'slow',
      agent_response: expect.stringContaining('10'),
      agent_response_datetime: at(before),
      latency: 0,
    })
    client.send('EVENT_TYPE_USER_END_SESSION')
    await client.event('EVENT_TYPE_SESSION_END')
    await world.runtime.commands.eraseConversation(sessionId)
  })

  it('counts the time until a live agent took over as time of the agent', async () => {
    const before = (clock.now() - START) / 1000
    const { sessionId, client } = await world.chat([], { open: true })
    await clock.pass(10_000)
    client.say('desk')
    await client.event('EVENT_TYPE_HANDOFF_QUEUE_STATUS')
    await world.desk.take(sessionId, { id: 'sarah', name: 'Sarah' })
    await world.desk.answer(sessionId, 'sarah', 'Hello from Sarah')
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
    expect(found?.turns?.at(-1)).toMatchObject({
      user_input: 'desk',
      agent_response: expect.stringContaining('Hello from Sarah'),
    })
    await world.runtime.commands.eraseConversation(sessionId)
  })
})

describe('the list', () => {
  it('has the newest conversation first, and ignores the query of a request without query_type', async () => {
    expect(idsOf(await list())).toEqual([...ids].reverse())
    expect(idsOf(await list({ query: 'bicycle', turn_type: 'user' }))).toEqual([...ids].reverse())
  })

  it('accepts IDs and slugs of account and project', async () => {
    for (const path of [
      '/v3/larkspur/shop/conversations',
      '/v3/larkspur/PROJECT-test0001/conversations',
      '/v3/ws-test0001/shop/conversations',
    ])
      expect(idsOf(await list({}, path))).toHaveLength(5)
  })

  it('lists live conversations by default', async () => {
    const asked = async (query: string) => {
      const response = await world.get(`${PATH}${query}`)
      const { conversations } = (await response.json()) as ConversationPage
      return conversations.map(({ id, environment }) => [id, environment])
    }
    const host = 'shop.example.com'
    const owner = { accountId: 'ws-test0001', projectId: 'PROJECT-test0001', host }
    const { token } = await world.runtime.commands.createConnector({ ...owner, environment: 'pre-release' })
    expect(await asked('')).toEqual([])
    const { sessionId: live } = await world.chat(['hello'], { token: 'live-secret' })
    const { sessionId: early } = await world.chat(['hello'], { token })
    expect(await asked('')).toEqual([[live, 'live']])
    expect(await asked('?client_env=live')).toEqual([[live, 'live']])
    expect(await asked('?client_env=pre-release')).toEqual([[early, 'pre-release']])
    expect((await asked('?client_env=sandbox')).map(([id]) => id)).toEqual([...ids].reverse())
    for (const id of [live, early]) await world.runtime.commands.eraseConversation(id)
  })

  it('has the defaults of the document', () => {
    expect(readQuery(ConversationsQuery, new URLSearchParams())).toEqual({
      values: { client_env: 'live', limit: 1000, offset: 0, include_latency: false },
    })
  })

  it('is filtered by time', async () => {
    expect(idsOf(await list({ start_time: at(3_600), end_time: at(7_200) }))).toEqual([ids[2], ids[1]])
    expect(idsOf(await list({ start_time: at(7_201).replace('Z', '+00:00') }))).toEqual([ids[4], ids[3]])
    expect(idsOf(await list(`start_time=${at(7_201).replace('.000Z', '+00:00')}`))).toEqual([ids[4], ids[3]])
  })

  it('is filtered by a range of one instant too', async () => {
    expect(idsOf(await list({ start_time: at(3_600), end_time: at(3_600) }))).toEqual([ids[1]])
  })

  it('is filtered by one or several channels or channel families', async () => {
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

  it('refuses searches of a project whose transcripts are off', async () => {
    await world.runtime.commands.setTranscripts('PROJECT-test0001', false)
    const range = `client_env=sandbox&start_time=${at(0)}&end_time=${at(90_000)}`
    const answers = await Promise.all(
      ['transcript', 'semantic'].map((mode) => error(`query_type=${mode}&query=bicycle&${range}`)),
    )
    const sampled = await list({ sample: 'random', start_time: at(0), end_time: at(90_000) })
    await world.runtime.commands.setTranscripts('PROJECT-test0001', true)
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 403, error_code: 'USER_ACCESS_FORBIDDEN' })
    expect(sampled.conversations.length).toBeGreaterThan(0)
  })

  it('searches for at most 50 words, each character of a script without spaces being one', async () => {
    const range = `client_env=sandbox&start_time=${at(0)}&end_time=${at(90_000)}`
    const asking = (query: string, mode = 'transcript') =>
      error(`query_type=${mode}&query=${encodeURIComponent(query)}&${range}`)
    const words = (count: number) => Array.from({ length: count }, (_, n) => `word${n}`)
    const accepted = [
      words(50).join(' '),
      words(50).join(' or '),
      `"${words(49).join(' ')}" -this`,
      '東'.repeat(50),
    ]
    for (const query of accepted) expect((await asking(query)).status).toBe(200)
    const refused = [words(51).join(' '), `"${words(51).join(' ')}"`, words(51).join('-'), '東'.repeat(51)]
    for (const query of refused)
      expect(await asking(query)).toMatchObject({
        status: 400,
        error_code: 'QUERY_TOO_LONG',
        error_message: 'query has 51 words; a search for transcripts takes at most 50',
      })
    expect((await asking(words(51).join(' '), 'semantic')).status).toBe(200)
  })

  it('accepts the earliest and latest time of four-digit years, and an unknown channel', async () => {
    const wide = { start_time: '0000-01-01T00:00:00Z', end_time: '9999-12-31T23:59:59-01:00' }
    expect(idsOf(await list(wide))).toEqual(expect.arrayContaining(ids))
    expect(idsOf(await list({ channel: 'constructor' }))).toEqual([])
  })

  it('hides the turns of a project whose transcripts are off, and still counts them', async () => {
    await world.runtime.commands.setTranscripts('PROJECT-test0001', false)
    const page = await list()
    await world.runtime.commands.setTranscripts('PROJECT-test0001', true)
    for (const one of page.conversations) expect(one.turns).toEqual([])
    expect(page.conversations.every(({ num_turns }) => (num_turns ?? 0) > 0)).toBe(true)
  })
})

describe('pages', () => {
  it('continue by offset', async () => {
    const first = await list({ limit: '2' })
    expect(first.next_offset).toBe(2)
    const second = await list({ limit: '2', offset: '2' })
    expect(second.next_offset).toBe(4)
    const third = await list({ limit: '2', offset: '4' })
    expect(third.next_offset).toBeUndefined()
    expect([first, second, third].flatMap(idsOf)).toEqual([...ids].reverse())
  })

  it('continue by cursor, unaffected by new conversations', async () => {
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

  it('continue by cursor when the request has an offset too', async () => {
    const first = await list({ limit: '2' })
    const second = await list({ limit: '2', cursor: first.cursor ?? '' })
    const both = await list({ limit: '2', cursor: first.cursor ?? '', offset: '3' })
    expect(idsOf(both)).toEqual(idsOf(second))
    expect(both.cursor).toBe(second.cursor)
    expect(both.next_offset).toBeUndefined()
  })

  it('of a search continue by cursor too', async () => {
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
    const both = await list({ ...search, cursor: first.cursor ?? '', offset: '1' })
    expect(idsOf(both)).toEqual(idsOf(second))
  })

  it.each(['transcript', 'semantic'])(
    'of a %s search do not drift when a better match comes meanwhile',
    async (query_type) => {
      const search = {
        ...{ query_type, query: 'you said', limit: '1' },
        ...{ start_time: at(0), end_time: at(90_000) },
      }
      await clock.pass(10_000)
      const all = idsOf(await list({ ...search, limit: '100' }))
      const first = await list(search)
      await clock.pass(1_000)
      const { sessionId } = await world.chat(['you said', 'you said', 'you said', 'you said'])
      await clock.pass(10_000)
      expect(idsOf(await list(search))).toEqual([sessionId])
      const pages = [first]
      for (let page = first; page.cursor; pages.push(page))
        page = await list({ ...search, cursor: page.cursor })
      await world.runtime.commands.eraseConversation(sessionId)
      expect(all.length).toBeGreaterThan(2)
      expect(pages.flatMap(idsOf)).toEqual(all)
    },
  )

  it.each([
    ['no cursor at all', 'nonsense'],
    ['one that was changed', 'changed'],
  ])('refuse a malformed cursor: %s', async (_, kind) => {
    const { cursor } = await list({ limit: '2' })
    const query = {
      nonsense: 'limit=2&cursor=abc',
      changed: `limit=2&cursor=${cursor?.slice(0, -4)}AAAA`,
    }[kind]
    expect(await error(`client_env=sandbox&${query}`)).toMatchObject({
      status: 400,
      error_code: 'GET_CONVERSATIONS_FILTER_PARSE_ERROR',
    })
  })

  it.each<[string, Record<string, string>, Record<string, string>[]]>([
    [
      'list',
      {},
      [
        ...[{ client_env: 'live' }, { in_progress: 'false' }, { channel: 'chat' }, { variant_id: 'VAR-1' }],
        ...[{ variant_name: 'Calm voice' }, { start_time: at(0) }, { end_time: at(9_000_000) }],
      ],
    ],
    [
      'search',
      {
        ...{ query_type: 'transcript', query: 'said', turn_type: 'agent' },
        ...{ start_time: at(0), end_time: at(90_000) },
      },
      [{ query: 'You' }, { turn_type: 'user' }, { query_type: 'semantic' }, { start_time: at(1) }],
    ],
  ])('of a %s refuse the cursor of a query that differs in one thing', async (_, query, others) => {
    const { cursor } = await list({ ...query, limit: '1' })
    const same = { ...query, cursor: cursor ?? '' }
    expect((await list({ ...same, limit: '2' })).conversations.length).toBeGreaterThan(0)
    const refused = await Promise.all(
      others.map(async (other) => {
        const params = new URLSearchParams({ client_env: 'sandbox', ...same, ...other })
        return [other, (await error(String(params))).error_code]
      }),
    )
    expect(refused).toEqual(others.map((other) => [other, 'GET_CONVERSATIONS_FILTER_PARSE_ERROR']))
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
    for (const query of ['bicycle -chains', 'bicycles -chain', 'chain -bicycles', 'bicycle -"broken chain"'])
      expect([query, (await search(query)).includes(ids[0] ?? '')]).toEqual([query, false])
  })

  it('finds the words of one side only', async () => {
    expect(await search('write')).toEqual([ids[1]])
    expect(await search('write', { turn_type: 'agent' })).toEqual([])
    expect(await search('written')).toEqual([ids[1]])
    expect(await search('written', { turn_type: 'user' })).toEqual([])
    expect(await search('written', { turn_type: 'agent' })).toEqual([ids[1]])
    expect(await search('broken', { turn_type: 'user' })).toEqual([ids[0]])
  })

  it('finds nothing for an unknown word, for punctuation, or for SQL', async () => {
    expect(await search('zeppelin')).toEqual([])
    expect(await search('!?')).toEqual([])
    expect(await search("'); DROP TABLE foyer.turn; --")).toEqual([])
  })

  it('returns the best match first, not the newest', async () => {
    const often = await world.chat(['zeppelin, zeppelin, zeppelin', 'the zeppelin'])
    await clock.pass(1_000)
    const once = await world.chat(['one zeppelin, and much else that is none of it'])
    expect(await search('zeppelin')).toEqual([often.sessionId, once.sessionId])
    for (const { sessionId } of [often, once]) await world.runtime.commands.eraseConversation(sessionId)
  })

  it('applies the other filters too', async () => {
    expect(await search('bicycle', { end_time: at(100) })).toEqual([ids[0]])
    expect(await search('parcel', { in_progress: 'false' })).toEqual([])
  })
})

describe('semantic search', () => {
  it('returns the nearest first', async () => {
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

  it('searches both sides, and ignores turn_type', async () => {
    const query = { query_type: 'semantic', query: 'written', start_time: at(0), end_time: at(90_000) }
    const both = idsOf(await list(query))
    for (const turn_type of ['user', 'agent'])
      expect(idsOf(await list({ ...query, turn_type }))).toEqual(both)
  })
})

describe('a sample', () => {
  it('is a part of the range, without pages', async () => {
    const page = await list({ sample: 'random', start_time: at(0), end_time: at(90_000), limit: '3' })
    expect(new Set(idsOf(page)).size).toBe(3)
    expect(page).not.toHaveProperty('next_offset')
    for (const id of idsOf(page)) expect(ids).toContain(id)
  })

  it('is taken from its time range only, and differs from one request to the next', async () => {
    const range = { sample: 'random', start_time: at(3_600), end_time: at(7_200) }
    expect(idsOf(await list(range)).toSorted()).toEqual([ids[1], ids[2]].toSorted())
    const seen = new Set<string | undefined>()
    for (let count = 0; count < 100 && seen.size < 2; count++)
      seen.add(idsOf(await list({ ...range, limit: '1' }))[0])
    expect(seen).toEqual(new Set([ids[1], ids[2]]))
  })
})

describe('an invalid request', () => {
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
    [
      'a mode without an end',
      `query_type=semantic&query=a&start_time=${at(0)}`,
      'SCHEMA_VALIDATION_FAILED',
      'end_time',
    ],
    ['a sample without a start', `sample=random&end_time=${at(0)}`, 'SCHEMA_VALIDATION_FAILED', 'start_time'],
    ['a sample without an end', `sample=random&start_time=${at(0)}`, 'SCHEMA_VALIDATION_FAILED', 'end_time'],
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
    ['an unknown sample', 'sample=first', 'GET_CONVERSATIONS_FILTER_PARSE_ERROR', 'sample'],
    ['an unknown side', `turn_type=both`, 'GET_CONVERSATIONS_FILTER_PARSE_ERROR', 'turn_type'],
    ['an unknown environment', 'client_env=moon', 'GET_CONVERSATIONS_FILTER_PARSE_ERROR', 'client_env'],
    ['a flag that is none', 'in_progress=maybe', 'GET_CONVERSATIONS_FILTER_PARSE_ERROR', 'in_progress'],
    ['a limit given twice', 'limit=1&limit=2', 'GET_CONVERSATIONS_FILTER_PARSE_ERROR', 'limit'],
  ])('with %s is refused, and the error names the field', async (_, query, code, field) => {
    const answer = await error(query)
    expect(answer).toMatchObject({ status: 400, error_code: code, success: false, data: null })
    expect(answer.error_message).toContain(field)
    expect(answer.error).toBe(answer.error_message)
  })

  it('does not begin at the smallest or the largest limit, which are accepted', async () => {
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
    'with %s and a bad parameter is refused in the order credentials, access, project, parameters',
    async (_, path, headers, status, code) => {
      const answer = await error('limit=0', headers as Record<string, string>, path)
      expect(answer).toMatchObject({ status, error_code: code, success: false, data: null })
    },
  )

  it.each([
    [400, PATH, 'all-key'],
    [401, PATH, 'nobody'],
    [403, PATH, 'other-key'],
    [404, '/v3/larkspur/nothing/conversations', 'all-key'],
  ])('with %s has exactly the error body of the document', async (status, path, key) => {
    const response = await world.get(`${path}?limit=0`, { 'x-api-key': key })
    expect(response.status).toBe(status)
    expect(await response.json()).toStrictEqual({
      success: false,
      error: expect.stringMatching(/\w+ \w+/),
      error_id: response.headers.get('x-svc-correlation-id'),
      error_code: expect.stringMatching(/^[A-Z]+(_[A-Z]+)*$/),
      error_message: expect.stringMatching(/\w+ \w+/),
      data: null,
    })
  })

  it('gets its own correlation id back, or a new one', async () => {
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

  it('with another method is refused', async () => {
    const response = await world.ask('POST', PATH, { 'x-api-key': 'all-key' })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET'])
  })
})
