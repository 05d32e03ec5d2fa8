// All nine parts through the typed client: what it sends is what the service takes, what it throws is what the
// service said.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Conversation } from '../../src/client/answers.ts'
import {
  CallsFailure,
  ChatFailure,
  type Client,
  ClientError,
  type ClientOptions,
  ConversationsFailure,
  createClient,
  HandoffFailure,
  SmsFailure,
} from '../../src/client/package.ts'
import { type HandClock, handClock } from './clock.ts'
import { createWorld, NUMBER, plainNumber, richNumber } from './world.ts'

const START = 1_800_000_000_000
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString()
const PROJECT = { account_id: 'larkspur', project_id: 'shop' }
const TIMEOUT_MS = 600_000
const SANDBOX = { ...PROJECT, client_env: 'sandbox' } as const
const RANGE = { start_time: at(0), end_time: at(86_400) }
let clock: HandClock
let world: Awaited<ReturnType<typeof createWorld>>
let client: Client
const connect = (options: Partial<ClientOptions> = {}) =>
  createClient({
    apiUrl: world.base,
    chatUrl: world.base,
    apiKey: 'all-key',
    authToken: 'calling-token',
    connectorId: 'CON-test0001',
    connectorToken: 'connector-secret',
    host: 'shop.example.com',
    fetch: world.fetch,
    timeoutMs: TIMEOUT_MS,
    // While it pauses, time goes by; while it only waits for an answer, none does.
    clock: {
      now: clock.now,
      after(ms, fn) {
        if (ms === TIMEOUT_MS) return () => {}
        let undone = false
        void clock.pass(ms).then(() => undone || fn())
        return () => {
          undone = true
        }
      },
    },
    ...options,
  })
beforeAll(async () => {
  clock = handClock(START)
  world = await createWorld({ clock })
  client = connect()
})
afterAll(() => world.close())

/** What a call rejects with. */
async function failure(call: Promise<unknown>): Promise<ClientError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ClientError)) throw new Error(`no ClientError, but ${String(error)}`)
  return error
}

describe('the chat family', () => {
  it('gets an access token and a session, and a socket connects to that session', async () => {
    const token = await client.chat.accessToken()
    expect(token).toEqual({
      access_token: expect.any(String),
      expires_in: expect.any(Number),
      token_type: 'Bearer',
    })
    const { access_token } = token
    const { session_id } = await client.chat.createSession({
      access_token,
      platform: 'ios-web',
      streaming_enabled: true,
    })
    const socket = await world.connect(session_id, access_token)
    const start = await socket.event('EVENT_TYPE_SESSION_START')
    expect(start.payload).toMatchObject({ capabilities: { streaming: true } })
    socket.send('EVENT_TYPE_USER_END_SESSION')
    await socket.event('EVENT_TYPE_SESSION_END')
  })

  it('rejects with the service’s reason', async () => {
    const refused = await failure(connect({ host: 'other.example.com' }).chat.accessToken())
    expect(refused).toBeInstanceOf(ChatFailure)
    expect(refused).toMatchObject({ status: 401, retryable: false })
    expect(refused.message).toContain('Failed to validate connector')
    expect(refused.message).not.toContain('connector-secret')
    const unknown = await failure(client.chat.createSession({ access_token: 'a.b.c' }))
    expect(unknown).toMatchObject({ status: 401 })
  })
})

describe('conversations', () => {
  const ids: string[] = []
  beforeAll(async () => {
    for (const text of ['a broken bicycle', 'a lost parcel', 'write', 'a red bicycle', 'good evening']) {
      ids.unshift((await world.chat([text])).sessionId)
      await clock.pass(2_000)
    }
  })
  const idsOf = (conversations: readonly Conversation[]) => conversations.map(({ id }) => id)

  it('are listed, filtered and paged', async () => {
    const first = await client.conversations.list({ ...SANDBOX, limit: 2, in_progress: false })
    expect(idsOf(first.conversations)).toEqual(ids.slice(0, 2))
    const next = await client.conversations.list({
      ...SANDBOX,
      limit: 2,
      in_progress: false,
      cursor: first.cursor ?? '',
    })
    expect(idsOf(next.conversations)).toEqual(ids.slice(2, 4))
    const none = await client.conversations.list({ ...SANDBOX, channel: ['voice', 'sms'] })
    expect(none.conversations).toEqual([])
  })

  it('are iterated to the end', async () => {
    const all: Conversation[] = []
    for await (const one of client.conversations.iterate({ ...SANDBOX, limit: 2 })) all.push(one)
    expect(idsOf(all)).toEqual(expect.arrayContaining(ids))
    expect(new Set(idsOf(all)).size).toBe(all.length)
  })

  it('are found by transcript search and by semantic search', async () => {
    const found = await client.conversations.search({
      ...SANDBOX,
      ...RANGE,
      query_type: 'transcript',
      query: 'bicycle',
      turn_type: 'user',
    })
    expect(idsOf(found.conversations).toSorted()).toEqual([ids[1], ids[4]].toSorted())
    await clock.pass(10_000)
    const meant = await client.conversations.search({
      ...SANDBOX,
      ...RANGE,
      query_type: 'semantic',
      query: 'my bicycle is broken',
    })
    expect(idsOf(meant.conversations)[0]).toBe(ids[4])
  })

  it('are sampled', async () => {
    const { conversations } = await client.conversations.sample({ ...SANDBOX, ...RANGE, limit: 3 })
    expect(new Set(idsOf(conversations)).size).toBe(3)
  })

  it('reject with the service’s message and correlation id', async () => {
    const forbidden = await failure(connect({ apiKey: 'other-key' }).conversations.list(SANDBOX))
    expect(forbidden).toBeInstanceOf(ConversationsFailure)
    expect(forbidden).toMatchObject({ status: 403, code: 'USER_ACCESS_FORBIDDEN', retryable: false })
    expect(forbidden.correlationId).toMatch(/^[\w-]{36}$/)
    const unknown = await failure(client.conversations.list({ ...SANDBOX, project_id: 'nothing' }))
    expect(unknown).toMatchObject({ status: 404, code: 'PROJECT_NOT_FOUND' })
  })
})

describe('concurrency', () => {
  it('has a window for every 5 minutes', async () => {
    const { intervals, project_id } = await client.concurrency.query({
      ...SANDBOX,
      start_time: at(1),
      end_time: at(599),
    })
    expect(project_id).toBe('PROJECT-test0001')
    expect(intervals.map(({ time }) => Date.parse(time))).toEqual([START, START + 300_000])
  })

  it('rejects for a reserved value', async () => {
    const reserved = client.concurrency.query({ ...SANDBOX, ...RANGE, slice_by: 'language' } as never)
    await expect(reserved).rejects.toThrow('slice_by')
  })
})

describe('SMS, RCS and calls', () => {
  it('a message reaches a phone, by SMS and by RCS', async () => {
    await client.sms.send({ user_number: plainNumber(1), message: 'Hello' })
    await client.sms.send({
      user_number: `rcs:${richNumber(1)}` as const,
      messaging_service_sid: 'MG-test0001',
      message: 'Hello',
    })
    await clock.pass(2_000)
    expect(world.carrier.screen(plainNumber(1))).toMatchObject([
      { channel: 'sms', with: NUMBER, text: 'Hello' },
    ])
    expect(world.carrier.screen(richNumber(1))).toMatchObject([{ channel: 'rcs', text: 'Hello' }])
  })

  it('sending a message rejects when the service refuses it', async () => {
    const refused = await failure(
      client.sms.send({ user_number: plainNumber(1), agent_number: '+15005550009', message: 'Hello' }),
    )
    expect(refused).toBeInstanceOf(SmsFailure)
    expect(refused).toMatchObject({ status: 400 })
    const nobody = await failure(connect({ connectorId: 'CON-nobody00' }).sms.send({ user_number: NUMBER }))
    expect(nobody).toMatchObject({ status: 404 })
  })

  it('wait resolves when the call has ended', async () => {
    const { call_sid } = await client.calls.start({ to_number: '+15005550012', metadata: { order: '17' } })
    expect((await client.calls.status(call_sid)).status).toMatch(/queued|calling|failure/)
    expect(await client.calls.wait(call_sid)).toEqual({ status: 'failure', reason: 'The line is busy.' })
    const unknown = await failure(client.calls.status('OUT-nobody'))
    expect(unknown).toBeInstanceOf(CallsFailure)
    expect(unknown).toMatchObject({ status: 404, code: 'CALL_NOT_FOUND', retryable: false })
  })
})

describe('handoff', () => {
  it('has the data that the agent stored', async () => {
    const { sessionId, client: visitor } = await world.chat([], { open: true })
    visitor.say('desk ticket-9')
    await visitor.event('EVENT_TYPE_HANDOFF_ACCEPTED')
    const state = {
      id: sessionId,
      shared_id: 'ticket-9',
      data: expect.objectContaining({ words: 'desk ticket-9' }),
    }
    expect(await client.handoff.get({ ...PROJECT, id: sessionId })).toEqual(state)
    expect(await client.handoff.get({ ...PROJECT, shared_id: 'ticket-9' })).toEqual(state)
    const none = await failure(client.handoff.get({ ...PROJECT, id: 'nobody' }))
    expect(none).toBeInstanceOf(HandoffFailure)
    expect(none).toMatchObject({ status: 404 })
  })
})

it('the client waits as long as Retry-After says, then retries a request that the rate limit refused', async () => {
  const token = await client.chat.accessToken()
  const make = () => client.chat.createSession({ access_token: token.access_token })
  const before = clock.now()
  const sessions = new Set<string>()
  for (let count = 0; count <= 60; count++) sessions.add((await make()).session_id)
  expect(sessions.size).toBe(60 + 1)
  // The limit was met, and time went by until it was over.
  expect(clock.now()).toBeGreaterThan(before)
}, 90_000)
