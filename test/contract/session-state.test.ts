// The question for the state of a session, which a client asks whose handshakes are refused: it is answered as the handshake would be.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/runtime/index.ts'
import { type HandClock, handClock } from './clock.ts'
import { newDatabase } from './store.ts'
import { createWorld, plainNumber } from './world.ts'

type World = Awaited<ReturnType<typeof createWorld>>

let database: Database
/** Another process on the same database. */
let other: World
let world: World
let clock: HandClock
beforeAll(async () => {
  database = await newDatabase()
  const data = { database: { ...database, close: async () => {} } }
  clock = handClock()
  world = await createWorld({ data, clock })
  other = await createWorld({ data, clock: handClock() })
})
afterAll(async () => {
  await world.close()
  await other.close()
  await database.close()
})

const ask = (at: World, id: string, token: string) =>
  at.get(`/api/v1/sessions/${encodeURIComponent(id)}`, { authorization: `Bearer ${token}` })
const stateOf = async (at: World, id: string, token: string) => {
  const response = await ask(at, id, token)
  expect(response.status).toBe(200)
  return response.json()
}
/** Whether a socket is admitted: 101, or the status of the refusal. */
async function handshake(at: World, id: string, token: string): Promise<number | undefined> {
  try {
    const { socket } = await at.connect(id, token)
    socket.terminate()
    return 101
  } catch {
    return (await at.refusal({ session_id: id, access_token: token })).status
  }
}

async function endedAgo(seconds: number) {
  const chat = await world.chat([])
  await database.query(
    `UPDATE foyer.conversation SET started_at = started_at - $2::integer * interval '1 second',
       ended_at = ended_at - $2::integer * interval '1 second' WHERE id = $1`,
    [chat.sessionId, seconds],
  )
  return chat
}

describe('GET /api/v1/sessions/<id>', () => {
  it.each<[string, object, number, () => Promise<{ sessionId: string; token: string }>]>([
    ['an open one', { state: 'active' }, 101, () => world.joined()],
    ['one that its visitor ended', { state: 'ended' }, 101, () => world.chat([])],
    ['one that the agent ended', { state: 'ended' }, 101, () => world.chat(['bye'], { open: true })],
    [
      'one that its visitor rated after its end',
      { state: 'ended' },
      101,
      async () => {
        const chat = await world.joined()
        chat.client.send('EVENT_TYPE_USER_END_SESSION')
        const { sequence } = await chat.client.event('EVENT_TYPE_SESSION_END')
        const late = await world.connect(chat.sessionId, chat.token, String(sequence))
        late.send('EVENT_TYPE_CSAT_RESPONSE', { score: 9 })
        await late.event('EVENT_TYPE_CSAT_RESPONSE')
        return chat
      },
    ],
    [
      'one that expired',
      { state: 'expired' },
      101,
      async () => {
        const chat = await world.joined()
        await world.runtime.expire(chat.sessionId)
        return chat
      },
    ],
    ['one that ended 599 s ago', { state: 'ended' }, 101, () => endedAgo(599)],
    ['one that ended 10 minutes ago', { state: 'unknown' }, 404, () => endedAgo(600)],
    [
      'one that was erased',
      { state: 'unknown' },
      404,
      async () => {
        const chat = await world.joined()
        await world.runtime.commands.eraseConversation(chat.sessionId)
        return chat
      },
    ],
    [
      'one of another access token',
      { state: 'unknown' },
      401,
      async () => ({ ...(await world.joined()), token: await world.accessToken() }),
    ],
    [
      'one by SMS',
      { state: 'unknown' },
      401,
      async () => {
        const headers = { 'x-svc-auth-token': 'all-key', 'x-token-id': 'CON-test0001' }
        const body = JSON.stringify({ user_number: plainNumber(99), message: 'Hello' })
        await world.post('/v1/outbound-sms', { ...headers, 'content-type': 'application/json' }, body)
        const [row] = await database.query<{ id: string }>(
          "SELECT id FROM foyer.session WHERE family = 'messaging'",
        )
        return { sessionId: row?.id ?? '', token: await world.accessToken() }
      },
    ],
    [
      'one that never was',
      { state: 'unknown' },
      404,
      async () => ({ sessionId: crypto.randomUUID(), token: await world.accessToken() }),
    ],
    ...['a\0b', 'a\nb', 'x'.repeat(129)].map(
      (sessionId): [string, object, number, () => Promise<{ sessionId: string; token: string }>] => [
        `one with the id ${JSON.stringify(sessionId.slice(0, 5))}`,
        { state: 'unknown' },
        400,
        async () => ({ sessionId, token: await world.accessToken() }),
      ],
    ),
  ])('says of %s: %o, where the handshake says %d', async (_, state, status, begin) => {
    const { sessionId, token } = await begin()
    for (const at of [world, other]) {
      expect(await stateOf(at, sessionId, token)).toEqual(state)
      expect(await handshake(at, sessionId, token)).toBe(status)
    }
  })

  it('says active of a session whose idle time is over until it is swept, and so does the handshake', async () => {
    const { sessionId, token } = await world.joined()
    const late = await createWorld({
      data: { database: { ...database, close: async () => {} } },
      clock: handClock(clock.now() + 3_600_000),
    })
    expect(await stateOf(late, sessionId, token)).toEqual({ state: 'active' })
    expect(await handshake(late, sessionId, token)).toBe(101)
    await late.runtime.expire(sessionId)
    expect(await stateOf(late, sessionId, token)).toEqual({ state: 'expired' })
    await late.close()
  })

  it.each([
    ['no access token', {}, 'Missing access token'],
    ['another scheme', { authorization: 'Basic abc' }, 'Missing authentication headers'],
    ['an empty token', { authorization: 'Bearer ' }, 'Missing authentication headers'],
    ['a malformed token', { authorization: 'Bearer abc' }, 'Invalid access token'],
  ])('answers 401 to %s', async (_, headers: Record<string, string>, error) => {
    const { sessionId } = await world.joined()
    const response = await world.get(`/api/v1/sessions/${sessionId}`, headers)
    expect([response.status, await response.json()]).toEqual([401, { error }])
  })

  it('answers 401 to a token that has expired, and to one whose connector was revoked', async () => {
    const own = handClock()
    const late = await createWorld({ clock: own, settings: { tokenTtlSeconds: 900 } })
    try {
      const chat = await late.joined()
      expect(await stateOf(late, chat.sessionId, chat.token)).toEqual({ state: 'active' })
      await late.runtime.commands.revokeConnector('CON-test0001')
      const revoked = await ask(late, chat.sessionId, chat.token)
      expect([revoked.status, await revoked.json()]).toEqual([401, { error: 'Invalid access token' }])
      const token = await late.accessToken('live-secret')
      await own.leap(961_000)
      const expired = await ask(late, chat.sessionId, token)
      expect([expired.status, await expired.json()]).toEqual([401, { error: 'Invalid access token' }])
    } finally {
      await late.close()
    }
  })

  it('answers any origin, without credentials, and takes no other method', async () => {
    const { sessionId, token } = await world.joined()
    const url = `${world.base}/api/v1/sessions/${sessionId}`
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: { origin: 'https://any.example.com', 'access-control-request-method': 'GET' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET')
    expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization, content-type')
    const headers = { authorization: `Bearer ${token}`, origin: 'https://any.example.com' }
    const answers = [
      await fetch(url, { headers }),
      await fetch(url),
      await fetch(url, { method: 'POST', headers }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 405])
    for (const { headers: answered } of answers) {
      expect(answered.get('access-control-allow-origin')).toBe('*')
      expect(answered.get('access-control-expose-headers')).toContain('Retry-After')
      expect(answered.get('access-control-allow-credentials')).toBeNull()
      expect(answered.get('cache-control')).toBe('no-store')
    }
  })

  it('answers 429 with Retry-After to an access token that asks too often', async () => {
    const { sessionId, token } = await world.joined()
    let response = await ask(world, sessionId, token)
    // Sixty a minute, of which there may be two.
    for (let count = 0; count < 130 && response.status === 200; count++)
      response = await ask(world, sessionId, token)
    expect(response.status).toBe(429)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    // The same visitor may still begin a new chat.
    expect(await world.session(token)).toEqual(expect.any(String))
  })

  it('is promised at the start of a session, and stands in no description of the API', async () => {
    const { client } = await world.joined()
    const start = await client.event('EVENT_TYPE_SESSION_START')
    expect(start.payload.capabilities).toMatchObject({ session_status: true })
    const { paths } = (await (await world.get('/openapi.json')).json()) as { paths: object }
    expect(Object.keys(paths).filter((path) => path.startsWith('/api/v1/sessions'))).toEqual([
      '/api/v1/sessions',
    ])
  })

  it('logs no session id where the store fails', async () => {
    const broken = await createWorld({
      data: {
        database: {
          ...database,
          query: (sql, params) =>
            sql.includes('FROM foyer.session AS s')
              ? Promise.reject(new Error('the store is away'))
              : database.query(sql, params),
          close: async () => {},
        },
      },
      clock: handClock(),
    })
    const { sessionId, token } = await world.joined()
    const response = await ask(broken, sessionId, token)
    expect([response.status, await response.json()]).toEqual([500, { error: 'Failed to read session' }])
    expect(broken.log).toEqual(['GET /api/v1/sessions/{session_id} failed: the store is away'])
    await broken.close()
  })
})
