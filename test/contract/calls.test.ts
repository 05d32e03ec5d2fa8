// Parts 6 and 7: outbound calls, from the API to a phone that answers, or does not.

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { CallStatus, ConversationPage } from '../../src/api/index.ts'
import type { Carrier, Clock, Database, PhoneCall } from '../../src/runtime/index.ts'
import { type HandClock, handClock } from './clock.ts'
import { newData, newDatabase } from './store.ts'
import { createWorld, NUMBER, PROJECTS } from './world.ts'

const TOKEN = { 'x-svc-auth-token': 'calling-token' }
const GOOD = { ...TOKEN, 'content-type': 'application/json' }
const TALKS = '+15005550010'
const RING_MS = 2_000
let clock: HandClock
let world: Awaited<ReturnType<typeof createWorld>>
beforeAll(async () => {
  clock = handClock()
  world = await createWorld({ clock, ringMs: RING_MS })
})
afterAll(() => world.close())

const call = (body: object, headers: Record<string, string> = GOOD) =>
  world.post('/v1/outbound-calling', headers, JSON.stringify(body))
async function placed(to_number: string, more: object = {}): Promise<string> {
  const response = await call({ to_number, ...more })
  expect(response.status).toBe(200)
  return ((await response.json()) as { call_sid: string }).call_sid
}
const statusOf = async (sid: string): Promise<CallStatus> =>
  (await (await world.get(`/v1/outbound-calling/${sid}/status`, TOKEN)).json()) as CallStatus

/** Lets time go by until the call ends; what it was on the way, each once. */
async function ended(sid: string): Promise<CallStatus[]> {
  const seen: CallStatus[] = []
  for (let round = 0; round < 40; round++) {
    const status = await statusOf(sid)
    if (seen.at(-1)?.status !== status.status) seen.push(status)
    if (status.status === 'success' || status.status === 'failure') return seen
    await clock.pass(500)
  }
  throw new Error(`the call is ${JSON.stringify(seen)}`)
}
async function conversationsWith(number: string) {
  const page = await world.get('/v3/larkspur/shop/conversations?client_env=sandbox&channel=voice')
  const { conversations } = (await page.json()) as ConversationPage
  return conversations.filter(({ from_number }) => from_number === number)
}

describe('POST /v1/outbound-calling', () => {
  it('places the call: the agent talks to whoever answers, in a voice conversation', async () => {
    const sid = await placed(TALKS)
    expect(sid).toMatch(/^OUT-/)
    const seen = await ended(sid)
    expect(seen.map(({ status }) => status).join(' ')).toMatch(/^(queued )?(calling )?success$/)
    expect(seen.every(({ reason }) => reason === '')).toBe(true)
    await clock.pass(1_000)
    const [conversation, ...others] = await conversationsWith(TALKS)
    expect(others).toEqual([])
    expect(conversation).toMatchObject({
      channel: 'VOICE-SIP',
      environment: 'sandbox',
      from_number: TALKS,
      to_number: NUMBER,
      in_progress: false,
      num_turns: 4,
      num_silences: 1,
    })
    expect(conversation?.turns?.map((turn) => [turn.user_input, turn.agent_response])).toEqual([
      ['', 'Hello there'],
      ['Hello', 'You said Hello'],
      ['', 'You said'],
      ['bye', 'Goodbye'],
    ])
    expect(conversation?.turns?.map(({ is_silence }) => is_silence)).toEqual([false, false, true, false])
  })

  it('gives the metadata to the agent, and leaves it out of the logged conversation', async () => {
    const sid = await placed('+15005551001', { metadata: { order: 'A-17' } })
    await ended(sid)
    await clock.pass(1_000)
    const [conversation] = await conversationsWith('+15005551001')
    const attributes = { call_sid: sid, metadata: { order: 'A-17' } }
    expect(conversation?.turns?.[1]?.agent_response).toBe(JSON.stringify(attributes))
    expect(JSON.stringify(conversation?.state)).not.toContain('A-17')
  })

  it.each([
    ['is not answered', '+15005550011', 'not answered'],
    ['is busy', '+15005550012', 'busy'],
    ['cannot be reached', '+15005550014', 'cannot be reached'],
  ])('reports a readable reason for the failure when the phone %s', async (_, number, reason) => {
    const sid = await placed(number)
    const last = (await ended(sid)).at(-1)
    expect(last?.status).toBe('failure')
    expect(last?.reason).toContain(reason)
    await clock.pass(60_000)
    expect(await statusOf(sid)).toEqual(last)
  })

  it('reports success for a call that somebody answers and hangs up', async () => {
    expect((await ended(await placed('+15005550013'))).at(-1)).toEqual({ status: 'success', reason: '' })
  })

  it.each([
    ['E.164 with spaces', { to_number: '+1 (500) 555-1002' }, '+15005551002'],
    [
      'a national number with its country',
      { to_number: '020 7946 0018', country_code: 'gb' },
      '+442079460018',
    ],
  ])('accepts %s', async (_, body, number) => {
    await ended(await placed(body.to_number, body))
    await clock.pass(1_000)
    expect(await conversationsWith(number)).toHaveLength(1)
  })

  it.each(['TLS/SRTP', 'TLS/RTP', 'UDP/SRTP', 'UDP/RTP'])('accepts the encryption %s', async (encryption) => {
    await ended(await placed('+15005550012', { encryption }))
  })

  it.each([
    ['no token', { 'x-svc-auth-token': '' }, {}, 401, 'UNAUTHORIZED'],
    ['an unknown token', { 'x-svc-auth-token': 'nobody' }, {}, 401, 'UNAUTHORIZED'],
    ['an API key', { 'x-svc-auth-token': 'all-key' }, {}, 401, 'UNAUTHORIZED'],
    ['a connector that may not call', { 'x-svc-auth-token': 'no-calling' }, {}, 401, 'UNAUTHORIZED'],
    ['a token of another region', { 'x-svc-auth-token': 'us-calling' }, {}, 403, 'FORBIDDEN'],
    ['another content type', { 'content-type': 'text/plain' }, {}, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['no number', {}, { to_number: undefined }, 400, 'BAD_REQUEST'],
    ['an empty number', {}, { to_number: '' }, 400, 'BAD_REQUEST'],
    ['a national number alone', {}, { to_number: '020 7946 0018' }, 400, 'INVALID_PHONE_NUMBER'],
    [
      'a number that is none of its country',
      {},
      { to_number: '12', country_code: 'GB' },
      400,
      'INVALID_PHONE_NUMBER',
    ],
    ['a country that is none', {}, { country_code: 'XX' }, 400, 'INVALID_COUNTRY_CODE'],
    ['a country of three letters', {}, { country_code: 'GBR' }, 400, 'BAD_REQUEST'],
    ['metadata with a number in it', {}, { metadata: { seats: 2 } }, 400, 'BAD_REQUEST'],
    ['metadata that is a list', {}, { metadata: ['a'] }, 400, 'BAD_REQUEST'],
    ['metadata of 26 KB in base64', {}, { metadata: { note: 'x'.repeat(19_960) } }, 400, 'BAD_REQUEST'],
    ['an unknown encryption', {}, { encryption: 'none' }, 400, 'BAD_REQUEST'],
  ])('refuses %s', async (_, headers, body, status, code) => {
    const given = Object.entries({ ...GOOD, ...headers }).filter(([, value]) => value !== '')
    const response = await call({ to_number: TALKS, ...body }, Object.fromEntries(given))
    expect([response.status, await response.json()]).toEqual([status, { error: expect.any(String), code }])
  })

  it('accepts metadata just below the limit', async () => {
    await ended(await placed('+15005550012', { metadata: { note: 'x'.repeat(19_950) } }))
  })

  it('refuses a body that is not JSON', async () => {
    const response = await world.post('/v1/outbound-calling', GOOD, '{')
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: expect.any(String), code: 'BODY_PARSE_ERROR' },
    ])
  })
})

describe('GET /v1/outbound-calling/{call_sid}/status', () => {
  it('refuses a malformed call SID', async () => {
    const response = await world.get('/v1/outbound-calling/CALL-1/status', TOKEN)
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'INVALID_CALL_SID' }])
  })

  it('answers 404 for a call that was never made', async () => {
    const response = await world.get('/v1/outbound-calling/OUT-nothing/status', TOKEN)
    expect([response.status, await response.json()]).toMatchObject([404, { code: 'CALL_NOT_FOUND' }])
  })

  it('requires the calling token', async () => {
    expect((await world.get('/v1/outbound-calling/OUT-nothing/status', {})).status).toBe(401)
    const wrong = await world.get('/v1/outbound-calling/OUT-nothing/status', { 'x-svc-auth-token': 'nobody' })
    expect(wrong.status).toBe(401)
  })

  it('hides the call from another project of the account', async () => {
    const sid = await placed('+15005550012')
    const path = `/v1/outbound-calling/${sid}/status`
    expect((await world.get(path, { 'x-svc-auth-token': 'twin-calling' })).status).toBe(404)
    await ended(sid)
  })

  it('hides the call from another account', async () => {
    const sid = await placed('+15005550012')
    const path = `/v1/outbound-calling/${sid}/status`
    expect((await world.get(path, { 'x-svc-auth-token': 'other-calling' })).status).toBe(404)
    await ended(sid)
  })

  it('returns the status for 2 hours after the end of the call, then answers 404', async () => {
    const sid = await placed('+15005550012')
    const last = (await ended(sid)).at(-1)
    await clock.leap(7_190_000)
    expect(await statusOf(sid)).toEqual(last)
    await clock.leap(20_000)
    expect((await world.get(`/v1/outbound-calling/${sid}/status`, TOKEN)).status).toBe(404)
  })
})

describe('a call', () => {
  it('has the status calling while the phone rings, and success from its end on', async () => {
    const sid = await placed('+15005550013')
    await clock.pass(1_000)
    const ringing = await statusOf(sid)
    expect(ringing).toEqual({ status: 'calling', reason: '' })
    expect((await ended(sid)).at(-1)).toEqual({ status: 'success', reason: '' })
    for (const ms of [60_000, 3_600_000]) {
      await clock.leap(ms)
      expect(await statusOf(sid)).toEqual({ status: 'success', reason: '' })
    }
  })

  it('reaches the carrier as requested, and each text of both sides is logged with its own time', async () => {
    const own = handClock()
    const asked: PhoneCall[] = []
    let speak = () => {}
    const spoken = new Promise<void>((resolve) => {
      speak = resolve
    })
    const said: string[] = []
    const carrier: Carrier = {
      connect: () => () => {},
      send: async () => ({ status: 'accepted', channel: 'sms' }),
      async call(call, line) {
        asked.push(call)
        said.push((await line.answered()).text)
        await spoken
        said.push((await line.heard({ speech: 'hello?' })).text)
        await line.heard({ dtmf: '12#' })
        await line.heard({})
        return { status: 'completed' }
      },
    }
    const other = await createWorld({ clock: own, carrier, settings: { maskCards: false } })
    try {
      const metadata = { order: '4111 1111 1111 1111' }
      const body = JSON.stringify({ to_number: TALKS, metadata })
      const first = await other.post('/v1/outbound-calling', GOOD, body)
      const { call_sid: sid } = (await first.json()) as { call_sid: string }
      const until = async (test: () => boolean | Promise<boolean>) => {
        while (!(await test())) await new Promise((resolve) => setImmediate(resolve))
      }
      await until(() => said.length === 1)
      expect(asked).toEqual([{ sid, to: TALKS, from: NUMBER, metadata, encryption: 'TLS/SRTP' }])
      const begun = own.now()
      await own.pass(4_000)
      speak()
      const list = '/v3/larkspur/shop/conversations?client_env=sandbox&channel=voice&in_progress=false'
      const over = async () =>
        ((await (await other.get(list)).json()) as ConversationPage).conversations.at(0)
      await until(async () => (await over()) !== undefined)
      const time = (ms: number) => new Date(begun + ms).toISOString()
      const turns = (await over())?.turns ?? []
      expect(said).toEqual(['Hello there', 'You said hello?'])
      expect(turns).toMatchObject([
        { user_input: '', user_input_dtmf: '', agent_response_datetime: time(0), is_silence: false },
        {
          user_input: 'hello?',
          user_input_dtmf: '',
          user_input_datetime: time(4_000),
          agent_response: 'You said hello?',
          agent_response_datetime: time(4_000),
        },
        { user_input: '', user_input_dtmf: '12#', agent_response: 'You said 12#', is_silence: false },
        { user_input: '', user_input_dtmf: '', is_silence: true },
      ])
      const chosen = JSON.stringify({ to_number: TALKS, encryption: 'UDP/RTP' })
      await other.post('/v1/outbound-calling', GOOD, chosen)
      await until(() => asked.length === 2)
      expect(asked[1]).toMatchObject({ metadata: {}, encryption: 'UDP/RTP' })
    } finally {
      speak()
      await other.close()
    }
  })
})

/** A carrier whose calls do as told. */
const carrierOf = (call: Carrier['call']): Carrier => ({
  connect: () => () => {},
  send: async () => ({ status: 'accepted', channel: 'sms' }),
  call,
})

/** A database whose statements are waited for, or fail before they are run, and whose transactions fail once committed. */
async function hindered(): Promise<{
  database: Database
  hinder: { before?: ((sql: string) => unknown) | undefined; committed?: (result: unknown) => void }
}> {
  const database = await newDatabase()
  const hinder: Awaited<ReturnType<typeof hindered>>['hinder'] = {}
  const over = (queries: Pick<Database, 'query'>): Pick<Database, 'query'> => ({
    async query<T>(sql: string, params?: readonly unknown[]) {
      await hinder.before?.(sql)
      return queries.query<T>(sql, params)
    },
  })
  return {
    hinder,
    database: {
      ...database,
      ...over(database),
      transaction: async (run) => {
        const result = await database.transaction((tx) =>
          run({
            ...over(tx),
            send(sql, params) {
              hinder.before?.(sql)
              tx.send(sql, params)
            },
          }),
        )
        hinder.committed?.(result)
        return result
      },
    },
  }
}
const failOn = (which: RegExp) => (sql: string) => {
  if (which.test(sql)) throw new Error('Connection terminated unexpectedly')
}

describe('while the database fails for a moment', () => {
  it('a call keeps the end that the carrier reported, and frees its line', async () => {
    const own = handClock()
    const { database, hinder } = await hindered()
    const other = await createWorld({
      clock: own,
      data: { database },
      projects: PROJECTS.map((each) => ({ ...each, callsAtOnce: 1 })),
    })
    try {
      const start = async (to_number: string) => {
        const response = await other.post('/v1/outbound-calling', GOOD, JSON.stringify({ to_number }))
        return ((await response.json()) as { call_sid: string }).call_sid
      }
      const over = async (sid: string) => {
        for (let round = 0; round < 20; round++) {
          const answer = await other.get(`/v1/outbound-calling/${sid}/status`, TOKEN)
          const status = (await answer.json()) as CallStatus
          if (status.status !== 'calling' && status.status !== 'queued') return status
          await own.pass(1_000)
        }
        throw new Error('the call never ends')
      }
      hinder.before = failOn(/UPDATE foyer\.call SET status = \$2/)
      const [busy, next] = [await start('+15005550012'), await start('+15005550013')]
      while (other.log.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      hinder.before = undefined
      expect(await over(busy)).toMatchObject({ status: 'failure', reason: expect.stringContaining('busy') })
      expect(await over(next)).toEqual({ status: 'success', reason: '' })

      // Its answer is lost: nobody knows that the call was taken.
      let lost = 0
      hinder.committed = (result) => {
        if ((result as { status?: string } | undefined)?.status !== 'calling' || lost++ > 0) return
        throw new Error('Connection terminated unexpectedly')
      }
      const unknown = await start(TALKS)
      expect(await over(unknown)).toEqual({
        status: 'failure',
        reason: 'The call was interrupted: the service stopped.',
      })
      expect(lost).toBe(1)
    } finally {
      await other.close()
    }
  })
})

it('what is said in a call after its conversation was ended is not stored, and the call hangs up', async () => {
  let heard: object = {}
  const turns = async () => {
    const response = await other.get('/v3/larkspur/shop/conversations?client_env=sandbox')
    const [conversation] = ((await response.json()) as ConversationPage).conversations
    return { id: conversation?.id ?? '', inputs: conversation?.turns?.map(({ user_input }) => user_input) }
  }
  let over = () => {}
  const isOver = new Promise<void>((resolve) => {
    over = resolve
  })
  const carrier: Carrier = {
    connect: () => () => {},
    send: async () => ({ status: 'accepted', channel: 'sms' }),
    async call(_, line) {
      await line.answered()
      await line.heard({ speech: 'Hello?' })
      await other.runtime.expire((await turns()).id)
      heard = await line.heard({ speech: 'Still there?' })
      over()
      return { status: 'completed' }
    },
  }
  const other = await createWorld({ clock: handClock(), carrier })
  try {
    await other.post('/v1/outbound-calling', GOOD, JSON.stringify({ to_number: '+15005550099' }))
    await isOver
    expect((await turns()).inputs).toEqual(['', 'Hello?'])
    expect(heard).toEqual({ text: '', hangUp: true })
  } finally {
    await other.close()
  }
})

describe('a runtime that closes', () => {
  it.each([
    ['taken from the queue', /SET status = 'calling'/, 0],
    ['given its conversation', /INSERT INTO foyer\.session/, 1],
  ])('places no call that the process is about to place: one just %s', async (_, which, begun) => {
    const { database, hinder } = await hindered()
    const asked: PhoneCall[] = []
    const carrier = carrierOf(async (call) => {
      asked.push(call)
      return { status: 'completed' }
    })
    const other = await createWorld({
      clock: handClock(),
      data: { database: { ...database, close: async () => {} } },
      carrier,
    })
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let reached = () => {}
    const there = new Promise<void>((resolve) => {
      reached = resolve
    })
    hinder.before = (sql) => {
      if (!which.test(sql)) return
      reached()
      return held
    }
    const starting = other.post('/v1/outbound-calling', GOOD, JSON.stringify({ to_number: TALKS }))
    await there
    const closing = other.runtime.close()
    release()
    await closing
    hinder.before = undefined
    await starting.catch(() => {})
    expect(asked).toEqual([])
    const rows = await database.query('SELECT status, reason FROM foyer.call')
    expect(rows).toEqual([{ status: 'failure', reason: 'The call was interrupted: the service stopped.' }])
    const conversations = await database.query<{ over: boolean }>(
      'SELECT ended_at IS NOT NULL AS over FROM foyer.conversation',
    )
    expect(conversations).toEqual(Array(begun).fill({ over: true }))
    await other.close()
    await database.close()
  })

  it('does not wait for a carrier that ignores the abort signal', async () => {
    const base = handClock()
    const quick: Clock = {
      now: base.now,
      after: (ms, fn) => {
        const timer = setTimeout(fn, ms / 50)
        return () => clearTimeout(timer)
      },
    }
    let asked = () => {}
    const ringing = new Promise<void>((resolve) => {
      asked = resolve
    })
    const carrier = carrierOf(() => {
      asked()
      return new Promise(() => {})
    })
    const other = await createWorld({ clock: quick, data: await newData(), carrier })
    await other.post('/v1/outbound-calling', GOOD, JSON.stringify({ to_number: TALKS }))
    await ringing
    await other.close()
  })
})

describe('many calls', () => {
  it('wait in the queue while the account has no free line, and fail with a reason after the longest wait', async () => {
    const own = handClock()
    const busy = await createWorld({
      clock: own,
      ringMs: 1_000_000,
      projects: PROJECTS.map((each) => ({ ...each, callsAtOnce: 1 })),
      settings: { callQueueSeconds: 30 },
    })
    try {
      const start = async (token: string, to_number: string) => {
        const headers = { 'x-svc-auth-token': token, 'content-type': 'application/json' }
        const response = await busy.post('/v1/outbound-calling', headers, JSON.stringify({ to_number }))
        return ((await response.json()) as { call_sid: string }).call_sid
      }
      const read = async (token: string, sid: string) =>
        (await (
          await busy.get(`/v1/outbound-calling/${sid}/status`, { 'x-svc-auth-token': token })
        ).json()) as CallStatus
      const first = await start('calling-token', TALKS)
      const second = await start('calling-token', TALKS)
      const others = await start('other-calling', TALKS)
      await own.pass(2_000)
      // Another process may place the call, which takes the time of that process.
      const isCalling = (token: string, sid: string) =>
        vi.waitFor(async () => expect((await read(token, sid)).status).toBe('calling'))
      await isCalling('calling-token', first)
      await isCalling('other-calling', others)
      expect((await read('calling-token', second)).status).toBe('queued')
      await own.pass(30_000)
      expect(await read('calling-token', second)).toEqual({
        status: 'failure',
        reason: 'The call waited in the queue for too long.',
      })
    } finally {
      await busy.close()
    }
  })

  it('of one account are limited per minute', async () => {
    const limited = await createWorld({
      clock: handClock(),
      projects: PROJECTS.map((each) => ({ ...each, callsPerMinute: 1 })),
    })
    try {
      const ask = (token = 'calling-token') =>
        limited.post(
          '/v1/outbound-calling',
          { ...GOOD, 'x-svc-auth-token': token },
          JSON.stringify({ to_number: '+15005550012' }),
        )
      expect((await ask()).status).toBe(200)
      // Of another account, and of another project of this one.
      expect((await ask('other-calling')).status).toBe(200)
      expect((await ask('twin-calling')).status).toBe(429)
      const second = await ask()
      expect([second.status, await second.json()]).toEqual([
        429,
        { error: expect.any(String), code: expect.any(String) },
      ])
      expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0)
    } finally {
      await limited.close()
    }
  })
})
