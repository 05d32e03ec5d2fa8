// Part 8, and the desk behind it: what an agent stores at a handoff, and the person who takes over.

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ConversationPage } from '../../src/api/index.ts'
import { type HandClock, handClock } from './clock.ts'
import { createWorld, NUMBER, plainNumber } from './world.ts'

const PATH = '/v1/ws-test0001/PROJECT-test0001/handoff_state'
const SARAH = { id: 'sarah', name: 'Sarah' }
const WAITING = 'Your message is kept. The person who joins will read it.'
const OMAR = { id: 'omar', name: 'Omar' }
let clock: HandClock
let world: Awaited<ReturnType<typeof createWorld>>
beforeAll(async () => {
  clock = handClock()
  world = await createWorld({ clock, settings: { deskWaitSeconds: 300 } })
})
afterAll(() => world.close())

/** The messages of a conversation, as the desk sees them. */
const said = async (id: string) =>
  (await world.desk.lines(id)).flatMap((line) =>
    line.from === 'event' || line.from === 'note' ? [] : [line],
  )
const state = (query: string, headers?: Record<string, string>, path = PATH) =>
  world.get(`${path}?${query}`, headers)

/** A chat whose agent has handed it to the desk. */
async function handedOff(sharedId = '') {
  // Who comes in the same millisecond has no order.
  await clock.pass(1)
  const { client, sessionId, token } = await world.chat([], { open: true })
  client.say(sharedId ? `desk ${sharedId}` : 'desk')
  await client.event('EVENT_TYPE_HANDOFF_QUEUE_STATUS')
  return { client, sessionId, token }
}
type Client = Awaited<ReturnType<typeof handedOff>>['client']

describe('a phone user who waits for a live agent', () => {
  it('is told once per wait that the messages are kept', async () => {
    const phone = plainNumber(77)
    const texts = () =>
      world.carrier
        .screen(phone)
        .filter(({ direction, text }) => direction === 'in' && text === WAITING)
        .map(({ text }) => text)
    /** Lets a second go by, in which what is due leaves. */
    const until = async (holds: () => boolean) => {
      for (let round = 0; round < 60 && !holds(); round++) {
        await clock.pass(1_000)
        await new Promise((resolve) => setImmediate(resolve))
      }
      expect(holds()).toBe(true)
    }
    const entry = async () => (await world.desk.entries()).find(({ channel }) => channel === 'SMS')
    await world.carrier.write(phone, NUMBER, { text: 'desk' })
    for (let round = 0; round < 60 && !(await entry()); round++) await clock.pass(1_000)
    const id = (await entry())?.id ?? ''
    expect(id).not.toBe('')
    expect(texts()).toEqual([])
    await world.carrier.write(phone, NUMBER, { text: 'Is anybody there?' })
    await until(() => texts().length === 1)
    await world.carrier.write(phone, NUMBER, { text: 'Hello?' })
    await clock.pass(5_000)
    expect(texts()).toHaveLength(1)
    // Whoever is talking to a person is not told to wait for one.
    await world.desk.take(id, SARAH)
    await world.carrier.write(phone, NUMBER, { text: 'Thanks' })
    await clock.pass(5_000)
    expect(texts()).toHaveLength(1)
    await world.desk.transfer(id, SARAH.id, 'support')
    await world.carrier.write(phone, NUMBER, { text: 'And now?' })
    await until(() => texts().length === 2)
    await world.desk.take(id, SARAH)
    await world.desk.leave(id, SARAH.id, true)
  })
})

describe('the handoff state', () => {
  it('is the data that the agent stored at the handoff', async () => {
    const { sessionId } = await handedOff()
    const response = await state(`id=${sessionId}`)
    expect([response.status, await response.json()]).toEqual([
      200,
      { id: sessionId, data: { customer: { number: 17 }, words: 'desk' } },
    ])
  })

  it('stays the same after the conversation has continued and ended', async () => {
    const { client, sessionId } = await handedOff('ticket-0')
    const before = await (await state(`id=${sessionId}`)).json()
    await world.desk.take(sessionId, SARAH)
    client.say('one more thing')
    await client.event('EVENT_TYPE_USER_MESSAGE', ({ payload }) => payload.text === 'one more thing')
    expect(await world.desk.leave(sessionId, SARAH.id, true)).toBe(true)
    await client.event('EVENT_TYPE_SESSION_END')
    expect(await (await state(`id=${sessionId}`)).json()).toEqual(before)
  })

  it('has the shared id that the agent stored, and is found by it', async () => {
    const { sessionId } = await handedOff('ticket-1')
    const byShared = await (await state('shared_id=ticket-1')).json()
    expect(byShared).toMatchObject({ id: sessionId, shared_id: 'ticket-1' })
    expect(await (await state(`id=${sessionId}`)).json()).toEqual(byShared)
  })

  it('is found by the shared id when the request has both ids', async () => {
    const first = await handedOff('ticket-2')
    const second = await handedOff('ticket-3')
    expect(await (await state(`id=${first.sessionId}&shared_id=ticket-3`)).json()).toMatchObject({
      id: second.sessionId,
    })
    expect((await state(`id=${first.sessionId}&shared_id=nobody`)).status).toBe(404)
  })

  it('is the newest of those with the same shared id', async () => {
    await handedOff('ticket-4')
    await clock.pass(1_000)
    const { sessionId } = await handedOff('ticket-4')
    expect(await (await state('shared_id=ticket-4')).json()).toMatchObject({ id: sessionId })
  })

  it('exists too when the page itself routes the visitor', async () => {
    const { client, sessionId } = await world.chat([], { open: true })
    client.say('route')
    const required = await client.event('EVENT_TYPE_CLIENT_HANDOFF_REQUIRED')
    expect(required.payload).toMatchObject({ reason: 'POLICY', queue_name: 'branch', route: '/contact' })
    expect(await (await state(`id=${sessionId}`)).json()).toEqual({
      id: sessionId,
      data: { page: '/contact' },
    })
  })

  it('accepts IDs and slugs of account and project', async () => {
    const { sessionId } = await handedOff()
    for (const path of ['/v1/larkspur/shop/handoff_state', '/v1/ws-test0001/shop/handoff_state'])
      expect((await state(`id=${sessionId}`, undefined, path)).status).toBe(200)
  })

  it.each([
    ['neither id', '', {}, PATH, 400],
    ['an empty id', 'id=', {}, PATH, 400],
    ['an id given twice', 'id=a&id=b', {}, PATH, 400],
    ['an id nobody has', 'id=nobody', {}, PATH, 404],
    ['no key', 'id=a', { 'x-api-key': '' }, PATH, 401],
    ['an unknown key', 'id=a', { 'x-api-key': 'nobody' }, PATH, 401],
    ['a build key', 'id=a', { 'x-api-key': 'build-key' }, PATH, 401],
    ['a key of another account', 'id=a', { 'x-api-key': 'other-key' }, PATH, 403],
    ['a key of another region', 'id=a', { 'x-api-key': 'us-key' }, PATH, 403],
    ['a key without the permission', 'id=a', { 'x-api-key': 'conversations-key' }, PATH, 403],
    ['a project nobody has', 'id=a', {}, '/v1/larkspur/nothing/handoff_state', 404],
  ])('is refused with %s', async (_, query, headers, path, status) => {
    const given = Object.entries({ 'x-api-key': 'all-key', ...headers }).filter(([, value]) => value !== '')
    const response = await state(query, Object.fromEntries(given), path)
    expect([response.status, await response.json()]).toEqual([status, { error_message: expect.any(String) }])
  })

  it('of another project is not returned', async () => {
    const { sessionId } = await handedOff('ticket-5')
    for (const query of [`id=${sessionId}`, 'shared_id=ticket-5'])
      expect((await state(query, undefined, '/v1/larkspur/twin/handoff_state')).status).toBe(404)
  })

  it('of a conversation that was not handed off does not exist', async () => {
    const { sessionId } = await world.chat(['hi'])
    expect((await state(`id=${sessionId}`)).status).toBe(404)
  })

  it('is read-only', async () => {
    const response = await world.ask('POST', PATH, { 'x-api-key': 'all-key' })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET'])
  })
})

describe('at the desk', () => {
  /** The last place that a client was told, once it is this one. */
  const placed = (client: Client, position: number) =>
    client.until(() => {
      const last = client.events().findLast(({ type }) => type === 'EVENT_TYPE_HANDOFF_QUEUE_STATUS')?.payload
      return last?.position_in_queue === position && last
    })
  const typesFrom = (client: Client, type: string) => {
    const types = client.events().flatMap((event) => (event.sequence === null ? [] : [event.type]))
    return types.slice(types.indexOf(type))
  }

  beforeEach(async () => {
    for (const { id } of await world.desk.entries()) await world.runtime.expire(id)
  })

  it('a visitor waits in order, a live agent takes the conversation, both talk, and the visitor learns of the end', async () => {
    const { client, sessionId } = await handedOff('ticket-6')
    const [entry, ...others] = await world.desk.entries()
    expect(others).toEqual([])
    expect(entry).toMatchObject({
      id: sessionId,
      channel: 'WEBCHAT',
      queue: 'support',
      state: 'waiting',
      data: { customer: { number: 17 } },
    })
    expect((await said(sessionId)).map(({ from, text }) => [from, text])).toEqual([
      ['agent', 'Hello there'],
      ['visitor', 'desk ticket-6'],
      ['agent', 'One moment'],
    ])
    expect(await world.desk.take(sessionId, SARAH)).toBe(true)
    const joined = await client.event('EVENT_TYPE_LIVE_AGENT_JOINED')
    expect(joined.payload).toEqual({ agent: SARAH })

    // A bus may lose a signal; the next one arrives.
    await vi.waitFor(
      async () => {
        await world.desk.type(sessionId, SARAH.id, true)
        expect(client.events()).toContainEqual(
          expect.objectContaining({
            type: 'EVENT_TYPE_LIVE_AGENT_TYPING',
            sequence: null,
            payload: { state: 'TYPING_STATE_STARTED', agent_id: 'sarah', agent_name: 'Sarah' },
          }),
        )
      },
      { interval: 200, timeout: 40_000 },
    )
    expect(await world.desk.answer(sessionId, SARAH.id, 'How can I help?')).toBe(true)
    const answer = await client.event('EVENT_TYPE_LIVE_AGENT_MESSAGE')
    expect(answer.payload).toMatchObject({ text: 'How can I help?', agent_id: 'sarah', agent_name: 'Sarah' })

    client.say('with my order')
    await client.event('EVENT_TYPE_USER_MESSAGE', ({ payload }) => payload.text === 'with my order')
    expect((await said(sessionId)).at(-1)).toMatchObject({
      from: 'visitor',
      text: 'with my order',
    })
    expect(await world.desk.leave(sessionId, SARAH.id, true)).toBe(true)
    expect((await client.event('EVENT_TYPE_SESSION_END')).payload).toEqual({ reason: 'REASON_NATURAL_END' })
    expect(typesFrom(client, 'EVENT_TYPE_POLY_AGENT_TRIGGERED_HANDOFF')).toEqual([
      'EVENT_TYPE_POLY_AGENT_TRIGGERED_HANDOFF',
      'EVENT_TYPE_POLY_AGENT_LEFT',
      'EVENT_TYPE_HANDOFF_ACCEPTED',
      'EVENT_TYPE_HANDOFF_QUEUE_STATUS',
      'EVENT_TYPE_LIVE_AGENT_JOINED',
      'EVENT_TYPE_LIVE_AGENT_MESSAGE',
      'EVENT_TYPE_USER_MESSAGE',
      'EVENT_TYPE_LIVE_AGENT_LEFT',
      'EVENT_TYPE_SHOW_CSAT_REQUEST',
      'EVENT_TYPE_SESSION_END',
    ])
    expect(await world.desk.entries()).toEqual([])

    const response = await world.get('/v3/larkspur/shop/conversations?client_env=sandbox&limit=50')
    const { conversations } = (await response.json()) as ConversationPage
    expect(conversations.find(({ id }) => id === sessionId)).toMatchObject({
      in_progress: false,
      handoff: true,
      handoff_reason: 'asked for it',
      handoff_destination: 'support',
    })
  })

  it('visitors move up, and each learns the new place and the estimated wait', async () => {
    const first = await handedOff()
    const second = await handedOff()
    expect(await placed(first.client, 1)).toMatchObject({ queue_name: 'support' })
    const waiting = await placed(second.client, 2)
    expect(Number(waiting.estimated_wait_seconds)).toBeGreaterThan(0)
    await world.desk.take(first.sessionId, SARAH)
    await placed(second.client, 1)
  })

  it('only one live agent takes a conversation', async () => {
    const { sessionId } = await handedOff()
    const taken = await Promise.all([SARAH, OMAR].map((agent) => world.desk.take(sessionId, agent)))
    expect(taken.toSorted()).toEqual([false, true])
  })

  it('a live agent cannot write in a conversation of another live agent', async () => {
    const { sessionId } = await handedOff()
    await world.desk.take(sessionId, SARAH)
    const { desk } = world
    expect(await desk.answer(sessionId, OMAR.id, 'hello')).toBe(false)
    expect(await desk.type(sessionId, OMAR.id, true)).toBe(false)
    expect(await desk.transfer(sessionId, OMAR.id, 'billing')).toBe(false)
    expect(await desk.leave(sessionId, OMAR.id, true)).toBe(false)
    expect(await desk.answer('nobody', SARAH.id, 'hello')).toBe(false)
  })

  it('a transfer puts the visitor at the end of the other queue', async () => {
    const other = await handedOff()
    await world.desk.take(other.sessionId, OMAR)
    expect(await world.desk.transfer(other.sessionId, OMAR.id, 'billing')).toBe(true)
    await placed(other.client, 1)
    await clock.pass(1_000)
    const { client, sessionId } = await handedOff()
    await world.desk.take(sessionId, SARAH)
    expect(await world.desk.transfer(sessionId, SARAH.id, 'billing')).toBe(true)
    expect(await placed(client, 2)).toMatchObject({ queue_name: 'billing' })
    expect(await world.desk.take(sessionId, OMAR)).toBe(true)
    const joined = await client.event('EVENT_TYPE_LIVE_AGENT_JOINED', ({ payload }) =>
      JSON.stringify(payload).includes('omar'),
    )
    expect(joined.payload).toEqual({ agent: OMAR })
  })

  it('the messages of live agents are masked, their names are not', async () => {
    const { sessionId } = await handedOff()
    const { desk } = world
    // Such a number passes for a card.
    const agent = { id: '4111111111111111', name: 'Ada 5555 5555 5555 4444' }
    expect(await desk.take(sessionId, agent)).toBe(true)
    expect(await desk.answer(sessionId, agent.id, 'yours is 4111 1111 1111 1111')).toBe(true)
    expect(await desk.entries()).toMatchObject([
      { agent: { id: agent.id, name: 'Ada •••• •••• •••• 4444' }, state: 'taken' },
    ])
    expect(await desk.transfer(sessionId, agent.id, 'card 5555-5555-5555-4444')).toBe(true)
    expect(await desk.entries()).toMatchObject([{ queue: 'card ••••-••••-••••-4444', state: 'waiting' }])
    expect((await said(sessionId)).at(-1)?.text).toBe('yours is •••• •••• •••• 1111')
  })

  it('a live agent who leaves without ending the session gives the visitor back to the agent', async () => {
    const { client, sessionId } = await handedOff()
    await world.desk.take(sessionId, SARAH)
    expect(await world.desk.leave(sessionId, SARAH.id, false)).toBe(true)
    await client.event('EVENT_TYPE_LIVE_AGENT_LEFT')
    client.say('still there?')
    await client.until(() =>
      client.events().some(({ payload }) => String(payload.text ?? '').includes('You said still there?')),
    )
  })

  it('a visitor who waits too long gets a message, and the agent answers again', async () => {
    const { client } = await handedOff()
    await clock.leap(301_000)
    await client.event('EVENT_TYPE_HANDOFF_TIMEOUT')
    client.say('hello?')
    await client.until(() =>
      client.events().some(({ payload }) => String(payload.text ?? '').includes('You said hello?')),
    )
    expect(await world.desk.entries()).toEqual([])
  })

  it.each([
    ['waited too long', () => clock.leap(301_000), 'EVENT_TYPE_HANDOFF_TIMEOUT'],
    [
      'left the queue',
      (client: Client) => client.send('EVENT_TYPE_USER_LEAVE_QUEUE'),
      'EVENT_TYPE_HANDOFF_FAILED',
    ],
  ])(
    'a visitor who %s gets one answer of the agent, to the last words written while waiting',
    async (_, end, told) => {
      const { client } = await handedOff()
      client.say('my order is 17')
      client.say('history')
      await client.event('EVENT_TYPE_USER_MESSAGE', ({ payload }) => payload.text === 'history')
      const answers = () =>
        client
          .events()
          .flatMap(({ type, payload }) =>
            type === 'EVENT_TYPE_POLY_AGENT_MESSAGE' ? [String(payload.text)] : [],
          )
      const before = answers().length
      await clock.pass(2_000)
      expect(answers()).toHaveLength(before)
      await end(client)
      await client.event(told)
      await client.until(() => answers().length > before)
      expect(JSON.parse(answers()[before] ?? '')).toContainEqual({ role: 'visitor', text: 'my order is 17' })
      await clock.pass(2_000)
      client.say('and now?')
      await client.until(() => answers().length > before + 1)
      expect(answers().slice(before + 1)).toEqual(['You said and now?'])
    },
  )

  it('what is written to a person who came is not answered by the agent afterwards', async () => {
    const { client, sessionId } = await handedOff()
    client.say('are you there?')
    await client.event('EVENT_TYPE_USER_MESSAGE', ({ payload }) => payload.text === 'are you there?')
    await world.desk.take(sessionId, SARAH)
    await world.desk.leave(sessionId, 'sarah', false)
    client.say('back again')
    const said = () => client.events().map(({ payload }) => String(payload.text ?? ''))
    await client.until(() => said().includes('You said back again'))
    expect(said()).not.toContain('You said are you there?')
  })

  it('a visitor who ends the session leaves the queue, and the next visitor moves up', async () => {
    const first = await handedOff()
    const second = await handedOff()
    await placed(second.client, 2)
    first.client.send('EVENT_TYPE_USER_END_SESSION')
    await first.client.event('EVENT_TYPE_SESSION_END')
    await placed(second.client, 1)
    expect((await world.desk.entries()).map(({ id }) => id)).toEqual([second.sessionId])
  })

  it('watchers of the queue hear of every change', async () => {
    let queue = 0
    const lines: string[] = []
    const undo = [world.desk.watch(() => queue++)]
    const { client, sessionId } = await handedOff()
    await vi.waitFor(() => expect(queue).toBeGreaterThan(0))
    undo.push(world.desk.follow(sessionId, (events) => lines.push(...events.map(({ type }) => type))))
    client.say('anybody?')
    await client.event('EVENT_TYPE_USER_MESSAGE', ({ payload }) => payload.text === 'anybody?')
    await vi.waitFor(() => expect(lines).toContain('EVENT_TYPE_USER_MESSAGE'))
    for (const each of undo) each()
    const before = queue
    await handedOff()
    expect(queue).toBe(before)
  })
})
