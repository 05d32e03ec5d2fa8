// What live agents see and write beside their answers: who is there, what it is about, notes, replies, what they leave behind.

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ConversationPage } from '../../src/api/index.ts'
import type { Agent } from '../../src/runtime/index.ts'
import { type HandClock, handClock } from './clock.ts'
import { createWorld, echoAgent } from './world.ts'

const SARAH = { id: 'sarah', name: 'Sarah' }
const OMAR = { id: 'omar', name: 'Omar' }

/** Says what it remembers; hands over at any other word for a person. */
const agent: Agent = {
  name: 'Echo',
  async *act(turn) {
    if (turn.text === 'memory') {
      yield { type: 'text', text: JSON.stringify(turn.memory) }
      return
    }
    if (turn.text.startsWith('person')) {
      const [, passedOn] = turn.text.split(': ')
      yield { type: 'remember', memory: { kept: 'by the agent' } }
      yield { type: 'handoff', queueName: 'support', data: passedOn ? { last_question: passedOn } : {} }
      return
    }
    yield* echoAgent.act(turn)
  },
}

let clock: HandClock
let world: Awaited<ReturnType<typeof createWorld>>
beforeAll(async () => {
  clock = handClock()
  world = await createWorld({ clock, agent, settings: { deskWaitSeconds: 100_000, heartbeatSeconds: 20 } })
})
afterAll(() => world.close())
beforeEach(async () => {
  for (const { id } of await world.desk.entries()) await world.runtime.expire(id)
})

/** A chat that said these things, then asked for a person. */
async function handedOff(before: readonly string[] = [], request = 'person') {
  await clock.pass(1)
  const { client, sessionId, token } = await world.chat(before, { open: true })
  client.say(request)
  await client.event('EVENT_TYPE_HANDOFF_QUEUE_STATUS')
  await clock.pass(1)
  return { client, sessionId, token }
}
const entry = async (id: string) => (await world.desk.entries()).find((each) => each.id === id)
const lines = (id: string) => world.desk.lines(id)

describe('an entry of the queue', () => {
  it('is about what the agent passed on', async () => {
    const { sessionId } = await handedOff(['What is Foyer for?'], 'person: Passed on')
    expect((await entry(sessionId))?.question).toBe('Passed on')
  })

  it('has as its topic what the visitor writes while waiting, when that says more than the request', async () => {
    const { client, sessionId } = await handedOff()
    client.say('My order is 17 days late')
    await client.event('EVENT_TYPE_SYSTEM_MESSAGE')
    expect(await entry(sessionId)).toMatchObject({
      question: 'My order is 17 days late',
      last: { from: 'visitor', text: 'My order is 17 days late' },
    })
  })

  it('names the author of the newest message, whoever has the conversation now', async () => {
    const { sessionId } = await handedOff()
    await world.desk.take(sessionId, SARAH)
    await world.desk.answer(sessionId, SARAH.id, 'Hello')
    expect(await world.desk.transfer(sessionId, SARAH.id, 'sales')).toBe(true)
    await world.desk.take(sessionId, OMAR)
    expect(await entry(sessionId)).toMatchObject({
      agent: OMAR,
      last: { from: 'live', text: 'Hello', agent: SARAH },
    })
  })

  it('waits anew after a second handoff: since then, and taken by nobody', async () => {
    const { client, sessionId } = await handedOff()
    await world.desk.take(sessionId, SARAH)
    const first = await entry(sessionId)
    await world.desk.leave(sessionId, SARAH.id, false)
    await clock.pass(5_000)
    client.say('person')
    await client.until(
      () => client.events().filter(({ type }) => type === 'EVENT_TYPE_HANDOFF_QUEUE_STATUS').length > 1,
    )
    const second = await entry(sessionId)
    expect(second).toMatchObject({ state: 'waiting', agent: undefined, takenAt: undefined })
    expect(Date.parse(second?.queuedAt ?? '') - Date.parse(first?.queuedAt ?? '')).toBeGreaterThanOrEqual(
      5_000,
    )
  })

  it('says whether the visitor is here, away or gone, and the desk hears each change', async () => {
    const { client, sessionId, token } = await handedOff()
    let changes = 0
    const undo = world.desk.watch(() => changes++)
    await clock.pass(2_000)
    expect((await entry(sessionId))?.presence).toBe('here')
    // The wire lets a client be silent for an interval of heartbeats; a second one may be on its way.
    await clock.pass(45_000)
    expect((await entry(sessionId))?.presence).toBe('here')
    await clock.pass(10_000)
    // The process with the socket tells the others within a second.
    await clock.pass(1_000)
    expect((await entry(sessionId))?.presence).toBe('away')
    // A second tab is there for a moment. When it has closed, the first one is as silent as before.
    const second = await world.connect(sessionId, token)
    expect((await entry(sessionId))?.presence).toBe('here')
    second.socket.close()
    await second.closed()
    await vi.waitFor(async () => expect((await entry(sessionId))?.presence).toBe('away'))
    client.send('EVENT_TYPE_HEARTBEAT')
    await client.event('EVENT_TYPE_HEARTBEAT')
    await clock.pass(1_000)
    expect((await entry(sessionId))?.presence).toBe('here')
    client.socket.close()
    await client.closed()
    await vi.waitFor(async () => expect((await entry(sessionId))?.presence).toBe('gone'))
    const before = changes
    await clock.pass(1_000)
    expect(changes).toBeGreaterThan(before)
    const back = await world.connect(sessionId, token)
    await back.until(() => back.frames.length > 0)
    expect((await entry(sessionId))?.presence).toBe('here')
    undo()
  })

  it('is removed ten minutes after the visitor left, and stays while a socket is open', async () => {
    const gone = await handedOff()
    const here = await handedOff()
    gone.client.socket.close()
    await gone.client.closed()
    await vi.waitFor(async () => expect((await entry(gone.sessionId))?.presence).toBe('gone'))
    await clock.pass(1_000)
    await clock.leap(599_000)
    expect(await entry(gone.sessionId)).toBeDefined()
    await clock.pass(2_000)
    expect(await entry(gone.sessionId)).toBeUndefined()
    expect(await entry(here.sessionId)).toBeDefined()
    const events = await world.desk.lines(gone.sessionId)
    expect(events.at(-1)).toMatchObject({ from: 'event', what: 'ended' })
  })
})

describe('a note', () => {
  it('is listed with its author, masked, and never sent to the visitor', async () => {
    const { client, sessionId, token } = await handedOff()
    const heard: string[] = []
    const undo = world.desk.follow(sessionId, (events) => heard.push(...events.map(({ type }) => type)))
    expect(await world.desk.note(sessionId, SARAH, 'A friend of Omar, 4111 1111 1111 1111')).toBe(true)
    await vi.waitFor(() => expect(heard).toContain('note'))
    undo()
    const note = (await lines(sessionId)).find(({ from }) => from === 'note')
    expect(note).toMatchObject({
      from: 'note',
      name: 'Sarah',
      text: expect.stringMatching(/^A friend of Omar, (?!4111)/),
    })
    client.send('EVENT_TYPE_HEARTBEAT')
    await client.event('EVENT_TYPE_HEARTBEAT')
    const again = await world.connect(sessionId, token)
    await again.until(() => again.frames.length > 0)
    for (const each of [client, again]) expect(JSON.stringify(each.frames)).not.toContain('friend of Omar')
    const response = await world.get('/v3/larkspur/shop/conversations?client_env=sandbox&limit=100')
    expect(JSON.stringify((await response.json()) as ConversationPage)).not.toContain('friend of Omar')
  })

  it('is refused for a conversation that is not in the queue or with a live agent', async () => {
    const { sessionId } = await world.chat(['hi'], { open: true })
    expect(await world.desk.note(sessionId, SARAH, 'x')).toBe(false)
    expect(await world.desk.note('nobody', SARAH, 'x')).toBe(false)
  })

  it('can come with a transfer, for the next live agent', async () => {
    const { sessionId } = await handedOff()
    await world.desk.take(sessionId, SARAH)
    expect(await world.desk.transfer(sessionId, SARAH.id, 'billing', 'Wants a refund')).toBe(true)
    expect(
      (await lines(sessionId)).map(({ from, ...line }) => [from, 'what' in line ? line.what : line.text]),
    ).toEqual(
      expect.arrayContaining([
        ['note', 'Wants a refund'],
        ['event', 'transferred'],
      ]),
    )
    expect((await entry(sessionId))?.queue).toBe('billing')
  })

  it('left when a live agent hands back goes to the agent’s memory, not to the API, and the next note replaces it', async () => {
    const { client, sessionId } = await handedOff()
    await world.desk.take(sessionId, SARAH)
    await world.desk.leave(sessionId, SARAH.id, false, 'Refund is on its way')
    await client.event('EVENT_TYPE_LIVE_AGENT_LEFT')
    client.say('memory')
    const remembered = await client.event('EVENT_TYPE_POLY_AGENT_MESSAGE', ({ payload }) =>
      String(payload.text).includes('handback'),
    )
    expect(JSON.parse(String(remembered.payload.text))).toMatchObject({
      handback: { agent: 'Sarah', note: 'Refund is on its way' },
      kept: 'by the agent',
    })
    const response = await world.get('/v3/larkspur/shop/conversations?client_env=sandbox&limit=100')
    const { conversations } = (await response.json()) as ConversationPage
    expect(conversations.find(({ id }) => id === sessionId)?.state).toEqual({ kept: 'by the agent' })
    client.say('person')
    await client.until(
      () => client.events().filter(({ type }) => type === 'EVENT_TYPE_HANDOFF_QUEUE_STATUS').length > 1,
    )
    await world.desk.take(sessionId, OMAR)
    await world.desk.leave(sessionId, OMAR.id, false)
    client.say('memory')
    await client.event('EVENT_TYPE_POLY_AGENT_MESSAGE', ({ payload }) =>
      /"handback":null/.test(String(payload.text)),
    )
  })
})

describe('the lines of a conversation', () => {
  it('include the events between the messages', async () => {
    const { client, sessionId } = await handedOff(['hi'])
    await world.desk.take(sessionId, SARAH)
    await world.desk.answer(sessionId, SARAH.id, 'Hello')
    await world.desk.leave(sessionId, SARAH.id, false)
    client.say('person')
    await client.until(
      () => client.events().filter(({ type }) => type === 'EVENT_TYPE_HANDOFF_QUEUE_STATUS').length > 1,
    )
    client.send('EVENT_TYPE_USER_LEAVE_QUEUE')
    await client.event('EVENT_TYPE_HANDOFF_FAILED')
    client.send('EVENT_TYPE_CSAT_RESPONSE', { score: 4, comment: 'Quick' })
    await client.event('EVENT_TYPE_CSAT_RESPONSE')
    expect(
      (await lines(sessionId)).map((line) =>
        line.from === 'event' ? [line.what, line.name ?? line.score] : [line.from, line.text],
      ),
    ).toEqual([
      ['agent', 'Hello there'],
      ['visitor', 'hi'],
      ['agent', 'You said hi'],
      ['visitor', 'person'],
      ['handoff', undefined],
      ['joined', 'Sarah'],
      ['live', 'Hello'],
      ['left', 'Sarah'],
      ['visitor', 'person'],
      ['handoff', undefined],
      ['left-queue', undefined],
      ['rated', 4],
    ])
    const [live] = (await lines(sessionId)).filter(({ from }) => from === 'live')
    expect(live).toMatchObject({ name: 'Sarah' })
  })

  it('show the desk that the visitor is typing, and show it to nobody else', async () => {
    const { client, sessionId, token } = await handedOff()
    const other = await world.connect(sessionId, token)
    const heard: unknown[] = []
    const undo = world.desk.follow(sessionId, (events) =>
      heard.push(
        ...events.filter(({ type }) => type === 'EVENT_TYPE_USER_TYPING').map(({ payload }) => payload),
      ),
    )
    // A bus may lose a signal; the next one arrives.
    await vi.waitFor(
      () => {
        for (const state of ['TYPING_STATE_STARTED', 'TYPING_STATE_STOPPED'])
          client.send('EVENT_TYPE_USER_TYPING', { state })
        expect(heard).toEqual(expect.arrayContaining([{ typing: true }, { typing: false }]))
      },
      { interval: 200, timeout: 40_000 },
    )
    client.send('EVENT_TYPE_HEARTBEAT')
    await client.event('EVENT_TYPE_HEARTBEAT')
    undo()
    other.send('EVENT_TYPE_HEARTBEAT')
    await other.event('EVENT_TYPE_HEARTBEAT')
    for (const each of [client, other])
      expect(each.events().some(({ type }) => type === 'EVENT_TYPE_USER_TYPING')).toBe(false)
  })
})

describe('the end at the desk', () => {
  it('asks the visitor for a rating', async () => {
    const { client, sessionId } = await handedOff()
    await world.desk.take(sessionId, SARAH)
    await world.desk.leave(sessionId, SARAH.id, true)
    await client.event('EVENT_TYPE_SESSION_END')
    expect(
      client
        .events()
        .slice(-3)
        .map(({ type }) => type),
    ).toEqual(['EVENT_TYPE_LIVE_AGENT_LEFT', 'EVENT_TYPE_SHOW_CSAT_REQUEST', 'EVENT_TYPE_SESSION_END'])
  })
})

describe('canned replies', () => {
  it('are stored by name, replaced and deleted', async () => {
    const { desk } = world
    await desk.saveReply({ name: 'hello', text: 'Hello, how can I help?' })
    await desk.saveReply({ name: 'bye', text: 'Goodbye' })
    await desk.saveReply({ name: 'hello', text: 'Welcome' })
    expect(await desk.replies()).toEqual([
      { name: 'bye', text: 'Goodbye' },
      { name: 'hello', text: 'Welcome' },
    ])
    await desk.deleteReply('bye')
    await desk.deleteReply('nobody')
    expect(await desk.replies()).toEqual([{ name: 'hello', text: 'Welcome' }])
  })

  it('are five hundred at most; a full list still accepts a replacement', async () => {
    const { desk } = world
    const kept = await desk.replies()
    const names = Array.from({ length: 500 - kept.length }, (_, n) => `full-${n}`)
    for (const name of names) expect(await desk.saveReply({ name, text: 'x' })).toBe(true)
    expect(await desk.saveReply({ name: 'one-more', text: 'x' })).toBe(false)
    expect(await desk.saveReply({ name: 'full-0', text: 'Replaced' })).toBe(true)
    const replies = await desk.replies()
    expect(replies).toHaveLength(500)
    expect(replies).toContainEqual({ name: 'full-0', text: 'Replaced' })
    expect(replies.some(({ name }) => name === 'one-more')).toBe(false)
    for (const name of names) await desk.deleteReply(name)
  })
})
