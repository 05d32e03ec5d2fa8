// The HTTP doors of the chat family, as the specification has them: plain fetch against a real server.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld } from './world.ts'

let world: Awaited<ReturnType<typeof createWorld>>
beforeAll(async () => {
  world = await createWorld()
}, 30_000)
afterAll(() => world.close())

const JSON_TYPE = { 'content-type': 'application/json' }
const GOOD = { ...JSON_TYPE, 'x-token': 'connector-secret', 'x-host': 'shop.example.com' }
const errorOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { error: string }).error,
]

describe('POST /api/v1/access-token', () => {
  const ask = (headers: Record<string, string>, body = '{}') =>
    world.post('/api/v1/access-token', headers, body)

  it('gives a bearer token and the seconds it lives', async () => {
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

  it('wants JSON', async () => {
    expect((await ask({ ...GOOD, 'content-type': 'text/plain' })).status).toBe(415)
    expect((await ask(GOOD, 'not json')).status).toBe(400)
    expect((await ask(GOOD, '[]')).status).toBe(400)
    expect((await ask(GOOD, `{"a":"${'x'.repeat(70_000)}"}`)).status).toBe(413)
    expect((await ask(GOOD, '')).status).toBe(200)
  })

  it('answers no other origin, and no other method', async () => {
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

  it('makes a session, with and without a body', async () => {
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

  it('refuses what is no access token', async () => {
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

  it('says 429 and how long to wait when one token makes too many', async () => {
    const authorization = `Bearer ${await world.accessToken()}`
    let response = await create({ authorization })
    for (let count = 0; count < 80 && response.status === 200; count++)
      response = await create({ authorization })
    expect(response.status).toBe(429)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('every answer', () => {
  it('carries a correlation id: the request’s own where it is well-formed, else a new one', async () => {
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

  it('is not stored on the way', async () => {
    expect((await world.post('/api/v1/access-token', GOOD, '{}')).headers.get('cache-control')).toBe(
      'no-store',
    )
  })
})

describe('GET /openapi.json', () => {
  it('describes the chat family, and what it answers fits', async () => {
    const document = (await (await fetch(`${world.base}/openapi.json`)).json()) as {
      openapi: string
      paths: Record<
        string,
        {
          post: {
            responses: Record<string, { content: { 'application/json': { schema: { required: string[] } } } }>
          }
        }
      >
    }
    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.paths)).toHaveLength(8)
    const required = (path: string, status: string) =>
      document.paths[path]?.post.responses[status]?.content['application/json'].schema.required
    expect(required('/api/v1/access-token', '200')).toEqual(['access_token', 'expires_in', 'token_type'])
    expect(required('/api/v1/sessions', '200')).toEqual(['session_id'])
    expect(required('/api/v1/sessions', '401')).toEqual(['error'])
  })
})
