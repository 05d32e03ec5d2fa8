// The HTTP doors of the chat family, as the specification has them: plain fetch against a real server.

import { request } from 'node:http'
import { connect } from 'node:net'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConversationPage, REGIONS, SessionRequest } from '../../src/api/index.ts'
import type { Reading } from '../../src/runtime/database/index.ts'
import type { Database } from '../../src/runtime/index.ts'
import { newDatabase } from './store.ts'
import { createWorld, NUMBER, plainNumber } from './world.ts'

let world: Awaited<ReturnType<typeof createWorld>>
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const JSON_TYPE = { 'content-type': 'application/json' }
const GOOD = { ...JSON_TYPE, 'x-token': 'connector-secret', 'x-host': 'shop.example.com' }
const errorOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { error: string }).error,
]

const tokenRequest = (headers: Record<string, string> = {}) =>
  new Request('http://localhost/api/v1/access-token', {
    method: 'POST',
    headers: { ...JSON_TYPE, 'x-token': 'connector-secret', 'x-host': 'shop.example.com', ...headers },
  })

describe('POST /api/v1/access-token', () => {
  const ask = (headers: Record<string, string>, body = '{}') =>
    world.post('/api/v1/access-token', headers, body)

  it('returns a bearer token and its lifetime in seconds', async () => {
    const response = await ask(GOOD)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      expires_in: 86_400,
      token_type: 'Bearer',
    })
  })

  it.each([
    ['no token', { ...JSON_TYPE, 'x-host': 'shop.example.com' }, 'Missing authentication headers'],
    ['no host', { ...JSON_TYPE, 'x-token': 'connector-secret' }, 'Missing authentication headers'],
    ['an unknown token', { ...GOOD, 'x-token': 'nobody' }, 'Connector token does not exist'],
    ['another host', { ...GOOD, 'x-host': 'other.example.com' }, 'Failed to validate connector'],
    [
      'a subdomain of the host',
      { ...GOOD, 'x-host': 'www.shop.example.com' },
      'Failed to validate connector',
    ],
    [
      'a connector without a host',
      { ...GOOD, 'x-token': 'hostless-secret' },
      'Connector missing host domain',
    ],
  ])('refuses %s with 401', async (_, headers, text) => {
    expect(await errorOf(await ask(headers))).toEqual([401, text])
  })

  it('requires a JSON body', async () => {
    expect((await ask({ ...GOOD, 'content-type': 'text/plain' })).status).toBe(415)
    expect((await ask(GOOD, 'not json')).status).toBe(400)
    expect((await ask(GOOD, '[]')).status).toBe(400)
    expect((await ask(GOOD, `{"a":"${'x'.repeat(70_000)}"}`)).status).toBe(413)
    expect((await ask(GOOD, '')).status).toBe(200)
  })

  it('answers 429 with Retry-After to a connector that asks too often, from any address', async () => {
    const small = await createWorld({ settings: { tokensPerMinute: 3 } })
    const from = (address: string, token = 'connector-secret') =>
      small.runtime.fetch(
        new Request('http://localhost/api/v1/access-token', {
          method: 'POST',
          headers: { ...JSON_TYPE, 'x-token': token, 'x-host': 'shop.example.com' },
        }),
        { address },
      )
    try {
      const answers = []
      // Three a minute, of which there may be two.
      for (let count = 1; count <= 7; count++) answers.push(await from(`192.0.2.${count}`))
      expect(answers.slice(0, 3).map(({ status }) => status)).toEqual([200, 200, 200])
      const last = answers.at(-1)
      expect(last?.status).toBe(429)
      const wait = Number(last?.headers.get('retry-after'))
      expect(wait >= 1 && wait <= 60).toBe(true)
      // Another connector at the same address has its own count.
      expect((await from('192.0.2.7', 'live-secret')).status).toBe(200)
    } finally {
      await small.close()
    }
  })

  it('gives one address as many tokens as its connector may have, because all visitors of a site may share it', async () => {
    for (let count = 0; count < 700; count++)
      expect((await world.runtime.fetch(tokenRequest(), { address: '203.0.113.1' })).status).toBe(200)
  })

  it('counts wrong connector tokens and wrong hosts per address', async () => {
    const from = (address: string, wrong: Record<string, string>) =>
      world.runtime.fetch(tokenRequest(wrong), { address })
    let response = await from('2001:db8::1', { 'x-token': 'guess' })
    // Three hundred a minute, of which there may be two; one visitor owns the whole network.
    for (let count = 0; count < 610 && response.status === 401; count++)
      response = await from(
        `2001:db8::${count}`,
        count % 2 ? { 'x-token': `${count}` } : { 'x-host': `h${count}` },
      )
    expect(response.status).toBe(429)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await from('2001:db8:0:1::1', { 'x-token': 'guess' })).status).toBe(401)
    // Whoever has the right one is not held up by those who guess.
    expect((await from('2001:db8::1', {})).status).toBe(200)
  })

  it('has no CORS headers and refuses other methods', async () => {
    const response = await ask({ ...GOOD, origin: 'https://evil.example.com' })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    expect((await fetch(`${world.base}/api/v1/access-token`)).status).toBe(405)
  })
})

describe('POST /api/v1/sessions', () => {
  const create = async (headers: Record<string, string> = {}, body?: string) =>
    world.post(
      '/api/v1/sessions',
      { ...JSON_TYPE, authorization: `Bearer ${await world.accessToken()}`, ...headers },
      body,
    )

  it('creates a session, with and without a body', async () => {
    for (const body of [
      undefined,
      '{}',
      '{"streaming_enabled":true,"platform":"ios-web","device_type":"phone"}',
    ]) {
      const response = await create({}, body)
      expect(response.status).toBe(200)
      expect(await response.json()).toEqual({ session_id: expect.any(String) })
    }
  })

  it('streams only when the request asks for streaming', async () => {
    const token = await world.accessToken()
    const headers = { ...JSON_TYPE, authorization: `Bearer ${token}` }
    for (const [body, streaming] of [
      [undefined, false],
      ['{}', false],
      ['{"streaming_enabled":false}', false],
      ['{"streaming_enabled":true}', true],
    ] as const) {
      const response = await world.post('/api/v1/sessions', headers, body)
      const { session_id } = (await response.json()) as { session_id: string }
      const client = await world.connect(session_id, token)
      const start = await client.event('EVENT_TYPE_SESSION_START')
      expect(start.payload).toMatchObject({ capabilities: { streaming } })
    }
  })

  it.each(['web', 'ios', 'android', 'ios-web', 'android-web', 'custom'])(
    'accepts the platform %s',
    async (platform) => {
      expect((await create({}, JSON.stringify({ platform }))).status).toBe(200)
    },
  )

  it('has the platform web by default', () => {
    expect(v.parse(SessionRequest, {})).toEqual({ streaming_enabled: false, platform: 'web' })
  })

  it('needs no User-Agent header', async () => {
    const authorization = `Bearer ${await world.accessToken()}`
    for (const more of [{}, { 'user-agent': 'Phone/1' }]) {
      const headers = { ...JSON_TYPE, authorization, ...more }
      // Bare: what asks for the other tests names itself.
      const status = await new Promise((resolve, reject) => {
        const asked = request(`${world.base}/api/v1/sessions`, { method: 'POST', headers }, (response) => {
          response.resume()
          resolve(response.statusCode)
        })
        asked.on('error', reject)
        asked.end()
      })
      expect(status).toBe(200)
    }
  })

  it('refuses an invalid access token', async () => {
    const bare = await world.post('/api/v1/sessions', JSON_TYPE, '{}')
    expect(await errorOf(bare)).toEqual([400, 'Missing access token'])
    expect(await errorOf(await create({ authorization: 'Basic abc' }))).toEqual([
      401,
      'Missing authentication headers',
    ])
    expect(await errorOf(await create({ authorization: 'Bearer abc' }))).toEqual([
      401,
      'Invalid access token',
    ])
    const [head, , sign] = (await world.accessToken()).split('.')
    const forged = `${head}.${Buffer.from('{"connector":"CON-test0001"}').toString('base64url')}.${sign}`
    expect(await errorOf(await create({ authorization: `Bearer ${forged}` }))).toEqual([
      401,
      'Invalid access token',
    ])
  })

  it('refuses a body that cannot be read, naming the field', async () => {
    expect(await errorOf(await create({}, '{'))).toEqual([400, 'Error parsing request'])
    const [status, text] = await errorOf(await create({}, '{"platform":"fridge"}'))
    expect([status, text]).toEqual([400, expect.stringContaining('platform')])
    const flag = await errorOf(await create({}, '{"streaming_enabled":"yes"}'))
    expect(flag).toEqual([400, expect.stringContaining('streaming_enabled')])
    expect((await create({ 'content-type': 'text/plain' }, '{}')).status).toBe(415)
  })

  it('answers any origin, without credentials', async () => {
    const preflight = await fetch(`${world.base}/api/v1/sessions`, {
      method: 'OPTIONS',
      headers: { origin: 'https://any.example.com', 'access-control-request-method': 'POST' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization, content-type')
    const response = await create({ origin: 'https://any.example.com' })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
  })

  it('answers 429 with Retry-After to an access token that creates too many sessions', async () => {
    const authorization = `Bearer ${await world.accessToken()}`
    let response = await create({ authorization })
    // Sixty a minute, of which there may be two.
    for (let count = 0; count < 130 && response.status === 200; count++)
      response = await create({ authorization })
    expect(response.status).toBe(429)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('every answer', () => {
  it('carries a correlation id: the request’s own if well-formed, else a new one', async () => {
    const ask = (id?: string) =>
      world.post(
        '/api/v1/access-token',
        { ...GOOD, ...(id !== undefined && { 'X-Svc-Correlation-Id': id }) },
        '{}',
      )
    expect((await ask('abc-123')).headers.get('x-svc-correlation-id')).toBe('abc-123')
    expect((await ask()).headers.get('x-svc-correlation-id')).toMatch(/^[\da-f-]{36}$/)
    expect((await ask('a b<script>')).headers.get('x-svc-correlation-id')).toMatch(/^[\da-f-]{36}$/)
    expect((await fetch(`${world.base}/nowhere`)).headers.get('x-svc-correlation-id')).toBeTruthy()
  })

  it('carries one although Node could not read the request, beside the error body of the family', async () => {
    const { port } = new URL(world.base)
    const text = await new Promise<string>((resolve, reject) => {
      let received = ''
      const socket = connect(Number(port), '127.0.0.1')
      socket.on('data', (data) => {
        received += data
      })
      socket.on('error', reject)
      socket.on('close', () => resolve(received))
      socket.write(
        'GET /v3/larkspur/shop/conversations?query=Fahrräder HTTP/1.1\r\nHost: a\r\nX-Svc-Correlation-Id: mine-3\r\n\r\n',
      )
    })
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(text).toMatch(/^X-Svc-Correlation-Id: mine-3\r$/m)
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toEqual({
      success: false,
      error: 'The address must be percent-encoded',
      error_id: 'mine-3',
      error_code: 'BAD_REQUEST',
      error_message: 'The address must be percent-encoded',
      data: null,
    })
  })

  it('with a body has a JSON content type', async () => {
    const answers = [
      await world.post('/api/v1/access-token', GOOD, '{}'),
      await world.post('/api/v1/access-token', JSON_TYPE, '{}'),
      await world.get('/v3/larkspur/shop/conversations'),
      await world.get('/v1/larkspur/shop/conversations/concurrency'),
      await world.get('/v1/larkspur/shop/handoff_state', {}),
      await world.post('/v1/outbound-sms', JSON_TYPE, '{}'),
      await world.post('/v1/outbound-calling', JSON_TYPE, '{}'),
    ]
    for (const { headers } of answers) expect(headers.get('content-type')).toMatch(/^application\/json(;|$)/)
  })

  it('forbids caches to store it', async () => {
    expect((await world.post('/api/v1/access-token', GOOD, '{}')).headers.get('cache-control')).toBe(
      'no-store',
    )
  })
})

describe('HEAD /api/v1/sessions', () => {
  it('tells, without credentials, that the service answers', async () => {
    const response = await fetch(`${world.base}/api/v1/sessions`, { method: 'HEAD' })
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
  })
})

describe('GET /openapi.json', () => {
  it('describes the chat family, and the answers match it', async () => {
    const document = (await (await fetch(`${world.base}/openapi.json`)).json()) as {
      openapi: string
      paths: Record<
        string,
        {
          post: {
            responses: Record<string, { content: { 'application/json': { schema: { $ref: string } } } }>
          }
        }
      >
      components: { schemas: Record<string, { required: string[] }> }
    }
    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.paths)).toHaveLength(8)
    const required = (path: string, status: string) =>
      document.components.schemas[
        document.paths[path]?.post.responses[status]?.content['application/json'].schema.$ref
          .split('/')
          .at(-1) ?? ''
      ]?.required
    expect(required('/api/v1/access-token', '200')).toEqual(['access_token', 'expires_in', 'token_type'])
    expect(required('/api/v1/sessions', '200')).toEqual(['session_id'])
    expect(required('/api/v1/sessions', '401')).toEqual(['error'])
  })
})

describe('the values of /openapi.json', () => {
  type Value = { where: string; name: string; schema: Record<string, unknown> }
  /** Every value that the document describes, by the name that it goes by. */
  async function values(): Promise<Value[]> {
    const document = await (await fetch(`${world.base}/openapi.json`)).json()
    const found: Value[] = []
    function look(node: unknown, where: string, name: string): void {
      if (typeof node !== 'object' || node === null) return
      const schema = node as Record<string, unknown>
      if ('type' in schema || 'allOf' in schema || 'anyOf' in schema) found.push({ where, name, schema })
      for (const [key, child] of Object.entries(schema))
        look(
          child,
          `${where} ${key}`,
          key === 'schema' && typeof schema.name === 'string' ? schema.name : key,
        )
    }
    look(document, '', '')
    return found
  }

  it('are whole numbers, but for latencies', async () => {
    const numbers = (await values()).filter(({ schema }) =>
      ['number', 'integer'].includes(String(schema.type)),
    )
    const names = (type: string) =>
      [...new Set(numbers.filter(({ schema }) => schema.type === type).map(({ name }) => name))].sort()
    expect(names('number')).toEqual(['latency'])
    expect(names('integer')).toEqual([
      ...['expires_in', 'limit', 'max_concurrent_conversations', 'next_offset', 'num_ood', 'num_silences'],
      ...['num_turns', 'offset', 'polyai_duration', 'total_duration'],
    ])
  })

  it('have the format date-time where they are times, and nowhere else', async () => {
    const texts = (await values()).filter(({ schema }) => schema.type === 'string')
    const isTime = (name: string) => /^time$|_(at|time|datetime)$/.test(name)
    expect(texts.filter(({ name, schema }) => isTime(name) !== (schema.format === 'date-time'))).toEqual([])
    expect([...new Set(texts.flatMap(({ name }) => (isTime(name) ? [name] : [])))].sort()).toEqual([
      ...['agent_response_datetime', 'end_time', 'start_time', 'started_at', 'time', 'user_input_datetime'],
    ])
  })

  it('are each described by one schema, which says something', async () => {
    const all = await values()
    expect(all.filter(({ schema }) => 'allOf' in schema)).toEqual([])
    expect(all.find(({ name }) => name === 'metadata')?.schema).toMatchObject({
      type: 'object',
      additionalProperties: { type: 'string' },
    })
  })
})

describe('the endpoints', () => {
  type Parameter = { name: string; in: string; required: boolean }
  type Described = Record<string, { parameters: Parameter[]; responses: object; requestBody?: object }>

  it('are those of the document, each with its method, headers, parameters and statuses', async () => {
    const document = (await (await fetch(`${world.base}/openapi.json`)).json()) as {
      paths: Record<string, Described>
    }
    const found = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters, responses }]) => {
        const named = (where: string, required: boolean) =>
          parameters.filter((one) => one.in === where && one.required === required).map(({ name }) => name)
        const own = ['405', '413', '415']
        return [
          `${method.toUpperCase()} ${path}`,
          named('header', true).join(' '),
          named('query', true).join(' '),
          named('query', false).toSorted().join(' '),
          Object.keys(responses)
            .filter((status) => !own.includes(status))
            .join(' '),
        ]
      }),
    )
    expect(found).toEqual([
      ['POST /api/v1/access-token', 'X-Host', '', '', '200 400 401 429 500 503'],
      ['POST /api/v1/sessions', '', '', '', '200 400 401 429 500 503'],
      [
        'GET /v3/{account_id}/{project_id}/conversations',
        '',
        '',
        'channel client_env cursor end_time in_progress include_latency limit offset query query_type sample start_time turn_type variant_id variant_name',
        '200 400 401 403 404 500 503',
      ],
      [
        'GET /v1/{account_id}/{project_id}/conversations/concurrency',
        '',
        'start_time end_time',
        'client_env language phone_number slice_by variant_id variant_name',
        '200 400 401 403 404 500 501 503',
      ],
      [
        'GET /v1/{account_id}/{project_id}/handoff_state',
        '',
        '',
        'id shared_id',
        '200 400 401 403 404 500 503',
      ],
      ['POST /v1/outbound-sms', 'X-TOKEN-ID', '', '', '202 400 401 403 404 429 500 503'],
      ['POST /v1/outbound-calling', '', '', '', '200 400 401 403 429 500 503'],
      ['GET /v1/outbound-calling/{call_sid}/status', '', '', '', '200 400 401 403 404 500 503'],
    ])
    expect(document).not.toHaveProperty('webhooks')
  })

  it('exist in one version only: another version in the path is answered with 404', async () => {
    for (const path of [
      '/v1/larkspur/shop/conversations',
      '/v2/larkspur/shop/conversations',
      '/v3/larkspur/shop/conversations/concurrency',
      '/v3/larkspur/shop/handoff_state',
    ])
      expect((await world.get(path)).status).toBe(404)
  })

  it('list voice and messaging, active and ended conversations, side by side', async () => {
    const { sessionId } = await world.chat(['hello'])
    const text = { ...JSON_TYPE, 'x-svc-auth-token': 'all-key', 'x-token-id': 'CON-test0001' }
    await world.post('/v1/outbound-sms', text, JSON.stringify({ user_number: plainNumber(1), message: 'hi' }))
    const voice = { ...JSON_TYPE, 'x-svc-auth-token': 'calling-token' }
    await world.post('/v1/outbound-calling', voice, JSON.stringify({ to_number: '+15005550010' }))
    const list = async () => {
      const response = await world.get('/v3/larkspur/shop/conversations?client_env=sandbox')
      return ((await response.json()) as ConversationPage).conversations
    }
    for (;;) {
      const [call] = (await list()).filter(({ channel }) => channel === 'VOICE-SIP')
      if (call?.in_progress === false) break
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    const all = await list()
    expect(all.find(({ id }) => id === sessionId)).toMatchObject({ channel: 'WEBCHAT', in_progress: false })
    expect(all.find(({ channel }) => channel === 'SMS')).toMatchObject({
      in_progress: true,
      to_number: NUMBER,
    })
  })
})

describe('the settings of a runtime', () => {
  it('set the prefix of its headers', async () => {
    const other = await createWorld({ headerPrefix: 'Acme' })
    try {
      const status = (headers: Record<string, string>) =>
        other.get('/v1/outbound-calling/OUT-nobody/status', headers)
      const known = await status({ 'X-ACME-Auth-Token': 'calling-token', 'x-acme-correlation-id': 'mine-1' })
      expect([known.status, known.headers.get('X-Acme-Correlation-Id')]).toEqual([404, 'mine-1'])
      const unknown = await status({ 'x-svc-auth-token': 'calling-token' })
      expect(unknown.status).toBe(401)
      expect(unknown.headers.get('x-svc-correlation-id')).toBeNull()
      const text = { ...JSON_TYPE, 'x-acme-auth-token': 'all-key', 'x-token-id': 'CON-test0001' }
      const body = JSON.stringify({ user_number: plainNumber(1), message: 'hi' })
      expect((await other.post('/v1/outbound-sms', text, body)).status).toBe(202)
    } finally {
      await other.close()
    }
  })

  it.each(REGIONS)('set its region: a runtime in %s accepts only the keys of that region', async (region) => {
    const keys = REGIONS.map((each) => ({
      id: `KEY-${each}`,
      accountId: 'ws-test0001',
      region: each,
      secret: `${each}-secret`,
    }))
    const other = await createWorld({ region, keys })
    try {
      const answers = await Promise.all(
        REGIONS.map(async (each) => {
          const response = await other.get('/v3/larkspur/shop/conversations', {
            'x-api-key': `${each}-secret`,
          })
          return [each, response.status]
        }),
      )
      expect(answers).toEqual(REGIONS.map((each) => [each, each === region ? 200 : 403]))
    } finally {
      await other.close()
    }
  })
})

describe('a store that fails', () => {
  it('is answered with 500 in the error body of each family, and the reason is only logged', async () => {
    const inner = await newDatabase()
    let broken = false
    const mayBreak = () => {
      if (broken) throw new Error('the disk is full')
    }
    const breaking = (reading: Reading): Reading => ({
      async query(...given) {
        mayBreak()
        return reading.query(...given)
      },
      async transaction(...given) {
        mayBreak()
        return reading.transaction(...given)
      },
    })
    const { reads } = inner
    const database: Database = {
      ...inner,
      ...breaking(inner),
      ...(reads && { reads: { begin: () => breaking(reads.begin()) } }),
    }
    const other = await createWorld({ data: { database } })
    try {
      const authorization = `Bearer ${await other.accessToken()}`
      const text = { ...JSON_TYPE, 'x-svc-auth-token': 'all-key', 'x-token-id': 'CON-test0001' }
      const voice = { ...JSON_TYPE, 'x-svc-auth-token': 'calling-token' }
      const ask = {
        conversations: () => other.get('/v3/larkspur/shop/conversations'),
        concurrency: () => other.get('/v1/larkspur/shop/conversations/concurrency'),
        handoff: () => other.get('/v1/larkspur/shop/handoff_state?id=a'),
        sms: () => other.post('/v1/outbound-sms', text, JSON.stringify({ user_number: plainNumber(1) })),
        call: () => other.post('/v1/outbound-calling', voice, JSON.stringify({ to_number: NUMBER })),
        status: () => other.get('/v1/outbound-calling/OUT-1/status', voice),
        token: () => other.post('/api/v1/access-token', GOOD, '{}'),
        session: () => other.post('/api/v1/sessions', { ...JSON_TYPE, authorization }, '{}'),
      }
      broken = true
      const answers: Record<string, unknown> = {}
      for (const [name, one] of Object.entries(ask)) {
        const response = await one()
        answers[name] = [response.status, await response.json()]
      }
      const words = expect.stringMatching(/^Failed to /)
      expect(answers).toEqual({
        conversations: [
          500,
          {
            success: false,
            error: words,
            error_id: expect.any(String),
            error_code: 'INTERNAL_ERROR',
            error_message: words,
            data: null,
          },
        ],
        concurrency: [500, { error_message: words }],
        handoff: [500, { error_message: words }],
        sms: [500, { detail: words }],
        call: [500, { error: words, code: 'INTERNAL_ERROR' }],
        status: [500, { error: words, code: 'INTERNAL_ERROR' }],
        token: [500, { error: 'Failed to create access token' }],
        session: [500, { error: 'Failed to create session' }],
      })
      expect(JSON.stringify(answers)).not.toContain('disk')
      expect(other.log.join('\n')).toContain('the disk is full')
    } finally {
      broken = false
      await other.close()
    }
  })
})
