// Random requests, right and wrong: never a 500, never an answer that is not described, never a secret in the
// log; and where one field alone is wrong, the answer names it.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type HandClock, handClock } from './clock.ts'
import { createWorld, PROJECTS } from './world.ts'

/** 1,000 in `npm test`, 10,000 in `npm run test:long`. */
const REQUESTS = Number(process.env.FOYER_TEST_REQUESTS ?? 1_000)
const DAY = 86_400_000
const START = 1_800_000_000_000

let clock: HandClock
let world: Awaited<ReturnType<typeof createWorld>>
let sessionToken = ''
beforeAll(async () => {
  clock = handClock(START)
  world = await createWorld({
    clock,
    projects: PROJECTS.map((each) => ({ ...each, smsPerMinute: 50, callsPerMinute: 50, callsAtOnce: 50 })),
  })
  await world.chat(['a bicycle with a broken chain'])
  await world.chat(['desk ticket-1'], { open: true })
  sessionToken = await world.accessToken()
})
afterAll(() => world.close())

type Values = Readonly<Record<string, readonly unknown[]>>
type Target = {
  method: string
  path: string
  /** What each place of the path, header, query and body may hold so that all is well. */
  ids: Values
  headers: Values
  query: Values
  body?: Values
  /** Those without which it cannot be well. */
  required: readonly string[]
}

const TIMES = [new Date(START - 3 * DAY).toISOString(), new Date(START - 2 * DAY).toISOString()]
const LATER = [new Date(START).toISOString(), '2027-01-15T10:00:00+02:00']
const PROJECT_IDS: Values = {
  account_id: ['ws-test0001', 'larkspur'],
  project_id: ['PROJECT-test0001', 'shop'],
}
const API_KEY: Values = { 'x-api-key': ['all-key', 'project-key'] }
const JSON_TYPE: Values = { 'content-type': ['application/json', 'application/json; charset=utf-8'] }
const NUMBERS = ['+15005550012', '+15005550020', '+442079460018']

const TARGETS: readonly Target[] = [
  {
    method: 'GET',
    path: '/v3/{account_id}/{project_id}/conversations',
    ids: PROJECT_IDS,
    headers: API_KEY,
    query: {
      client_env: ['sandbox', 'live', 'pre-release'],
      channel: ['voice', 'chat', 'sms', 'rcs', 'WEBCHAT', 'anything'],
      start_time: TIMES,
      end_time: LATER,
      limit: ['1', '2', '1000'],
      offset: ['0', '1', '100000'],
      in_progress: ['true', 'false'],
      include_latency: ['true', 'false'],
      turn_type: ['user', 'agent'],
      query: ['bicycle', '"broken chain" or !?', 'caffè'],
    },
    required: [],
  },
  ...(['transcript', 'semantic'] as const).map(
    (mode): Target => ({
      method: 'GET',
      path: '/v3/{account_id}/{project_id}/conversations',
      ids: PROJECT_IDS,
      headers: API_KEY,
      query: {
        query_type: [mode],
        client_env: ['sandbox'],
        start_time: TIMES,
        end_time: LATER,
        limit: ['1', '1000'],
        query: ['bicycle', '"broken chain" or !?', 'caffè'],
      },
      required: ['query_type', 'start_time', 'end_time', 'query'],
    }),
  ),
  {
    method: 'GET',
    path: '/v3/{account_id}/{project_id}/conversations',
    ids: PROJECT_IDS,
    headers: API_KEY,
    query: { sample: ['random'], client_env: ['sandbox'], start_time: TIMES, end_time: LATER, limit: ['3'] },
    required: ['sample', 'start_time', 'end_time'],
  },
  {
    method: 'GET',
    path: '/v1/{account_id}/{project_id}/conversations/concurrency',
    ids: PROJECT_IDS,
    headers: API_KEY,
    query: {
      start_time: TIMES,
      end_time: LATER,
      client_env: ['sandbox', 'live'],
      variant_id: ['VAR-1', 'none'],
      language: ['en-GB'],
      phone_number: NUMBERS,
      slice_by: ['variant'],
    },
    required: ['start_time', 'end_time'],
  },
  {
    method: 'GET',
    path: '/v1/{account_id}/{project_id}/handoff_state',
    ids: PROJECT_IDS,
    headers: API_KEY,
    query: { shared_id: ['ticket-1'] },
    required: ['shared_id'],
  },
  {
    method: 'POST',
    path: '/v1/outbound-sms',
    ids: {},
    headers: { ...JSON_TYPE, 'x-svc-auth-token': ['all-key'], 'x-token-id': ['CON-test0001'] },
    query: {},
    body: {
      user_number: NUMBERS,
      message: ['Your bicycle is ready', 'x'.repeat(1_600), '😀 ok'],
      agent_number: ['+15005550006', '+15005550007'],
    },
    required: ['user_number'],
  },
  {
    method: 'POST',
    path: '/v1/outbound-calling',
    ids: {},
    headers: { ...JSON_TYPE, 'x-svc-auth-token': ['calling-token'] },
    query: {},
    body: {
      to_number: NUMBERS,
      metadata: [{}, { order: '17', note: 'é😀' }],
      encryption: ['TLS/SRTP', 'UDP/RTP'],
    },
    required: ['to_number'],
  },
  {
    method: 'GET',
    path: '/v1/outbound-calling/{call_sid}/status',
    ids: { call_sid: ['OUT-nobody'] },
    headers: { 'x-svc-auth-token': ['calling-token'] },
    query: {},
    required: [],
  },
  {
    method: 'POST',
    path: '/api/v1/access-token',
    ids: {},
    headers: { ...JSON_TYPE, 'x-token': ['connector-secret'], 'x-host': ['shop.example.com'] },
    query: {},
    body: {},
    required: [],
  },
  {
    method: 'POST',
    path: '/api/v1/sessions',
    ids: {},
    headers: { ...JSON_TYPE, authorization: ['Bearer {session}'] },
    query: {},
    body: {
      streaming_enabled: [true, false],
      platform: ['web', 'ios', 'android', 'ios-web', 'android-web', 'custom'],
    },
    required: [],
  },
]

type Parts = {
  ids: Record<string, unknown>
  headers: Record<string, unknown>
  query: [string, unknown][]
  body: unknown
}

/** One of the good values of each field; those that are not required only at times. */
const wellFormed = (target: Target): fc.Arbitrary<Parts> => {
  const some = (values: Values, always: boolean) =>
    fc.record(
      Object.fromEntries(Object.entries(values).map(([name, good]) => [name, fc.constantFrom(...good)])),
      always ? {} : { requiredKeys: Object.keys(values).filter((name) => target.required.includes(name)) },
    ) as fc.Arbitrary<Record<string, unknown>>
  return fc
    .tuple(
      some(target.ids, true),
      some(target.headers, true),
      some(target.query, false),
      some(target.body ?? {}, false),
    )
    .map(([ids, headers, query, body]) => ({ ids, headers, query: Object.entries(query), body }))
}

const EDGES = [
  '',
  ' ',
  '0',
  '-1',
  '1e99',
  'NaN',
  'null',
  'true',
  '[]',
  '{}',
  '\u0000',
  '%',
  '%zz',
  '../..',
  'é😀\ud83d',
].concat(["'; DROP TABLE foyer.turn; --", '2026-02-30T00:00:00Z', '9999-12-31T23:59:59Z', 'x'.repeat(5_000)])
const anyText = fc.oneof(fc.constantFrom(...EDGES), fc.string({ unit: 'binary', maxLength: 40 }))
const anyJson = fc.oneof(anyText, fc.jsonValue({ maxDepth: 3 }), fc.double(), fc.constantFrom([], {}, null))

/** Once in seven times. */
const rarely = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

/** A request of which nothing is sure: fields missing, doubled, of another type, in another place. */
const anyhow = (target: Target): fc.Arbitrary<Parts> => {
  const change = fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 2, arbitrary: fc.record({ value: anyJson }) },
  )
  const names = (values: Values) => Object.keys(values)
  return fc
    .tuple(
      wellFormed(target),
      fc.array(change, { minLength: 24, maxLength: 24 }),
      fc.array(
        fc.tuple(fc.oneof(anyText, fc.constantFrom('cursor', 'limit', ...names(target.query))), anyText),
        {
          maxLength: 2,
        },
      ),
      rarely(anyJson),
    )
    .map(([good, changes, moreQuery, wholeBody]) => {
      let place = 0
      const changed = (value: unknown) => {
        const next = changes[place++]
        return next === undefined ? value : next.value
      }
      const each = (values: Record<string, unknown>) =>
        Object.fromEntries(Object.entries(values).map(([name, value]) => [name, changed(value)]))
      return {
        ids: each(good.ids),
        headers: each(good.headers),
        query: [
          ...good.query.map(([name, value]): [string, unknown] => [name, changed(value)]),
          ...moreQuery,
        ],
        body: wholeBody ?? each(good.body as Record<string, unknown>),
      }
    })
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const
const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)) ?? ''
/** Half a pair of surrogates has no place in an address, nor more than Node reads of one: that it refuses by itself, with 431. */
const encoded = (value: unknown) =>
  encodeURIComponent(
    asText(value)
      .slice(0, 2_000)
      .replace(/\p{Surrogate}/gu, '?'),
  )

async function ask(target: Target, parts: Parts, method = target.method, rawBody?: string) {
  // A segment that is dots alone, or empty, is another address.
  const segment = (value: unknown) => (/^\.*$/.test(asText(value)) ? '_' : encoded(value))
  const path = target.path.replace(/\{(\w+)\}/g, (_, name: string) => segment(parts.ids[name]))
  const query = parts.query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&')
  const headers = Object.fromEntries(
    Object.entries(parts.headers)
      .map(([name, value]) => [name, asText(value).replace('{session}', sessionToken)] as const)
      .map(([name, value]) => [name, value.replace(/[^\x20-\x7e]/g, '?').slice(0, 2_000)]),
  )
  const body = method === 'GET' ? undefined : (rawBody ?? JSON.stringify(parts.body))
  const response = await world.ask(method, `${path}${query ? `?${query}` : ''}`, headers, body)
  return { status: response.status, text: await response.text(), headers }
}

it(
  `${REQUESTS} random requests are answered as the API description says`,
  async () => {
    const reached = new Map<string, Set<number>>()
    const secrets = new Set<string>()
    let asked = 0
    const request = fc.constantFrom(...TARGETS).chain((target) =>
      fc.record({
        target: fc.constant(target),
        parts: fc.oneof(wellFormed(target), anyhow(target)),
        method: fc.oneof(
          { weight: 9, arbitrary: fc.constant(target.method) },
          { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
        ),
        rawBody: rarely(anyText),
      }),
    )
    await fc.assert(
      fc.asyncProperty(request, async ({ target, parts, method, rawBody }) => {
        // Rates are counted by the minute; so that not everything is too much.
        if (++asked % 20 === 0) await clock.leap(60_000)
        const { status, headers } = await ask(target, parts, method, rawBody)
        expect(status).toBeLessThan(500)
        if (method === target.method)
          reached.set(target.path, (reached.get(target.path) ?? new Set()).add(Math.floor(status / 100)))
        for (const [name, value] of Object.entries(headers))
          if (name !== 'content-type' && value.length >= 8) secrets.add(value)
      }),
      { numRuns: REQUESTS },
    )
    // What was random reached both what is right and what is wrong at every door.
    for (const { path, ids } of TARGETS)
      expect([path, [...(reached.get(path) ?? [])].toSorted()]).toEqual([
        path,
        'call_sid' in ids ? [4] : [2, 4],
      ])
    const log = world.log.join('\n')
    expect([...secrets].filter((secret) => log.includes(secret))).toEqual([])
    expect(world.log).toEqual([])
  },
  Math.max(60_000, REQUESTS * 60),
)

const WRONG: readonly { target: Target; field: string; values: fc.Arbitrary<unknown> }[] = TARGETS.flatMap(
  (target) => {
    const notText = fc.constantFrom(7, true, [], {}, null)
    const wrong: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
      limit: fc.constantFrom('0', '1001', '-1', 'ten', '1.5', ''),
      offset: fc.constantFrom('-1', 'x', '1.5', ''),
      start_time: fc.constantFrom('yesterday', '', '2026-13-01T00:00:00Z', '1767225600'),
      end_time: fc.constantFrom('tomorrow', '', '2026-02-30T00:00:00Z'),
      client_env: fc.constantFrom('moon', '', 'LIVE'),
      in_progress: fc.constantFrom('maybe', '', '1'),
      include_latency: fc.constantFrom('yes', ''),
      turn_type: fc.constantFrom('both', ''),
      slice_by: fc.constantFrom('moon', ''),
      shared_id: fc.constantFrom('', 'a\0b'),
      variant_id: fc.constantFrom('', 'a\0b'),
      user_number: fc.oneof(
        notText,
        fc.constantFrom('', '5005550006', '+0123456', 'rcs:', '+1 500 555 0006'),
      ),
      message: fc.oneof(notText, fc.constantFrom('', 'x'.repeat(1_601))),
      agent_number: fc.oneof(notText, fc.constantFrom('', '12')),
      to_number: fc.oneof(notText, fc.constantFrom('', '12', 'nobody')),
      metadata: fc.constantFrom(7, 'a', [], null, { seats: 2 }, { note: 'x'.repeat(30_000) }),
      encryption: fc.constantFrom('none', 7, ''),
      streaming_enabled: fc.constantFrom('true', 1, null, []),
      platform: fc.constantFrom('fridge', 7, ''),
    }
    return [...Object.keys(target.query), ...Object.keys(target.body ?? {})].flatMap((field) => {
      const values = wrong[field]
      return values ? [{ target, field, values }] : []
    })
  },
)

it('the error of a random request names the field that is wrong', async () => {
  let asked = 0
  const request = fc.constantFrom(...WRONG).chain(({ target, field, values }) =>
    fc.record({
      target: fc.constant(target),
      field: fc.constant(field),
      value: values,
      parts: wellFormed(target),
    }),
  )
  await fc.assert(
    fc.asyncProperty(request, async ({ target, field, value, parts }) => {
      if (++asked % 20 === 0) await clock.leap(60_000)
      const spoilt: Parts =
        field in target.query
          ? { ...parts, query: [...parts.query.filter(([name]) => name !== field), [field, value]] }
          : { ...parts, body: { ...(parts.body as object), [field]: value } }
      const { status, text } = await ask(target, spoilt)
      expect([status, text]).toEqual([400, expect.stringContaining(field)])
    }),
    { numRuns: Math.max(300, REQUESTS / 10) },
  )
}, 120_000)
