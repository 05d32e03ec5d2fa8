// What is stored, and what is not: cards, secrets, and what is to be forgotten.

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ConversationPage } from '../../src/api/index.ts'
import type { Database } from '../../src/runtime/index.ts'
import { type HandClock, handClock } from './clock.ts'
import { everyRow, newDatabase } from './store.ts'
import { createWorld, KEYS, NUMBER, plainNumber } from './world.ts'

const CARD = '4111 1111 1111 1111'
const MASKED = '•••• •••• •••• 1111'
const TEXT = {
  'x-svc-auth-token': 'all-key',
  'x-token-id': 'CON-test0001',
  'content-type': 'application/json',
}
const CALL = { 'x-svc-auth-token': 'calling-token', 'content-type': 'application/json' }
const TALKS = '+15005550010'
let clock: HandClock
let database: Database
let world: Awaited<ReturnType<typeof createWorld>>
beforeAll(async () => {
  clock = handClock()
  database = await newDatabase()
  world = await createWorld({
    clock,
    settings: { retentionDays: 2 },
    ...(database && { data: { database } }),
  })
})
afterAll(() => world.close())

async function conversations(query = '') {
  const response = await world.get(`/v3/larkspur/shop/conversations?client_env=sandbox${query}`)
  return ((await response.json()) as ConversationPage).conversations
}
const conversationOf = async (id: string) => (await conversations()).find((one) => one.id === id)
const send = (body: object) => world.post('/v1/outbound-sms', TEXT, JSON.stringify(body))
/** Lets seconds go by, in which what is due is done, until it is so. */
const passUntil = (done: () => Promise<boolean>) =>
  vi.waitFor(async () => {
    await clock.pass(1_000)
    expect(await done()).toBe(true)
  })
const of = async (number: string) =>
  (await conversations()).filter(({ from_number }) => from_number === number)
/** Resolves once a conversation of the number has so many turns, and an answer in the last of them. */
const answered = (number: string, turns: number) =>
  passUntil(async () =>
    (await of(number)).some((each) => each.turns?.length === turns && !!each.turns.at(-1)?.agent_response),
  )
/** Resolves once the call to the number is over. */
const called = (number: string) =>
  passUntil(async () =>
    (await of(number)).some(({ channel, in_progress }) => channel === 'VOICE-SIP' && !in_progress),
  )

describe('a card number', () => {
  it('in a chat is masked on the wire and in the log, even when chunks split the number', async () => {
    const { sessionId, client } = await world.joined({ streaming_enabled: true })
    client.say(`my card is ${CARD}`)
    const echo = await client.event('EVENT_TYPE_USER_MESSAGE')
    expect(echo.payload.text).toBe(`my card is ${MASKED}`)
    const said = await client.until(() => {
      const chunks = client.events().filter(({ type }) => type === 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK')
      const text = chunks.map(({ payload }) => payload.text).join('')
      return text.includes('1111') && text
    })
    expect(said).toContain(`You said my card is ${MASKED}`)
    client.say('done')
    await client.event('EVENT_TYPE_USER_MESSAGE', ({ payload }) => payload.text === 'done')
    expect((await conversationOf(sessionId))?.turns?.[1]).toMatchObject({
      user_input: `my card is ${MASKED}`,
      agent_response: `You said my card is ${MASKED}`,
    })
  })

  it('in what a page attaches to an event is masked, names and values, in every kind of event that is stored', async () => {
    const { client } = await world.joined()
    const attach = async (type: string, payload: object, stored = type) => {
      const client_event_id = `id-of-${type}`
      client.send(type, payload, { client_event_id, note: `card ${CARD}`, [`card ${CARD}`]: 'yes' })
      const echo = await client.event(
        stored,
        ({ metadata }) => metadata?.custom.client_event_id === client_event_id,
      )
      expect(echo.metadata?.custom).toEqual({
        client_event_id,
        note: `card ${MASKED}`,
        [`card ${MASKED}`]: 'yes',
      })
    }
    await attach('EVENT_TYPE_USER_MESSAGE', { text: 'hi' })
    await attach('EVENT_TYPE_CSAT_RESPONSE', { score: 5 })
    await attach('EVENT_TYPE_USER_END_SESSION', {})
  })

  it('in what a page attaches to the join is masked', async () => {
    const token = await world.accessToken()
    const client = await world.connect(await world.session(token), token)
    client.send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN', {}, { note: CARD })
    const joined = await client.event('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN')
    expect(joined.metadata?.custom).toEqual({ note: MASKED })
  })

  it('in the data of a handoff is masked', async () => {
    const { sessionId, client } = await world.joined()
    client.say(`desk ${CARD}`)
    await client.event('EVENT_TYPE_HANDOFF_ACCEPTED')
    const response = await world.get(`/v1/larkspur/shop/handoff_state?id=${sessionId}`)
    expect(await response.json()).toMatchObject({ data: { words: `desk ${MASKED}` } })
    await world.runtime.expire(sessionId)
  })

  it('in SMS and RCS, to and from a phone, is masked', async () => {
    const number = plainNumber(90)
    await send({ user_number: number, message: `charged to ${CARD}` })
    await world.carrier.write(number, NUMBER, { text: `no, to ${CARD}` })
    await answered(number, 2)
    const [conversation] = await of(number)
    expect(conversation?.turns?.map((turn) => [turn.user_input, turn.agent_response])).toEqual([
      ['', `charged to ${MASKED}`],
      [`no, to ${MASKED}`, `You said no, to ${MASKED}`],
    ])
    await passUntil(async () => world.carrier.outbox().filter(({ to }) => to === number).length === 2)
    const received = JSON.stringify(world.carrier.outbox().filter(({ to }) => to === number))
    expect(received).toContain(MASKED)
    expect(received).not.toContain(CARD)
  })

  it('in the metadata of a call is masked', async () => {
    const body = { to_number: '+15005551001', metadata: { card: CARD } }
    await world.post('/v1/outbound-calling', CALL, JSON.stringify(body))
    await called(body.to_number)
    const [conversation] = await of(body.to_number)
    expect(conversation?.turns?.[1]?.agent_response).toContain(`"card":"${MASKED}"`)
  })

  it('is in no row of the database', async () => {
    const rows = await everyRow(database)
    expect(rows.includes(MASKED)).toBe(true)
    expect(rows.replace(/[ .-]/g, '').includes('4111111111111111')).toBe(false)
  })
})

describe('a secret', () => {
  it('is in no row of the database', async () => {
    const rows = await everyRow(database)
    const secrets = [...KEYS.map(({ secret }) => secret), 'connector-secret', await world.accessToken()]
    expect(secrets.filter((secret) => rows.includes(secret))).toEqual([])
  })

  it('is in no line of the log', async () => {
    await world.get('/v3/larkspur/shop/conversations?limit=0', { 'x-api-key': 'wrong-canary' })
    await world.post('/v1/outbound-sms', { ...TEXT, 'x-svc-auth-token': 'wrong-canary' }, '{')
    const log = world.log.join('\n')
    for (const secret of ['wrong-canary', 'all-key', 'calling-token', 'connector-secret'])
      expect(log).not.toContain(secret)
  })

  it('of a connector that was revoked ends its access tokens, and those of no other connector', async () => {
    const { commands } = world.runtime
    const owner = { accountId: 'ws-test0001', projectId: 'PROJECT-test0001', environment: 'sandbox' }
    const { connector, token } = await commands.createConnector({ ...owner, host: 'shop.example.com' })
    const open = async (connectorToken: string) => {
      const access_token = await world.accessToken(connectorToken)
      return { access_token, session_id: await world.session(access_token) }
    }
    const [revoked, kept] = [await open(token), await open('connector-secret')]
    expect(await commands.revokeConnector(connector.id)).toBe(true)
    expect(await world.refusal(revoked)).toMatchObject({ status: 401 })
    const client = await world.connect(kept.session_id, kept.access_token)
    await client.event('EVENT_TYPE_SESSION_START')
  })

  it('of a revoked connector ends the tokens of sessions that may still be told again, and locks none that ended before', async () => {
    const { commands } = world.runtime
    const owner = { accountId: 'ws-test0001', projectId: 'PROJECT-test0001', environment: 'sandbox' }
    const { connector, token } = await commands.createConnector({ ...owner, host: 'shop.example.com' })
    const open = async () => world.session(await world.accessToken(token))
    const [living, ended, past] = [await open(), await open(), await open()]
    const end = (id: string, minutes: number) =>
      database.query(
        `UPDATE foyer.conversation SET started_at = now() - interval '1 hour',
           ended_at = now() - $2::integer * interval '1 minute' WHERE id = $1`,
        [id, minutes],
      )
    await end(ended, 9)
    await end(past, 12)
    const tokens = async () => {
      const rows = await database.query<{ id: string; token_id: string }>(
        'SELECT id, token_id FROM foyer.session WHERE connector_id = $1',
        [connector.id],
      )
      return rows.filter(({ token_id }) => token_id !== '').map(({ id }) => id)
    }
    expect((await tokens()).sort()).toEqual([living, ended, past].sort())
    await commands.revokeConnector(connector.id)
    expect(await tokens()).toEqual([past])
  })

  it('that was revoked is refused', async () => {
    const { commands } = world.runtime
    const { key, secret } = await commands.createKey({ accountId: 'ws-test0001', region: 'euw-1' })
    const ask = () => world.get('/v3/larkspur/shop/conversations?limit=1', { 'x-api-key': secret })
    expect((await ask()).status).toBe(200)
    await commands.revokeKey(key.id)
    expect((await ask()).status).toBe(401)
  })
})

describe('erasing', () => {
  it('removes one conversation at once, with everything that belongs to the conversation', async () => {
    const { sessionId, client, token } = await world.joined()
    client.say('desk ticket-of-ours')
    await client.event('EVENT_TYPE_HANDOFF_ACCEPTED')
    expect(await world.runtime.commands.eraseConversation(sessionId)).toBe(true)
    expect(await world.runtime.commands.eraseConversation(sessionId)).toBe(false)
    expect(await conversationOf(sessionId)).toBeUndefined()
    expect((await world.get(`/v1/larkspur/shop/handoff_state?id=${sessionId}`)).status).toBe(404)
    expect(await world.refusal({ session_id: sessionId, access_token: token })).toMatchObject({ status: 404 })
    expect(await world.desk.entries()).toEqual([])
    if (database) expect((await everyRow(database)).includes(sessionId)).toBe(false)
  })

  it('removes one number at once, with its conversations, messages and calls', async () => {
    const number = plainNumber(91)
    await send({ user_number: number, message: 'Hello' })
    await world.carrier.write(number, NUMBER, { text: 'hi' })
    await world.post('/v1/outbound-calling', CALL, JSON.stringify({ to_number: number }))
    await answered(number, 2)
    await called(number)
    expect(await of(number)).toHaveLength(2)
    expect(await world.runtime.commands.eraseNumber(number)).toBe(2)
    expect(await of(number)).toEqual([])
    if (database) expect((await everyRow(database)).includes(number)).toBe(false)
  })

  it('removes the consent of a number that never had a conversation', async () => {
    const number = plainNumber(92)
    await world.carrier.write(number, NUMBER, { text: 'STOP' })
    expect(await everyRow(database)).toContain(number)
    expect(await world.runtime.commands.eraseNumber(number)).toBe(0)
    expect(await everyRow(database)).not.toContain(number)
  })

  it('removes the events of a chat a day after its end, and its turns stay', async () => {
    const ended = await world.chat(['over, but logged'])
    const ofChat = `FROM foyer.event WHERE session_id = '${ended.sessionId}'`
    const events = async () => (await database?.query(`SELECT 1 ${ofChat}`))?.length
    const before = await conversationOf(ended.sessionId)
    await clock.leap(86_000_000)
    await clock.leap(301_000)
    expect(await events()).toBeGreaterThan(1)
    await clock.leap(400_000)
    await passUntil(async () => (await events()) === 0)
    expect(await conversationOf(ended.sessionId)).toEqual(before)
    await world.runtime.commands.eraseConversation(ended.sessionId)
  })

  it('removes conversations after the retention, and keeps active ones', async () => {
    const ended = await world.chat(['over'])
    await world.post('/v1/outbound-calling', CALL, JSON.stringify({ to_number: TALKS }))
    await called(TALKS)
    await clock.leap(86_400_000)
    const open = await world.chat(['not over'], { open: true })
    expect(await conversationOf(ended.sessionId)).toBeDefined()
    await clock.leap(86_400_000 + 300_000)
    await passUntil(async () => (await conversationOf(ended.sessionId)) === undefined)
    const left = await conversations()
    expect(left.map(({ id }) => id)).toContain(open.sessionId)
    expect(left.map(({ id }) => id)).not.toContain(ended.sessionId)
    if (database) expect((await everyRow(database)).includes(ended.sessionId)).toBe(false)
  })
})
