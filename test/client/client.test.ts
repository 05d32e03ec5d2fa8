import { getEventListeners } from 'node:events'
import { inspect } from 'node:util'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CallError } from '../../src/api/calls.ts'
import { ErrorMessage } from '../../src/api/concurrency.ts'
import { type Conversation, ConversationsError } from '../../src/api/conversations.ts'
import { ChatError } from '../../src/api/error.ts'
import { SmsError } from '../../src/api/sms.ts'
import { type Client, createClient } from '../../src/client/client.ts'
import {
  CallsFailure,
  ChatFailure,
  ClientError,
  ConcurrencyFailure,
  ConversationsFailure,
  HandoffFailure,
  InputError,
  SmsFailure,
} from '../../src/client/client-error.ts'
import type { ClientOptions } from '../../src/client/client-options.ts'
import { type Answer, createHandClock, type HandClock, type Service, startService } from './service.ts'

const SECRETS = {
  apiKey: 'KEY-5f1c0d/secret+1',
  authToken: 'AUTH-77e2-secret-2',
  connectorToken: 'CONN-93b4-secret-3',
}
const ACCESS = 'eyJhbGciOi.access-secret-4.sig'

let service: Service
let clock: HandClock
let spies: { mock: { calls: unknown[][] } }[]
const rejections: unknown[] = []
const onRejection = (reason: unknown) => rejections.push(reason)

beforeEach(async () => {
  service = await startService()
  clock = createHandClock()
  spies = (['log', 'info', 'warn', 'error', 'debug'] as const).map((name) => vi.spyOn(console, name))
  process.on('unhandledRejection', onRejection)
})

afterEach(async () => {
  await service.close()
  process.off('unhandledRejection', onRejection)
  expect(rejections.splice(0)).toEqual([])
  expect(spies.flatMap((spy) => spy.mock.calls)).toEqual([])
  vi.restoreAllMocks()
})

/** Jitter at its longest, so that the backoffs are 500, 1000, 2000 … exactly. */
const make = (options: ClientOptions = {}): Client =>
  createClient({
    apiUrl: service.url,
    chatUrl: service.url,
    ...SECRETS,
    connectorId: 'CONNECTOR-1',
    host: 'www.example.com',
    clock,
    random: () => 1,
    ...options,
  })

const project = { account_id: 'ws-12345678', project_id: 'PROJECT-abcdefgh' }
const range = { start_time: '2026-11-01T00:00:00Z', end_time: new Date('2026-11-02T00:00:00Z') }
const sms = { user_number: '+15005550006', message: 'Hello' }

const conversation = (id: string): Conversation => ({
  id,
  ...project,
  variant_id: '',
  variant_name: '',
  environment: 'live',
  started_at: '2026-11-01T10:00:00Z',
  channel: 'WEBCHAT',
  from_number: '',
  to_number: '',
  in_progress: false,
  num_turns: 0,
  total_duration: 1,
  polyai_duration: 1,
  handoff: false,
  handoff_reason: '',
  handoff_destination: '',
  num_silences: 0,
  num_ood: 0,
  metrics: {},
  state: {},
  turns: [],
})
const page = (ids: string[], cursor: string | null = null): Answer => ({
  status: 200,
  body: { conversations: ids.map(conversation), cursor },
})
const token = { access_token: ACCESS, expires_in: 3600, token_type: 'Bearer' }

/** One request of each kind, with an answer that fits it. */
const calls: Record<string, { run: (client: Client) => Promise<unknown>; yes: Answer }> = {
  'conversations.list': { run: (client) => client.conversations.list(project), yes: page(['a']) },
  'conversations.search': {
    run: (client) =>
      client.conversations.search({ ...project, ...range, query: 'a b', query_type: 'transcript' }),
    yes: page(['a']),
  },
  'conversations.sample': {
    run: (client) => client.conversations.sample({ ...project, ...range }),
    yes: page(['a']),
  },
  'concurrency.query': {
    run: (client) => client.concurrency.query({ ...project, ...range }),
    yes: { status: 200, body: { ...project, intervals: [] } },
  },
  'handoff.get': {
    run: (client) => client.handoff.get({ ...project, id: 'c1' }),
    yes: { status: 200, body: { id: 'c1', data: {} } },
  },
  'calls.status': {
    run: (client) => client.calls.status('OUT-1'),
    yes: { status: 200, body: { status: 'queued', reason: '' } },
  },
  'chat.accessToken': { run: (client) => client.chat.accessToken(), yes: { status: 200, body: token } },
  'sms.send': { run: (client) => client.sms.send(sms), yes: { status: 202 } },
  'calls.start': {
    run: (client) => client.calls.start({ to_number: '+15005550006' }),
    yes: { status: 200, body: { call_sid: 'OUT-1' } },
  },
  'chat.createSession': {
    run: (client) => client.chat.createSession({ access_token: ACCESS }),
    yes: { status: 200, body: { session_id: 's1' } },
  },
}
const ACTS = ['sms.send', 'calls.start', 'chat.createSession']
const HARMLESS = Object.keys(calls).filter((name) => !ACTS.includes(name))
const callOf = (name: string) => calls[name] ?? expect.fail(name)

async function failure(promise: Promise<unknown>): Promise<ClientError> {
  const error = await promise.then(
    () => expect.fail('it did not fail'),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ClientError)
  return error as ClientError
}

async function refusedInput(run: () => unknown): Promise<InputError> {
  let error: unknown
  try {
    await run()
  } catch (reason) {
    error = reason
  }
  expect(error).toBeInstanceOf(InputError)
  expect(service.requests).toEqual([])
  return error as InputError
}

describe('a request', () => {
  it('goes to its path, with its credential in its header', async () => {
    const client = make({ headerPrefix: 'Acme' })
    const expected: [string, string, string, Record<string, string>][] = [
      [
        'conversations.list',
        'GET',
        '/v3/ws-12345678/PROJECT-abcdefgh/conversations',
        { 'x-api-key': SECRETS.apiKey },
      ],
      [
        'concurrency.query',
        'GET',
        '/v1/ws-12345678/PROJECT-abcdefgh/conversations/concurrency',
        { 'x-api-key': SECRETS.apiKey },
      ],
      [
        'handoff.get',
        'GET',
        '/v1/ws-12345678/PROJECT-abcdefgh/handoff_state',
        { 'x-api-key': SECRETS.apiKey },
      ],
      [
        'sms.send',
        'POST',
        '/v1/outbound-sms',
        { 'x-acme-auth-token': SECRETS.apiKey, 'x-token-id': 'CONNECTOR-1' },
      ],
      ['calls.start', 'POST', '/v1/outbound-calling', { 'x-acme-auth-token': SECRETS.authToken }],
      [
        'calls.status',
        'GET',
        '/v1/outbound-calling/OUT-1/status',
        { 'x-acme-auth-token': SECRETS.authToken },
      ],
      [
        'chat.accessToken',
        'POST',
        '/api/v1/access-token',
        { 'x-token': SECRETS.connectorToken, 'x-host': 'www.example.com' },
      ],
      ['chat.createSession', 'POST', '/api/v1/sessions', { authorization: `Bearer ${ACCESS}` }],
    ]
    for (const [name, method, path, headers] of expected) {
      service.script(callOf(name).yes)
      await callOf(name).run(client)
      const request = service.requests.at(-1)
      expect({ method: request?.method, path: request?.path }).toEqual({ method, path })
      expect(request?.headers).toMatchObject(headers)
      const told = JSON.stringify([request?.url, request?.headers])
      const others = [...Object.values(SECRETS), ACCESS].filter(
        (s) => !Object.values(headers).join().includes(s),
      )
      for (const secret of others) expect(told).not.toContain(secret)
    }
  })

  it('contains the given parameters and no defaults; spaces are %20, dates are ISO', async () => {
    service.script(page([]))
    await make().conversations.search({
      ...project,
      ...range,
      query: 'two words',
      query_type: 'transcript',
      turn_type: 'user',
      channel: ['voice', 'chat'],
      variant_name: 'a b',
      limit: undefined,
    })
    const [request] = service.requests
    expect(request?.url).toContain('query=two%20words')
    expect(request?.url).toContain('variant_name=a%20b')
    expect(request?.query.getAll('channel')).toEqual(['voice', 'chat'])
    expect(request?.query.get('end_time')).toBe('2026-11-02T00:00:00.000Z')
    expect(request?.query.has('limit')).toBe(false)
  })

  it('tells where the header of a page says that a search is incomplete, by the word of its service', async () => {
    const search = { ...project, ...range, query: 'a', query_type: 'transcript' } as const
    for (const [header, incomplete] of [
      ['X-Svc-Search-Incomplete', false],
      ['X-Larkspur-Search-Incomplete', true],
    ] as const) {
      service.script({
        status: 200,
        body: { conversations: [], cursor: null },
        headers: { [header]: 'true' },
      })
      const found = await make({ headerPrefix: 'Larkspur' }).conversations.search(search)
      expect(found).toMatchObject({ conversations: [], cursor: null })
      expect('incomplete' in found && found.incomplete).toBe(incomplete)
    }
  })

  it.each([
    ['whole', 3, '2026-11-01T10:00:00.000Z'],
    ['fractional', 3.5, 'this morning'],
  ])('accepts the numbers and times of any service: %s', async (_, number, time) => {
    const names = ['num_turns', 'total_duration', 'polyai_duration', 'num_silences', 'num_ood'] as const
    const numbers = Object.fromEntries(names.map((name) => [name, number]))
    const turns = [{ user_input_datetime: time, agent_response_datetime: time, latency: number }]
    const one = { ...conversation('a'), ...numbers, started_at: time, turns }
    service.script(
      { status: 200, body: { conversations: [one], cursor: 'next', next_offset: number } },
      {
        status: 200,
        body: { ...project, intervals: [{ time, max_concurrent_conversations: number }] },
      },
    )
    const found = await make().conversations.list(project)
    expect(found).toMatchObject({
      conversations: [{ ...numbers, started_at: time, turns }],
      next_offset: number,
    })
    const { intervals } = await make().concurrency.query({ ...project, ...range })
    expect(intervals).toMatchObject([{ time, max_concurrent_conversations: number }])
  })

  it('accepts one channel without a list, and sends random for sample', async () => {
    service.script(page([]))
    await make().conversations.sample({ ...project, ...range, channel: 'sms' })
    expect(service.requests[0]?.query.getAll('channel')).toEqual(['sms'])
    expect(service.requests[0]?.query.get('sample')).toBe('random')
  })

  it('has the given parameters in its body', async () => {
    service.script({ status: 202 }, callOf('calls.start').yes, callOf('chat.createSession').yes)
    const client = make()
    await expect(
      client.sms.send({ user_number: 'rcs:+15005550006', messaging_service_sid: 'MG1' }),
    ).resolves.toBeUndefined()
    await client.calls.start({ to_number: '020 7946 0000', country_code: 'GB', metadata: { a: 'b' } })
    await client.chat.createSession({ access_token: ACCESS, streaming_enabled: true, user_agent: 'Phone/1' })
    expect(service.requests.map(({ body }) => JSON.parse(body))).toEqual([
      { user_number: 'rcs:+15005550006', messaging_service_sid: 'MG1' },
      { to_number: '020 7946 0000', country_code: 'GB', metadata: { a: 'b' } },
      { streaming_enabled: true },
    ])
    expect(service.requests[2]?.headers['user-agent']).toBe('Phone/1')
  })

  it('keeps the path of a base address, and inserts the region', async () => {
    const asked: string[] = []
    const fetch = async (url: URL | RequestInfo) => {
      asked.push(String(url))
      return Response.json({ id: 'c', data: {} })
    }
    const client = createClient({
      region: 'uk-1',
      apiUrl: 'https://api.{region}.example.com/base/',
      apiKey: 'k',
      fetch,
    })
    await client.handoff.get({ ...project, shared_id: 'x/y' })
    expect(asked).toEqual([
      'https://api.uk-1.example.com/base/v1/ws-12345678/PROJECT-abcdefgh/handoff_state?shared_id=x%2Fy',
    ])
  })

  it('resolves to the fields of the schemas', async () => {
    for (const { run, yes } of Object.values(calls)) {
      service.script(yes)
      const found = await run(make())
      if (typeof yes === 'object' && yes.body) expect(found).toEqual(yes.body)
      else expect(found).toBeUndefined()
    }
  })
})

describe('the types', () => {
  it('refuse what the document forbids', () => {
    const semantic = { ...project, ...range, query: 'a', query_type: 'semantic' } as const
    const variants = { variant_id: 'a', variant_name: 'b' }
    const to_number = '+15005550006'
    const never = async ({ conversations, concurrency, sms, handoff, calls }: Client) => {
      // @ts-expect-error two variants
      await conversations.list({ ...project, ...variants })
      // @ts-expect-error cursor and offset
      await conversations.list({ ...project, cursor: 'a', offset: 1 })
      // @ts-expect-error a list is not a search
      await conversations.list({ ...project, query_type: 'semantic' })
      // @ts-expect-error a list is not a sample
      await conversations.list({ ...project, sample: 'random' })
      // @ts-expect-error iterate goes by cursor
      conversations.iterate({ ...project, offset: 1 })
      // @ts-expect-error a search needs a query
      await conversations.search({ ...semantic, query: undefined })
      // @ts-expect-error a search needs a time range
      await conversations.search({ ...semantic, start_time: undefined })
      // @ts-expect-error turn_type is for transcripts
      await conversations.search({ ...semantic, turn_type: 'user' })
      await conversations.search({ ...semantic, query_type: 'transcript', turn_type: 'user' })
      // @ts-expect-error a sample needs a time range
      await conversations.sample(project)
      // @ts-expect-error a sample has no query
      await conversations.sample({ ...project, ...range, query: 'a' })
      // @ts-expect-error two variants
      await concurrency.query({ ...project, ...range, ...variants })
      // @ts-expect-error reserved
      await concurrency.query({ ...project, ...range, slice_by: 'language' })
      // @ts-expect-error an RCS sender without rcs:
      await sms.send({ user_number: to_number, messaging_service_sid: 'MG1' })
      await sms.send({ user_number: `rcs:${to_number}`, messaging_service_sid: 'MG1' })
      // @ts-expect-error one of the two ids
      await handoff.get(project)
      // @ts-expect-error no project
      await handoff.get({ account_id: 'a', id: 'b' })
      // @ts-expect-error no number
      await calls.start({})
      // @ts-expect-error values are strings
      await calls.start({ to_number, metadata: { a: 1 } })
      // @ts-expect-error one of four
      await calls.start({ to_number, encryption: 'none' })
    }
    expect(never).toBeTypeOf('function')
  })
})

describe('before the request', () => {
  // Past the types, as callers without them come.
  // biome-ignore lint/suspicious/noExplicitAny: that is the point
  const loose = () => make() as any
  const all = { ...project, ...range }
  const wrong: [string, string, (client: ReturnType<typeof loose>) => unknown][] = [
    ['no parameters at all', 'account_id', (c) => c.conversations.list()],
    ['no project', 'project_id', (c) => c.conversations.list({ account_id: 'a' })],
    [
      'a project that climbs',
      'project_id',
      (c) => c.conversations.list({ account_id: 'a', project_id: '..' }),
    ],
    [
      'a project with a slash',
      'account_id',
      (c) => c.handoff.get({ account_id: 'a/b', project_id: 'p', id: 'x' }),
    ],
    [
      'two variants',
      'variant_id',
      (c) => c.conversations.list({ ...project, variant_id: 'a', variant_name: 'b' }),
    ],
    ['cursor and offset', 'cursor', (c) => c.conversations.list({ ...project, cursor: 'a', offset: 3 })],
    [
      'a list with query_type',
      'query_type',
      (c) => c.conversations.list({ ...project, query_type: 'semantic' }),
    ],
    ['a list with sample', 'sample', (c) => c.conversations.list({ ...project, sample: 'random' })],
    ['a list with query', 'query', (c) => c.conversations.list({ ...project, query: 'a' })],
    ['limit 0', 'limit', (c) => c.conversations.list({ ...project, limit: 0 })],
    ['limit 1001', 'limit', (c) => c.conversations.list({ ...project, limit: 1001 })],
    ['limit 1.5', 'limit', (c) => c.conversations.list({ ...project, limit: 1.5 })],
    ['limit as text', 'limit', (c) => c.conversations.list({ ...project, limit: '10' })],
    ['a negative offset', 'offset', (c) => c.conversations.list({ ...project, offset: -1 })],
    ['an unknown environment', 'client_env', (c) => c.conversations.list({ ...project, client_env: 'test' })],
    ['an unknown parameter', 'chanel', (c) => c.conversations.list({ ...project, chanel: 'voice' })],
    ['a time that is none', 'start_time', (c) => c.conversations.list({ ...project, start_time: 'today' })],
    [
      'a Date that is none',
      'end_time',
      (c) => c.conversations.list({ ...project, end_time: new Date(Number.NaN) }),
    ],
    [
      'a range that runs backwards',
      'end_time',
      (c) => c.conversations.list({ ...project, start_time: range.end_time, end_time: range.start_time }),
    ],
    ['a search without query_type', 'query_type', (c) => c.conversations.search({ ...all, query: 'a' })],
    ['a search without query', 'query', (c) => c.conversations.search({ ...all, query_type: 'semantic' })],
    [
      'a search without start',
      'start_time',
      (c) => c.conversations.search({ ...all, start_time: undefined, query: 'a', query_type: 'semantic' }),
    ],
    [
      'turn_type in a semantic search',
      'turn_type',
      (c) => c.conversations.search({ ...all, query: 'a', query_type: 'semantic', turn_type: 'user' }),
    ],
    [
      'a search that is a sample',
      'sample',
      (c) => c.conversations.search({ ...all, query: 'a', query_type: 'semantic', sample: 'random' }),
    ],
    ['a sample without end', 'end_time', (c) => c.conversations.sample({ ...all, end_time: undefined })],
    [
      'a sample with query_type',
      'query_type',
      (c) => c.conversations.sample({ ...all, query_type: 'semantic' }),
    ],
    [
      'an iteration by offset',
      'offset',
      (c) =>
        c.conversations
          .iterate({ ...project, offset: 1 })
          [Symbol.asyncIterator]()
          .next(),
    ],
    [
      'concurrency without start',
      'start_time',
      (c) => c.concurrency.query({ ...all, start_time: undefined }),
    ],
    [
      'concurrency over more than a week',
      'start_time',
      (c) => c.concurrency.query({ ...all, end_time: '2026-11-08T00:00:01Z' }),
    ],
    ['concurrency by language', 'slice_by', (c) => c.concurrency.query({ ...all, slice_by: 'language' })],
    ['concurrency by a colour', 'slice_by', (c) => c.concurrency.query({ ...all, slice_by: 'colour' })],
    [
      'concurrency of two variants',
      'variant_id',
      (c) => c.concurrency.query({ ...all, variant_id: 'a', variant_name: 'b' }),
    ],
    ['an SMS to nobody', 'user_number', (c) => c.sms.send({ message: 'a' })],
    ['an SMS to a national number', 'user_number', (c) => c.sms.send({ user_number: '07700 900000' })],
    ['an SMS from a bad number', 'agent_number', (c) => c.sms.send({ ...sms, agent_number: '5' })],
    ['an SMS without a word', 'message', (c) => c.sms.send({ ...sms, message: '' })],
    ['an SMS that is too long', 'message', (c) => c.sms.send({ ...sms, message: 'a'.repeat(1601) })],
    [
      'RCS without its sender',
      'messaging_service_sid',
      (c) => c.sms.send({ user_number: 'rcs:+15005550006' }),
    ],
    [
      'an RCS sender without rcs:',
      'messaging_service_sid',
      (c) => c.sms.send({ ...sms, messaging_service_sid: 'MG1' }),
    ],
    ['a call to nobody', 'to_number', (c) => c.calls.start({})],
    ['a call to a national number alone', 'to_number', (c) => c.calls.start({ to_number: '020 7946 0000' })],
    ['a call to a word', 'to_number', (c) => c.calls.start({ to_number: 'home', country_code: 'GB' })],
    [
      'a call to a long country',
      'country_code',
      (c) => c.calls.start({ to_number: '020', country_code: 'GBR' }),
    ],
    [
      'metadata of numbers',
      'metadata',
      (c) => c.calls.start({ to_number: '+15005550006', metadata: { a: 1 } }),
    ],
    [
      'metadata of 26 KB',
      'metadata',
      (c) => c.calls.start({ to_number: '+15005550006', metadata: { a: 'a'.repeat(20_000) } }),
    ],
    [
      'an encryption of its own',
      'encryption',
      (c) => c.calls.start({ to_number: '+15005550006', encryption: 'x' }),
    ],
    ['a call id that is none', 'call_sid', (c) => c.calls.status('OUT-../x')],
    ['a wait for no call', 'call_sid', (c) => c.calls.wait()],
    ['a wait that hurries', 'intervalMs', (c) => c.calls.wait('OUT-1', { intervalMs: 1999 })],
    ['a wait that sleeps', 'intervalMs', (c) => c.calls.wait('OUT-1', { intervalMs: 5001 })],
    ['a wait of no time', 'timeoutMs', (c) => c.calls.wait('OUT-1', { timeoutMs: 0 })],
    [
      'a wait without end',
      'timeoutMs',
      (c) => c.calls.wait('OUT-1', { timeoutMs: Number.POSITIVE_INFINITY }),
    ],
    ['a wait that no timer can count', 'timeoutMs', (c) => c.calls.wait('OUT-1', { timeoutMs: 2 ** 31 })],
    ['handoff without an id', 'id', (c) => c.handoff.get(project)],
    ['a session without a token', 'access_token', (c) => c.chat.createSession({})],
    [
      'a session with a broken token',
      'access_token',
      (c) => c.chat.createSession({ access_token: `${ACCESS}\n` }),
    ],
    [
      'an unknown platform',
      'platform',
      (c) => c.chat.createSession({ access_token: ACCESS, platform: 'tv' }),
    ],
    [
      'a user agent of two lines',
      'user_agent',
      (c) => c.chat.createSession({ access_token: ACCESS, user_agent: 'a\nb' }),
    ],
  ]

  it.each(wrong)('a call with %s rejects, and the error names %s', async (_, field, run) => {
    const error = await refusedInput(() => run(loose()))
    expect(error.field).toBe(field)
    expect(error.message).toContain(field)
    expect(inspect(error)).not.toContain('secret')
  })

  it.each([
    ['conversations.list', 'apiUrl'],
    ['conversations.list', 'apiKey'],
    ['concurrency.query', 'apiKey'],
    ['handoff.get', 'apiKey'],
    ['sms.send', 'apiKey'],
    ['sms.send', 'connectorId'],
    ['calls.start', 'authToken'],
    ['calls.status', 'authToken'],
    ['chat.accessToken', 'chatUrl'],
    ['chat.accessToken', 'connectorToken'],
    ['chat.accessToken', 'host'],
    ['chat.createSession', 'chatUrl'],
  ])('%s rejects if %s is missing or empty', async (name, option) => {
    for (const value of [undefined, '']) {
      const error = await refusedInput(() => callOf(name).run(make({ [option]: value })))
      expect(error.field).toBe(option)
      expect(error.message).toContain('createClient')
    }
  })

  it.each<[string, string, ClientOptions]>([
    ['an address that is none', 'apiUrl', { apiUrl: 'api.example.com' }],
    ['another protocol', 'chatUrl', { chatUrl: 'ftp://chat.example.com' }],
    ['plain http over the network', 'apiUrl', { apiUrl: 'http://api.example.com' }],
    ['a password in an address', 'apiUrl', { apiUrl: 'https://me:pass-secret@api.example.com' }],
    ['a placeholder without a region', 'region', { apiUrl: 'https://{region}.example.com' }],
    [
      'a region that leaves its place',
      'region',
      { region: 'evil.example/', apiUrl: 'https://{region}.example.com' },
    ],
    ['a key with a line break', 'apiKey', { apiKey: 'one-secret\nX-Other: 1' }],
    ['a prefix that is no word', 'headerPrefix', { headerPrefix: 'a:b' }],
    ['a negative number of retries', 'retries', { retries: -1 }],
    ['no time at all', 'timeoutMs', { timeoutMs: 0 }],
  ])('createClient refuses %s', async (_, field, options) => {
    const error = await refusedInput(() => createClient(options))
    expect(error.field).toBe(field)
    expect(inspect(error)).not.toContain('secret')
  })

  it('the last good values of two limits are taken, and an offset of 0 beside a cursor', async () => {
    const done = { status: 200, body: { status: 'success', reason: '' } }
    service.script(done, done, page(['a']))
    const client = make({ timeoutMs: 2 ** 31 - 1 })
    for (const intervalMs of [2_000, 5_000])
      await client.calls.wait('OUT-1', { intervalMs, timeoutMs: 2 ** 31 - 1 })
    await client.conversations.list({ ...project, cursor: 'a', offset: 0 } as never)
    expect(service.requests).toHaveLength(3)
  })

  it('createClient accepts a region of a self-hosted service, and plain http on loopback', () => {
    createClient({ region: 'home-lab-3', apiUrl: 'https://{region}.example.com' })
    for (const host of ['localhost', '127.0.0.1', '[::1]']) createClient({ chatUrl: `http://${host}:8080` })
  })
})

describe('a browser', () => {
  afterEach(() => void vi.unstubAllGlobals())

  it('cannot create a client, neither in a page nor in a worker, and the error says why', () => {
    vi.stubGlobal('window', {})
    vi.stubGlobal('document', {})
    expect(() => make()).toThrow(/browser.*server/s)
    vi.unstubAllGlobals()
    vi.stubGlobal('WorkerGlobalScope', class {})
    make() // a server that has worker names too
    vi.stubGlobal('process', undefined)
    let error: unknown
    try {
      make()
    } catch (reason) {
      error = reason
    } finally {
      vi.unstubAllGlobals()
    }
    expect(String(error)).toMatch(/browser.*server/s)
  })
})

describe('a failure', () => {
  const envelope = {
    success: false,
    error: 'Project not found',
    error_id: 'id-of-the-body',
    error_code: 'PROJECT_NOT_FOUND',
    error_message: 'Project not found',
    data: null,
  }
  const families: [
    string,
    typeof ConversationsFailure,
    string,
    v.GenericSchema,
    object,
    string,
    string | undefined,
  ][] = [
    [
      'conversations.list',
      ConversationsFailure,
      'conversations',
      ConversationsError,
      envelope,
      'Project not found',
      'PROJECT_NOT_FOUND',
    ],
    [
      'concurrency.query',
      ConcurrencyFailure as never,
      'concurrency',
      ErrorMessage,
      { error_message: 'No range' },
      'No range',
      undefined,
    ],
    [
      'handoff.get',
      HandoffFailure as never,
      'handoff',
      ErrorMessage,
      { error_message: 'Nothing' },
      'Nothing',
      undefined,
    ],
    ['sms.send', SmsFailure as never, 'sms', SmsError, { detail: 'No connector' }, 'No connector', undefined],
    [
      'calls.start',
      CallsFailure as never,
      'calls',
      CallError,
      { error: 'Bad', code: 'BAD_NUMBER' },
      'Bad',
      'BAD_NUMBER',
    ],
    ['chat.accessToken', ChatFailure as never, 'chat', ChatError, { error: 'Gone' }, 'Gone', undefined],
  ]

  it.each(families)(
    'of %s has its error class and its facts',
    async (name, Class, family, schema, body, text, code) => {
      expect(v.is(schema, body)).toBe(true)
      service.script({ status: 404, body, headers: { 'X-Svc-Correlation-Id': 'corr-1' } })
      const error = await failure(callOf(name).run(make()))
      expect(error).toBeInstanceOf(Class)
      expect(error).toBeInstanceOf(Error)
      expect(error).toMatchObject({
        name: Class.name,
        family,
        status: 404,
        code,
        correlationId: 'corr-1',
        retryable: false,
        retryAfterSeconds: undefined,
      })
      expect(error.message).toContain(text)
      expect(error.message).toContain('404')
      expect(service.requests).toHaveLength(1)
    },
  )

  it('has the correlation id and the wait of an answer that is no error body too', async () => {
    const headers = { 'X-Svc-Correlation-Id': 'corr-2', 'retry-after': '12' }
    service.script({ status: 503, body: '<h1>Busy</h1>', headers })
    expect(await failure(callOf('handoff.get').run(make({ retries: 0 })))).toMatchObject({
      ...{ status: 503, code: 'UNEXPECTED_RESPONSE', correlationId: 'corr-2', retryAfterSeconds: 12 },
      retryable: true,
    })
  })

  it.each([
    [{ error_code: 'NEW', code: 'OLD' }, 'NEW'],
    [{ code: 'OLD' }, 'OLD'],
  ])('has the code of its body: %j', async (codes, code) => {
    service.script({ status: 400, body: { error: 'Bad', ...codes } })
    expect((await failure(callOf('calls.start').run(make()))).code).toBe(code)
  })

  it.each([
    [200, true],
    [204, true],
    [304, false],
    [400, false],
    [429, false],
    [500, true],
    [501, true],
  ])(
    'of a message that was answered with %i says whether it may have taken effect: %s',
    async (status, mayHave) => {
      service.script({ status })
      const { message } = await failure(callOf('sms.send').run(make({ retries: 0 })))
      expect(message.includes('check before you repeat it')).toBe(mayHave)
    },
  )

  it('has the correlation id of the body if no header has one', async () => {
    service.script({ status: 404, body: envelope })
    expect((await failure(callOf('conversations.list').run(make()))).correlationId).toBe('id-of-the-body')
  })

  it.each([
    ['conversations.list', 'apiKey'],
    ['sms.send', 'apiKey'],
    ['calls.start', 'authToken'],
    ['chat.accessToken', 'connectorToken and host'],
    ['chat.createSession', 'new access token'],
  ])('with 401 of %s recommends checking %s', async (name, cure) => {
    service.script({ status: 401, body: { error: 'No' } })
    expect((await failure(callOf(name).run(make()))).message).toContain(cure)
  })

  it('with 403 names the settings to check, and says whether the request may have taken effect', async () => {
    service.script({ status: 403, body: { detail: 'No' } }, { status: 500, body: { detail: 'Oh' } })
    expect((await failure(callOf('sms.send').run(make()))).message).toMatch(
      /apiKey.*account, project and region/,
    )
    expect((await failure(callOf('sms.send').run(make()))).message).toContain('check before you repeat it')
  })

  it('names the invalid field, and is not retried', async () => {
    for (const [name, { run, yes }] of Object.entries(calls)) {
      const fitting = (yes as { body?: object }).body
      service.script({ status: 200, body: fitting ? { data: 'not-what-was-asked' } : {} })
      const before = service.requests.length
      const error = await failure(run(make()))
      expect([name, error.code, error.retryable]).toEqual([name, 'UNEXPECTED_RESPONSE', false])
      expect(service.requests.length - before, name).toBe(1)
      expect(error.message).not.toContain('not-what-was-asked')
    }
    service.script({ status: 200, body: { conversations: [{ ...conversation('a'), id: 7 }] } })
    const error = await failure(callOf('conversations.list').run(make()))
    expect(error.message).toContain('conversations.0.id')
    service.script({ status: 200, body: 'plain text' })
    expect((await failure(callOf('handoff.get').run(make()))).code).toBe('UNEXPECTED_RESPONSE')
  })

  it('is decided by the status, even when a gateway answers with a page', async () => {
    service.script({ status: 502, body: '<h1>Bad gateway</h1>' }, callOf('handoff.get').yes)
    const found = callOf('handoff.get').run(make())
    await clock.pass(500)
    await expect(found).resolves.toEqual({ id: 'c1', data: {} })
    service.script({ status: 502, body: '<h1>Bad gateway</h1>' }, { status: 404, body: '<h1>Nothing</h1>' })
    const error = await failure(callOf('handoff.get').run(make({ retries: 0 })))
    expect(error).toMatchObject({ status: 502, code: 'UNEXPECTED_RESPONSE', retryable: true })
    expect(error.message).not.toContain('<h1>')
    expect(await failure(callOf('handoff.get').run(make()))).toMatchObject({ status: 404, retryable: false })
  })

  it('is a redirect, which no request follows with its credentials', async () => {
    const elsewhere = await startService()
    try {
      for (const [at, { run }] of Object.values(calls).entries()) {
        service.script({ status: [302, 307][at % 2] ?? 302, headers: { location: `${elsewhere.url}/taken` } })
        const error = await failure(run(make()))
        expect(error).toMatchObject({ code: 'UNEXPECTED_RESPONSE', retryable: false })
        expect(error.message).toContain('redirect')
      }
      expect(elsewhere.requests).toEqual([])
    } finally {
      await elsewhere.close()
    }
  })

  it('is an answer that is too large: above 1 MiB, and above 64 MiB for pages', async () => {
    const data = { text: 'a'.repeat(1024 * 1024) }
    service.script({ status: 200, body: { status: 'queued', reason: data.text } })
    const error = await failure(callOf('calls.status').run(make()))
    expect(error).toMatchObject({ status: 200, code: 'UNEXPECTED_RESPONSE' })
    expect(error.message).toContain('larger')
    service.script({ status: 200, body: { conversations: [{ ...conversation('a'), state: data }] } })
    await expect(callOf('conversations.list').run(make())).resolves.toBeDefined()
    service.script({ status: 200, body: { id: 'c1', data } })
    await expect(callOf('handoff.get').run(make())).resolves.toBeDefined()
    service.script({ status: 200, body: { ...project, intervals: [], more: data } })
    await expect(callOf('concurrency.query').run(make())).resolves.toBeDefined()
    service.script({ status: 200, body: Buffer.alloc(64 * 1024 * 1024 + 1, ' ') })
    expect((await failure(callOf('conversations.list').run(make()))).message).toContain('larger')
    service.script({ status: 404, body: Buffer.alloc(1024 * 1024 + 1, ' ') })
    expect(await failure(callOf('calls.status').run(make()))).toMatchObject({ code: 'UNEXPECTED_RESPONSE' })
  })
})

describe('a field that the document does not promise', () => {
  const PROMISED = {
    id: 'a',
    account_id: 'ws-shop0001',
    project_id: 'PROJECT-shop0001',
    environment: 'live',
    started_at: '2026-01-01T00:00:00Z',
    channel: 'WEBCHAT',
    in_progress: false,
  }
  const whole: Conversation = {
    ...PROMISED,
    variant_id: 'VAR-1',
    variant_name: 'Calm',
    from_number: '',
    to_number: '',
    num_turns: 1,
    total_duration: 1,
    polyai_duration: 1,
    handoff: false,
    handoff_reason: '',
    handoff_destination: '',
    num_silences: 0,
    num_ood: 0,
    metrics: {},
    state: { empty: null },
    turns: [
      {
        user_input: 'Hello',
        user_input_dtmf: '',
        user_input_datetime: '2026-01-01T00:00:00Z',
        agent_response: 'Hi',
        agent_response_datetime: '2026-01-01T00:00:01Z',
        latency: 1,
        translated_user_input: '',
        english_agent_response: '',
        intents: [],
        entities: [],
        is_ood: false,
        is_silence: false,
      },
    ],
    latency: 1,
  }
  const without = (from: object, name: string) =>
    Object.fromEntries(Object.entries(from).filter(([each]) => each !== name))
  const list = async (one: object) => {
    service.script({ status: 200, body: { conversations: [one] } })
    return (await make().conversations.list({ account_id: 'shop', project_id: 'desk' })).conversations[0]
  }

  it('may be missing or null in a conversation, field by field and all at once', async () => {
    for (const name of Object.keys(whole).filter((each) => !(each in PROMISED))) {
      const rest = without(whole, name)
      expect(await list(rest), name).toEqual(rest)
      expect(await list({ ...whole, [name]: null }), name).toEqual(rest)
    }
    expect(await list(PROMISED)).toEqual(PROMISED)
  })

  it('may be missing or null in a turn, field by field and all at once', async () => {
    const [turn = {}] = whole.turns ?? []
    for (const name of Object.keys(turn)) {
      const rest = without(turn, name)
      expect((await list({ ...whole, turns: [rest] }))?.turns, name).toEqual([rest])
      expect((await list({ ...whole, turns: [{ ...turn, [name]: null }] }))?.turns, name).toEqual([rest])
    }
    expect((await list({ ...whole, turns: [{}] }))?.turns).toEqual([{}])
  })

  it('is refused if it has another type', async () => {
    for (const wrong of [{ num_turns: 'one' }, { turns: [{ is_ood: 'no' }] }, { metrics: [1] }]) {
      service.script({ status: 200, body: { conversations: [{ ...whole, ...wrong }] } })
      expect((await failure(callOf('conversations.list').run(make()))).code).toBe('UNEXPECTED_RESPONSE')
    }
  })

  it('differs from a promised field: an answer without one is refused', async () => {
    for (const name of Object.keys(PROMISED)) {
      for (const broken of [without(whole, name), { ...whole, [name]: null }]) {
        service.script({ status: 200, body: { conversations: [broken] } })
        const error = await failure(callOf('conversations.list').run(make()))
        expect(error.message).toContain(`conversations.0.${name}`)
      }
    }
  })

  it('keeps null where null has a meaning', async () => {
    expect((await list(whole))?.state).toEqual({ empty: null })
    service.script({ status: 200, body: { conversations: [], cursor: null, next_offset: null } })
    const page = await make().conversations.list({ account_id: 'shop', project_id: 'desk' })
    expect([page.cursor, page.next_offset]).toEqual([null, undefined])
    service.script({ status: 200, body: { id: 'c1', shared_id: null, data: { empty: null } } })
    expect(await callOf('handoff.get').run(make())).toEqual({ id: 'c1', data: { empty: null } })
  })

  it('may be missing or null in a call status and an interval', async () => {
    for (const body of [{ status: 'success' }, { status: 'success', reason: null }]) {
      service.script({ status: 200, body })
      expect(await callOf('calls.status').run(make())).toEqual({ status: 'success' })
    }
    const interval = { time: '2026-01-01T00:00:00Z', max_concurrent_conversations: 1 }
    const of = (one: object) => ({ account_id: 'ws', project_id: 'P', intervals: [one] })
    service.script({ status: 200, body: of({ ...interval, variant_id: null }) })
    expect(await callOf('concurrency.query').run(make())).toEqual(of(interval))
  })
})

describe('a retry', () => {
  it.each(HARMLESS)('of %s follows 429, 5xx and a cut connection', async (name) => {
    const { run, yes } = callOf(name)
    for (const answer of [{ status: 429 }, { status: 500 }, { status: 503 }, 'cut'] as Answer[]) {
      service.script(answer, yes)
      const found = run(make())
      await clock.pass(500)
      await found
    }
    expect(service.requests).toHaveLength(8)
  })

  it.each(ACTS)('of %s follows 429 alone', async (name) => {
    const { run, yes } = callOf(name)
    service.script({ status: 429 }, yes)
    const found = run(make())
    await clock.pass(500)
    await found
    expect(service.requests).toHaveLength(2)
    for (const answer of [{ status: 500 }, { status: 503 }, 'cut'] as Answer[]) {
      service.script(answer)
      const error = await failure(run(make()))
      expect(error.retryable).toBe(false)
      expect(error.message).toContain('check before')
    }
    expect(service.requests).toHaveLength(5)
  })

  it.each([400, 401, 403, 404, 501])('never follows %s', async (status) => {
    service.script({ status })
    expect(await failure(callOf('concurrency.query').run(make()))).toMatchObject({ status, retryable: false })
    expect(service.requests).toHaveLength(1)
  })

  it('waits twice as long each time, up to 8 s, and then gives up', async () => {
    service.script(...Array.from({ length: 7 }, () => ({ status: 500 })))
    const lost = failure(callOf('handoff.get').run(make({ retries: 6 })))
    for (const ms of [500, 1000, 2000, 4000, 8000, 8000]) await clock.pass(ms)
    expect(await lost).toMatchObject({ status: 500, retryable: true })
    expect(service.requests).toHaveLength(7)
  })

  it('follows at most three times by default', async () => {
    service.script(...Array.from({ length: 5 }, () => ({ status: 500 })))
    const lost = failure(callOf('handoff.get').run(make()))
    for (const ms of [500, 1000, 2000]) await clock.pass(ms)
    await lost
    expect(service.requests).toHaveLength(4)
    await failure(callOf('handoff.get').run(make({ retries: 0 })))
    expect(service.requests).toHaveLength(5)
  })

  it('waits at least half its time, because of the jitter', async () => {
    service.script({ status: 500 }, callOf('handoff.get').yes)
    const found = callOf('handoff.get').run(make({ random: () => 0 }))
    await clock.pass(250)
    await found
  })

  it('waits for the time of Retry-After, in seconds or as a date', async () => {
    const at = new Date(clock.now() + 9_000).toUTCString()
    for (const [retryAfter, ms] of [
      ['7', 7_000],
      [at, 2_000], // seven of its nine seconds are over
      ['60', 60_000],
      ['0', 500],
      ['soon', 500],
    ] as const) {
      const date = new Date(clock.now()).toUTCString()
      service.script({ status: 429, headers: { 'retry-after': retryAfter, date } }, { status: 202 })
      const sent = callOf('sms.send').run(make())
      await clock.pass(ms)
      await sent
    }
    expect(service.requests).toHaveLength(10)
  })

  it('waits for the longer of Retry-After and its own time, whichever comes first', async () => {
    const says = (seconds: number) => ({ status: 503, headers: { 'retry-after': String(seconds) } })
    service.script(says(1), says(3), says(1), says(1), callOf('handoff.get').yes)
    const found = callOf('handoff.get').run(make({ retries: 4 }))
    for (const ms of [1_000, 3_000, 2_000, 4_000]) await clock.pass(ms)
    await expect(found).resolves.toMatchObject({ id: 'c1' })
  })

  it('is counted for each request anew', async () => {
    const client = make({ retries: 1 })
    service.script({ status: 500 }, { status: 500 })
    const lost = failure(callOf('handoff.get').run(client))
    await clock.pass(500)
    await lost
    service.script({ status: 500 }, callOf('handoff.get').yes)
    const found = callOf('handoff.get').run(client)
    await clock.pass(500)
    await found
  })

  it('is left to the caller if Retry-After is longer than a minute', async () => {
    service.script({ status: 429, headers: { 'retry-after': '61' } })
    const error = await failure(callOf('sms.send').run(make()))
    expect(error).toMatchObject({ status: 429, retryable: true, retryAfterSeconds: 61 })
    expect(error.message).toContain('after 61 seconds')
    expect(service.requests).toHaveLength(1)
  })

  it('follows a time-out, except for requests that act', async () => {
    service.script('silence', callOf('handoff.get').yes)
    const found = callOf('handoff.get').run(make())
    await service.arrived(1)
    await clock.pass(30_000)
    await service.requests[0]?.gone
    await clock.pass(500)
    await found
    service.script('silence')
    const lost = failure(callOf('calls.start').run(make({ timeoutMs: 4_321 })))
    await service.arrived(3)
    await clock.pass(4_321)
    expect(await lost).toMatchObject({ status: undefined, code: 'TIMEOUT', retryable: false })
  })

  it('follows an answer that was cut off', async () => {
    service.script('cut in the body', page(['a']))
    const found = callOf('conversations.list').run(make())
    await clock.pass(500)
    await expect(found).resolves.toMatchObject({ conversations: [{ id: 'a' }] })
  })

  it('does not help when the service cannot be reached: the error says what to check', async () => {
    const { url } = service
    await service.close()
    const error = await failure(callOf('handoff.get').run(make({ apiUrl: url, retries: 0 })))
    expect(error).toMatchObject({ status: undefined, code: 'UNREACHABLE', retryable: true })
    expect(error.message).toMatch(/ECONNREFUSED.*apiUrl/)
  })
})

describe('an aborted signal', () => {
  const reason = new Error('enough')

  it('rejects with its reason before a request is sent', async () => {
    const signal = AbortSignal.abort(reason)
    const client = make()
    await expect(client.conversations.list(project, { signal })).rejects.toBe(reason)
    await expect(client.chat.accessToken({ signal })).rejects.toBe(reason)
    await expect(client.calls.wait('OUT-1', { signal })).rejects.toBe(reason)
    await expect(
      client.conversations.iterate(project, { signal })[Symbol.asyncIterator]().next(),
    ).rejects.toBe(reason)
    expect(service.requests).toEqual([])
    expect(clock.pending()).toEqual([])
  })

  it('rejects at once during a request, and aborts the request', async () => {
    const stop = new AbortController()
    service.script('silence')
    const lost = make().conversations.list(project, { signal: stop.signal })
    await service.arrived(1)
    stop.abort(reason)
    await expect(lost).rejects.toBe(reason)
    await service.requests[0]?.gone
    expect(clock.pending()).toEqual([])
  })

  it('rejects at once during the wait before a retry', async () => {
    const stop = new AbortController()
    service.script({ status: 429, headers: { 'retry-after': '33' } })
    const lost = make().sms.send(sms, { signal: stop.signal })
    await clock.waited(33_000)
    stop.abort(reason)
    await expect(lost).rejects.toBe(reason)
    expect(clock.pending()).toEqual([])
    expect(service.requests).toHaveLength(1)
  })

  it('is free of every request that has ended, well or not', async () => {
    const { signal } = new AbortController()
    service.script(
      callOf('handoff.get').yes,
      { status: 404 },
      { status: 500 },
      page(['a'], 'one'),
      page(['b']),
    )
    const client = make()
    await client.handoff.get({ ...project, id: 'c1' }, { signal })
    await failure(client.handoff.get({ ...project, id: 'c1' }, { signal }))
    const retried = client.conversations.list(project, { signal })
    await clock.pass(500)
    await retried
    for await (const _ of client.conversations.iterate({ ...project, cursor: 'x' }, { signal }));
    service.script({ status: 200, body: { status: 'queued', reason: '' } }, { status: 404 })
    const lost = failure(client.calls.wait('OUT-1', { signal }))
    await clock.pass(2_000)
    await lost
    expect([getEventListeners(signal, 'abort'), clock.pending()]).toEqual([[], []])
  })

  it('does not wait for a fetch that ignores the signal', async () => {
    const stop = new AbortController()
    const lost = make({ fetch: () => new Promise(() => {}) }).handoff.get({ ...project, id: 'a' }, stop)
    stop.abort(reason)
    await expect(lost).rejects.toBe(reason)
  })
})

describe('iterate', () => {
  it('yields every conversation of every page, by cursor', async () => {
    service.script(page(['a', 'b'], 'one'), page([], 'two'), page(['c']))
    const ids: string[] = []
    for await (const { id } of make().conversations.iterate({ ...project, limit: 2 })) ids.push(id)
    expect(ids).toEqual(['a', 'b', 'c'])
    expect(service.requests.map(({ query }) => query.get('cursor'))).toEqual([null, 'one', 'two'])
    expect(service.requests.every(({ query }) => query.get('limit') === '2' && !query.has('offset'))).toBe(
      true,
    )
    expect(clock.pending()).toEqual([])
  })

  it('continues by offset if the service gives no cursor', async () => {
    const bare = (ids: string[], next_offset?: number): Answer => ({
      status: 200,
      body: {
        conversations: ids.map((id) => conversation(id)),
        ...(next_offset !== undefined && { next_offset }),
      },
    })
    service.script(bare(['a', 'b'], 2), bare(['c', 'd'], 4), bare(['e']))
    const ids: string[] = []
    for await (const { id } of make().conversations.iterate({ ...project, limit: 2 })) ids.push(id)
    expect(ids).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(service.requests.map(({ query }) => query.get('offset'))).toEqual([null, '2', '4'])
    service.script(bare(['f'], 6), bare(['g']))
    for await (const { id } of make().conversations.iterate({ ...project, cursor: 'from' })) ids.push(id)
    // An offset replaces the cursor: the service refuses both.
    expect(service.requests.slice(3).map(({ query }) => [query.get('cursor'), query.get('offset')])).toEqual([
      ['from', null],
      [null, '6'],
    ])
  })

  it('ends at a null cursor, whatever offset stands beside it', async () => {
    service.script({
      status: 200,
      body: { conversations: [conversation('a')], cursor: null, next_offset: 1 },
    })
    const ids: string[] = []
    for await (const { id } of make().conversations.iterate(project)) ids.push(id)
    expect([ids, service.requests.length]).toEqual([['a'], 1])
  })

  it('rejects if the service leads back to where the iteration began', async () => {
    service.script(page(['a'], 'from'), page(['a'], 'from'))
    const reading = async () => {
      for await (const _ of make().conversations.iterate({ ...project, cursor: 'from' }));
    }
    expect(await failure(reading())).toMatchObject({ code: 'UNEXPECTED_RESPONSE' })
    expect(service.requests).toHaveLength(1)
  })

  it('requests nothing until it is read, and then at most one page ahead', async () => {
    service.script(page(['a', 'b'], 'one'), page(['c', 'd'], 'two'), page(['e']))
    let asked = 0
    const fetch: typeof globalThis.fetch = (...args) => {
      asked += 1
      return globalThis.fetch(...args)
    }
    const pages = make({ fetch }).conversations.iterate(project)[Symbol.asyncIterator]()
    expect(asked).toBe(0)
    expect((await pages.next()).value?.id).toBe('a')
    expect(asked).toBe(2)
    // The second page is all there, and still nobody asks for the third.
    await clock.idle()
    expect((await pages.next()).value?.id).toBe('b')
    expect(asked).toBe(2)
    expect((await pages.next()).value?.id).toBe('c')
    expect(asked).toBe(3)
    await pages.return?.()
  })

  it('aborts the request for the next page when the reader stops early', async () => {
    service.script(page(['a', 'b'], 'one'), 'silence')
    for await (const { id } of make().conversations.iterate(project)) {
      expect(id).toBe('a')
      await service.arrived(2)
      break
    }
    await service.requests[1]?.gone
    expect(clock.pending()).toEqual([])
  })

  it('rejects for a failed page when the reader reaches that page', async () => {
    service.script(page(['a', 'b'], 'one'), { status: 400, body: { error: 'Bad cursor' } })
    const ids: string[] = []
    const reading = async () => {
      for await (const { id } of make().conversations.iterate(project)) {
        ids.push(id)
        await service.arrived(2)
      }
    }
    expect((await failure(reading())).status).toBe(400)
    expect(ids).toEqual(['a', 'b'])
  })

  it('rejects if the service returns the same page twice', async () => {
    service.script(page(['a'], 'one'), page(['b'], 'one'))
    const reading = async () => {
      for await (const _ of make().conversations.iterate(project));
    }
    expect(await failure(reading())).toBeInstanceOf(ConversationsFailure)
    expect(service.requests).toHaveLength(2)
  })

  it.each([2, 3, 40])('rejects if the cursors of the service go round in %s', async (round) => {
    const cursors = Array.from({ length: round }, (_, index) => `cursor-${index}`)
    for (let times = 0; times < 3; times++)
      service.script(...cursors.map((cursor, index) => page([`c${times}-${index}`], cursor)))
    const ids: string[] = []
    const reading = async () => {
      for await (const { id } of make().conversations.iterate(project)) ids.push(id)
    }
    expect(await failure(reading())).toMatchObject({ family: 'conversations', code: 'UNEXPECTED_RESPONSE' })
    // Each page was asked for once, and the reader got what came before the cursor that led back.
    expect(service.requests).toHaveLength(round + 1)
    expect(ids).toHaveLength(round)
  })

  it('rejects if a hundred pages in a row have no conversation and more follow, and not if fewer have none', async () => {
    /** Reads pages of so many conversations each; with `more`, the last page leads on too. */
    const read = async (counts: number[], more: boolean) => {
      let requests = 0
      const fetch = async () => {
        const at = requests++
        const conversations = Array.from({ length: counts[at] ?? 0 }, () => conversation(`c${at}`))
        return Response.json({
          conversations,
          cursor: more || at + 1 < counts.length ? `cursor-${at}` : null,
        })
      }
      const ids: string[] = []
      const reading = async () => {
        for await (const { id } of make({ fetch }).conversations.iterate(project)) ids.push(id)
      }
      const error = more ? await failure(reading()) : await reading()
      return { ids, requests, error }
    }
    const empty = (count: number) => Array.from({ length: count }, () => 0)
    expect((await read([...empty(99), 1, ...empty(99), 1, ...empty(99)], false)).ids).toEqual(['c99', 'c199'])
    expect(await read(empty(100), false)).toMatchObject({ ids: [], requests: 100 })
    expect(await read(empty(100), true)).toMatchObject({
      requests: 100,
      error: { family: 'conversations', code: 'UNEXPECTED_RESPONSE' },
    })
  })

  it('yields nothing more once its signal is aborted, though it has more', async () => {
    const stop = new AbortController()
    service.script(page(['a', 'b']))
    const pages = make().conversations.iterate(project, stop)[Symbol.asyncIterator]()
    await pages.next()
    stop.abort(new Error('enough'))
    await expect(pages.next()).rejects.toThrow('enough')
  })

  it('rejects with the reason of its signal, between two conversations too', async () => {
    const stop = new AbortController()
    service.script(page(['a', 'b'], 'one'), 'silence')
    const pages = make().conversations.iterate(project, stop)[Symbol.asyncIterator]()
    await pages.next()
    await service.arrived(2)
    stop.abort(new Error('enough'))
    await expect(pages.next()).rejects.toThrow('enough')
    await service.requests[1]?.gone
  })
})

describe('wait', () => {
  const state = (status: string, reason = ''): Answer => ({ status: 200, body: { status, reason } })

  it('polls after 2 s at first, then less often, down to every 5 s, until the call has ended', async () => {
    service.script(state('queued'), ...Array.from({ length: 4 }, () => state('calling')), state('success'))
    const ended = make().calls.wait('OUT-1')
    for (const ms of [2000, 3000, 4500, 5000, 5000]) await clock.pass(ms)
    await expect(ended).resolves.toEqual({ status: 'success', reason: '' })
    expect(service.requests).toHaveLength(6)
    expect(clock.pending()).toEqual([])
  })

  it('polls at the given interval, and resolves for a failed call', async () => {
    service.script(state('calling'), state('calling'), state('failure', 'busy'))
    const ended = make().calls.wait('OUT-1', { intervalMs: 4000 })
    for (const ms of [4000, 4000]) await clock.pass(ms)
    await expect(ended).resolves.toEqual({ status: 'failure', reason: 'busy' })
  })

  it('continues after temporary failures, and rejects with others', async () => {
    service.script(state('calling'), { status: 500 }, 'cut', state('calling'), { status: 404 })
    const lost = failure(make().calls.wait('OUT-1'))
    for (const ms of [2000, 500, 1000, 3000]) await clock.pass(ms)
    expect(await lost).toMatchObject({ family: 'calls', status: 404 })
  })

  it.each([
    ['an hour', undefined, 3_600_000],
    ['the given time', { timeoutMs: 60_000 }, 60_000],
  ])('gives up after %s, and says that the call goes on', async (_, options, timeoutMs) => {
    service.script(state('calling'), state('calling'), 'silence')
    const lost = failure(make().calls.wait('OUT-1', options))
    await clock.pass(2_000)
    await clock.waited(3_000)
    await clock.pass(timeoutMs)
    expect(await lost).toMatchObject({ family: 'calls', code: 'TIMEOUT', status: undefined })
    expect((await lost).message).toContain('the call goes on')
    expect(clock.pending()).toEqual([])
    expect(service.requests).toHaveLength(2)
  })

  it('gives up during a request too, which it ends', async () => {
    service.script('silence')
    const lost = failure(make({ timeoutMs: 120_000 }).calls.wait('OUT-1', { timeoutMs: 60_000 }))
    await service.arrived(1)
    await clock.pass(60_000)
    expect(await lost).toMatchObject({ family: 'calls', code: 'TIMEOUT' })
    await service.requests[0]?.gone
    expect(clock.pending()).toEqual([])
  })

  it('stops at once when its signal is aborted', async () => {
    const stop = new AbortController()
    service.script(state('queued'))
    const lost = make().calls.wait('OUT-1', { signal: stop.signal })
    await clock.waited(2_000)
    stop.abort()
    await expect(lost).rejects.toMatchObject({ name: 'AbortError' })
    expect(clock.pending()).toEqual([])
    expect(service.requests).toHaveLength(1)
  })
})

describe('secrets', () => {
  const shows = (thing: unknown) => {
    const all = { depth: 20, showHidden: true, getters: true }
    const extra =
      thing instanceof Error ? `${thing.message}${thing.stack}${String(thing)}${inspect(thing.cause)}` : ''
    return `${inspect(thing, all)}${JSON.stringify(thing)}${extra}`
  }
  const none = (thing: unknown) => {
    for (const secret of [...Object.values(SECRETS), ACCESS]) {
      expect(shows(thing)).not.toContain(secret)
      expect(shows(thing)).not.toContain(encodeURIComponent(secret))
    }
  }

  it('are not in the client', () => none(make()))

  it.each(Object.keys(calls))('are in no error of %s, even when the service repeats them', async (name) => {
    const { run } = callOf(name)
    const all = [...Object.values(SECRETS), ACCESS, encodeURIComponent(SECRETS.apiKey)].join(' ')
    const bodies: Answer[] = [
      { status: 400, body: { error: all, error_message: all, detail: all, code: all, error_code: all } },
      { status: 400, body: { error: 'No', error_id: all } },
      { status: 400, body: { error: 'No' }, headers: { 'X-Svc-Correlation-Id': all } },
      { status: 400, body: all },
      { status: 200, body: { access_token: all, [all]: all, session_id: 1, status: all, call_sid: all } },
      { status: 302, headers: { location: `/${encodeURIComponent(all)}` } },
      'cut',
    ]
    for (const body of bodies) {
      service.script(body)
      const error = await failure(run(make({ retries: 0 })))
      // Only its own access token is known to a request; the client never holds one.
      if (name === 'chat.createSession') none(error)
      else for (const secret of Object.values(SECRETS)) expect(shows(error)).not.toContain(secret)
      expect(error.cause).toBeUndefined()
    }
  })

  it('are replaced by a word in a text, and the rest stays', async () => {
    service.script({ status: 401, body: { detail: `Key ${SECRETS.apiKey} is unknown` } })
    const error = await failure(callOf('sms.send').run(make()))
    expect(error.message).toContain('Key [secret] is unknown')
  })

  it.each([
    ['as they are', (secret: string) => secret],
    ['in an address', encodeURIComponent],
    ['in a JSON text', (secret: string) => JSON.stringify({ secret })],
    ['in base64', (secret: string) => btoa(secret)],
    ['in base64url', (secret: string) => Buffer.from(secret).toString('base64url')],
  ])('are not shown where the service repeats them %s', async (_, written) => {
    const apiKey = '\\"KEY?>~\\"+/5'
    const said = written(apiKey)
    service.script({ status: 401, body: { detail: `Unknown: ${said}` } })
    const { message } = await failure(callOf('sms.send').run(make({ apiKey })))
    expect(message).toContain('[secret]')
    expect(message).not.toContain(said.replace(/^.*":"|"\}$|=+$/g, ''))
  })

  it('are not shown in part when a long text is cut', async () => {
    service.script({ status: 400, body: { detail: `${'x'.repeat(465)}${SECRETS.apiKey}` } })
    expect((await failure(callOf('sms.send').run(make()))).message).not.toContain('KEY-5')
  })

  it.each(['a-key', 'a/key'])('leave no rest where %s begins another one', async (short) => {
    const long = `${short}+and-more`
    for (const [apiKey, authToken] of [
      [short, long],
      [long, short],
    ] as const) {
      service.script({ status: 400, body: { detail: `${long} ${encodeURIComponent(long)} ${short}` } })
      const error = await failure(callOf('sms.send').run(make({ apiKey, authToken })))
      expect(error.message).toContain('[secret] [secret] [secret].')
    }
  })

  it('are not in the error that follows a fetch error with headers in it', async () => {
    const fetch = async (_: URL | RequestInfo, init?: RequestInit) => {
      throw new TypeError('failed', { cause: Object.assign(new Error(inspect(init)), { code: 'EBAD' }) })
    }
    for (const { run } of Object.values(calls)) none(await failure(run(make({ fetch, retries: 0 }))))
  })
})

it('a 429 of a gateway, whose body is no error of the service, says how long to wait', async () => {
  service.script({ status: 429, body: { nothing: 1 }, headers: { 'retry-after': '33' } })
  const error = await failure(callOf('sms.send').run(make({ retries: 0 })))
  expect(error).toMatchObject({ retryAfterSeconds: 33 })
})
