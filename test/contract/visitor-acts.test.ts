// What a visitor does beside writing: stops an answer, rates it and the chat, leaves the queue.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ConversationPage } from '../../src/api/index.ts'
import type { Agent } from '../../src/runtime/index.ts'
import { type HandClock, handClock } from './clock.ts'
import { createWorld, echoAgent, type Frame } from './world.ts'

/** Aborted turns, by their text. */
const aborted: string[] = []

/** Speaks for a minute, in words; or thinks for a minute before it speaks; else echoes. */
const slowAgent: Agent = {
  name: 'Slow',
  async *act(turn) {
    turn.signal.addEventListener('abort', () => aborted.push(turn.text))
    yield { type: 'thinking' }
    if (turn.text.startsWith('think')) await turn.sleep(60_000)
    if (turn.text.startsWith('talk')) {
      yield { type: 'text', text: 'One two ' }
      await turn.sleep(60_000)
      yield { type: 'text', text: 'three' }
      return
    }
    if (turn.text.startsWith('linger')) {
      yield { type: 'text', text: 'All said' }
      yield { type: 'system', level: 'info', message: 'One more thing' }
      await turn.sleep(60_000)
    }
    yield* echoAgent.act(turn)
  },
}

let clock: HandClock
let world: Awaited<ReturnType<typeof createWorld>>
beforeAll(async () => {
  clock = handClock()
  world = await createWorld({ clock, agent: slowAgent, settings: { deskWaitSeconds: 300 } })
})
afterAll(() => world.close())

const open = async (body?: object) => {
  const { client, sessionId, token } = await world.joined(body)
  return { client, sessionId, token }
}
type Client = Awaited<ReturnType<typeof open>>['client']

const echoOf = (client: Client, text: string) =>
  client.event('EVENT_TYPE_USER_MESSAGE', ({ payload }) => payload.text === text)
const CHUNK = 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK'
const MESSAGE = 'EVENT_TYPE_POLY_AGENT_MESSAGE'

/** Time goes by in small steps until `find` finds something. */
async function passUntil<T>(find: () => T | undefined | false): Promise<T> {
  for (let step = 0; step < 400; step++) {
    const found = find()
    if (found) return found
    await clock.pass(10)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  throw new Error('it did not happen')
}
/** All that the agent said in chunks. */
const words = (client: Client): string =>
  client
    .events()
    .filter(({ type }) => type === CHUNK)
    .map(({ payload }) => payload.text)
    .join('')
const halfSaid = (client: Client) =>
  passUntil(() =>
    client.events().find(({ type, payload }) => type === CHUNK && String(payload.text).includes('two')),
  )

const replayed = async (sessionId: string, token: string): Promise<Frame[]> => {
  const client = await world.connect(sessionId, token)
  const [batch] = await client.until(() => client.frames.length > 0 && client.frames)
  client.socket.close()
  return batch?.payload.events as Frame[]
}

async function logged(sessionId: string) {
  const response = await world.get('/v3/larkspur/shop/conversations?client_env=sandbox&limit=100')
  const { conversations } = (await response.json()) as ConversationPage
  return conversations.find(({ id }) => id === sessionId)
}

describe('the capabilities of a session', () => {
  it('say that the runtime accepts a stop, ratings, and leaving the queue', async () => {
    const { client } = await open()
    const { capabilities } = (await client.event('EVENT_TYPE_SESSION_START')).payload
    expect(capabilities).toMatchObject({
      csat: true,
      stop: true,
      feedback: true,
      leave_queue: true,
      confirm: true,
    })
  })
})

describe('stopping an answer', () => {
  it('aborts the agent, completes the message, and stores it as stopped', async () => {
    const { client, sessionId, token } = await open()
    client.say('talk 1')
    const half = await halfSaid(client)
    client.send('EVENT_TYPE_USER_STOP_ANSWER', { message_id: half.payload.message_id })
    const last = await client.event(CHUNK, ({ payload }) => payload.stopped === true)
    expect(last.payload).toMatchObject({ message_id: half.payload.message_id, text: '', is_complete: true })
    await passUntil(() => aborted.includes('talk 1'))
    await clock.pass(120_000)
    expect(client.events().filter(({ payload }) => String(payload.text).includes('three'))).toEqual([])

    const events = await replayed(sessionId, token)
    const stored = events.filter(({ payload }) => payload.message_id === half.payload.message_id)
    expect(stored).toMatchObject([{ type: MESSAGE, payload: { text: 'One two ', stopped: true } }])
    expect((await logged(sessionId))?.turns?.at(-1)).toMatchObject({
      user_input: 'talk 1',
      agent_response: 'One two ',
    })
  })

  it('completes an answer without text as an empty message', async () => {
    const { client } = await open()
    client.say('think 1')
    await client.event('EVENT_TYPE_POLY_AGENT_THINKING')
    client.send('EVENT_TYPE_USER_STOP_ANSWER')
    const end = await client.event(MESSAGE, ({ payload }) => payload.stopped === true)
    expect(end.payload).toMatchObject({ text: '', agent_name: 'Slow' })
    await passUntil(() => aborted.includes('think 1'))
  })

  it('lets the runtime answer the next message at once, a waiting one too', async () => {
    const { client } = await open()
    client.say('think 2')
    await client.event('EVENT_TYPE_POLY_AGENT_THINKING')
    client.say('after')
    await echoOf(client, 'after')
    client.send('EVENT_TYPE_USER_STOP_ANSWER')
    await passUntil(() => words(client).includes('You said after'))
    expect(words(client)).not.toContain('think')
  })

  it.each(['another', '\u0000\ud800'])(
    'has no effect for another answer than the running one: %j',
    async (message_id) => {
      const { client } = await open()
      client.say('talk 2')
      await halfSaid(client)
      client.send('EVENT_TYPE_USER_STOP_ANSWER', { message_id })
      client.send('EVENT_TYPE_HEARTBEAT')
      await client.event('EVENT_TYPE_HEARTBEAT')
      expect(client.events().some(({ payload }) => payload.stopped === true)).toBe(false)
      expect(aborted).not.toContain('talk 2')
    },
  )

  it('has no effect when no answer runs, and the next answer is whole', async () => {
    const { client } = await open()
    client.send('EVENT_TYPE_USER_STOP_ANSWER')
    client.say('hi')
    await passUntil(() => words(client).includes('You said hi'))
    expect(client.events().some(({ payload }) => payload.stopped === true)).toBe(false)
  })

  it.each([true, false])(
    'adds nothing to a whole answer whose turn still runs, streaming: %s',
    async (streaming_enabled) => {
      const { client, sessionId } = await open({ streaming_enabled })
      const text = `linger ${streaming_enabled}`
      client.say(text)
      await client.event('EVENT_TYPE_SYSTEM_MESSAGE')
      client.send('EVENT_TYPE_USER_STOP_ANSWER')
      await passUntil(() => aborted.includes(text))
      client.send('EVENT_TYPE_HEARTBEAT')
      await client.event('EVENT_TYPE_HEARTBEAT')
      expect(client.events().some(({ payload }) => payload.stopped === true)).toBe(false)
      expect((await logged(sessionId))?.turns?.at(-1)).toMatchObject({ agent_response: 'All said' })
    },
  )

  it('discards the unsent text in a session that does not stream', async () => {
    const { client, sessionId } = await open({ streaming_enabled: false })
    client.say('talk 3')
    await client.event('EVENT_TYPE_POLY_AGENT_THINKING')
    client.send('EVENT_TYPE_USER_STOP_ANSWER')
    const end = await client.event(MESSAGE, ({ payload }) => payload.stopped === true)
    expect(end.payload.text).toBe('')
    expect((await logged(sessionId))?.turns?.at(-1)).toMatchObject({ agent_response: '' })
  })
})

describe('the rating of an answer', () => {
  const answered = async () => {
    const { client, sessionId, token } = await open({ streaming_enabled: false })
    client.say('hi')
    const answer = await client.event(MESSAGE, ({ payload }) => payload.text === 'You said hi')
    return { client, sessionId, token, message_id: String(answer.payload.message_id) }
  }
  const FEEDBACK = 'EVENT_TYPE_USER_FEEDBACK'

  it('is echoed, replayed, and shown at the API; the latest rating of an answer counts', async () => {
    const { client, sessionId, token, message_id } = await answered()
    client.send(FEEDBACK, { message_id, rating: 'up' }, { client_event_id: 'rate-1' })
    const echo = await client.event(FEEDBACK)
    expect(echo).toMatchObject({
      payload: { message_id, rating: 'up' },
      metadata: { custom: { client_event_id: 'rate-1' } },
    })
    expect((await logged(sessionId))?.metrics).toEqual({ feedback_up: message_id })
    expect(await world.runtime.metrics(sessionId)).toEqual({ feedback_up: message_id })
    expect(await world.runtime.metrics('nobody')).toBeUndefined()
    client.send(FEEDBACK, { message_id, rating: 'down', comment: 'Too short, 4111 1111 1111 1111' })
    await client.event(FEEDBACK, ({ payload }) => payload.rating === 'down')
    expect((await logged(sessionId))?.metrics).toEqual({
      feedback_down: message_id,
      feedback_comment: expect.stringMatching(/^Too short, (?!4111)/),
    })
    expect((await replayed(sessionId, token)).filter(({ type }) => type === FEEDBACK)).toHaveLength(2)
  })

  it('is stored once when it is sent twice under one id', async () => {
    const { client, sessionId, token, message_id } = await answered()
    for (const _ of [1, 2]) client.send(FEEDBACK, { message_id, rating: 'up' }, { client_event_id: 'rate-2' })
    await client.until(() => client.events().filter(({ type }) => type === FEEDBACK).length === 2)
    const [first, second] = client.events().filter(({ type }) => type === FEEDBACK)
    expect(second?.id).toBe(first?.id)
    expect((await replayed(sessionId, token)).filter(({ type }) => type === FEEDBACK)).toHaveLength(1)
  })

  it.each([
    ['no such answer', { message_id: 'nobody', rating: 'up' }, /no such answer/],
    ['an id that no database stores', { message_id: '\u0000\ud800', rating: 'up' }, /no such answer/],
    ['no message', { rating: 'up' }, /message_id/],
    ['neither up nor down', { message_id: 'x', rating: 'sideways' }, /up or down/],
    ['a comment without end', { message_id: 'x', rating: 'up', comment: 'x'.repeat(2_001) }, /2000/],
  ])('is refused with %s', async (_, payload, words) => {
    const { client } = await answered()
    client.send(FEEDBACK, payload, { client_event_id: 'rate-3' })
    const refusal = await client.event('EVENT_TYPE_SYSTEM_MESSAGE')
    expect(refusal).toMatchObject({
      sequence: null,
      payload: { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message: expect.stringMatching(words) },
      metadata: { custom: { client_event_id: 'rate-3' } },
    })
  })

  it('is refused for a visitor’s own message', async () => {
    const { client, sessionId } = await answered()
    const own = await echoOf(client, 'hi')
    client.send(FEEDBACK, { message_id: own.payload.message_id, rating: 'up' })
    const { payload } = await client.event('EVENT_TYPE_SYSTEM_MESSAGE')
    expect(payload.message).toMatch(/no such answer/)
    expect((await logged(sessionId))?.metrics).toEqual({})
  })
})

describe('the rating of the chat', () => {
  const CSAT = 'EVENT_TYPE_CSAT_RESPONSE'

  it('is echoed, and shown at the API', async () => {
    const { client, sessionId } = await open()
    client.send(CSAT, { score: 4, comment: 'Quick' })
    expect((await client.event(CSAT)).payload).toEqual({ score: 4, comment: 'Quick' })
    expect((await logged(sessionId))?.metrics).toEqual({ csat_score: '4', csat_comment: 'Quick' })
    client.send(CSAT, { score: 2 })
    await client.event(CSAT, ({ payload }) => payload.score === 2)
    expect((await logged(sessionId))?.metrics).toEqual({ csat_score: '2' })
  })

  it.each([-1, 11, 1.5, '5', null])('is refused with a score of %s', async (score) => {
    const { client, sessionId } = await open()
    client.send(CSAT, { score })
    await client.event('EVENT_TYPE_SYSTEM_MESSAGE', ({ payload }) =>
      /from 0 to 10/.test(String(payload.message)),
    )
    expect((await logged(sessionId))?.metrics).toEqual({})
  })

  it('is accepted after the end from a client that has read everything: echo, and close 1000', async () => {
    const { client, sessionId, token } = await open()
    client.send('EVENT_TYPE_USER_END_SESSION')
    const { sequence } = await client.event('EVENT_TYPE_SESSION_END')
    const late = await world.connect(sessionId, token, String(sequence))
    late.send(CSAT, { score: 5 }, { client_event_id: 'late-1' })
    expect(await late.event(CSAT)).toMatchObject({
      sequence: null,
      payload: { score: 5 },
      metadata: { custom: { client_event_id: 'late-1' } },
    })
    expect((await logged(sessionId))?.metrics).toEqual({ csat_score: '5' })
    late.say('one more thing')
    await late.event('EVENT_TYPE_SYSTEM_MESSAGE', ({ payload }) => /has ended/.test(String(payload.message)))
    await clock.pass(4_000)
    expect(await late.closed()).toBe(1000)
    const events = await replayed(sessionId, token)
    expect(events.at(-1)?.type).toBe('EVENT_TYPE_SESSION_END')
  })
})

describe('the handoff queue', () => {
  const waiting = async () => {
    await clock.pass(1)
    const { client, sessionId, token } = await open()
    client.say('desk')
    await client.event('EVENT_TYPE_HANDOFF_QUEUE_STATUS')
    return { client, sessionId, token }
  }
  const LEAVE = 'EVENT_TYPE_USER_LEAVE_QUEUE'

  it('lets a visitor leave: the visitor is told, the desk loses the entry, and the agent answers again', async () => {
    const { client, sessionId } = await waiting()
    client.send(LEAVE)
    expect((await client.event('EVENT_TYPE_HANDOFF_FAILED')).payload).toEqual({ reason: 'left' })
    expect((await world.desk.entries()).some(({ id }) => id === sessionId)).toBe(false)
    expect(await world.desk.take(sessionId, { id: 'sarah', name: 'Sarah' })).toBe(false)
    client.say('hello again')
    await passUntil(() => words(client).includes('You said'))
  })

  it('moves the next visitor up when one leaves', async () => {
    const first = await waiting()
    const second = await waiting()
    const places = () =>
      second.client
        .events()
        .filter(({ type }) => type === 'EVENT_TYPE_HANDOFF_QUEUE_STATUS')
        .map(({ payload }) => Number(payload.position_in_queue))
    const [place = 0] = places()
    first.client.send(LEAVE)
    await second.client.until(() => places().at(-1) === place - 1)
    second.client.send(LEAVE)
  })

  it('cannot be left by a visitor who talks with a live agent, or with the agent', async () => {
    const { client, sessionId } = await waiting()
    await world.desk.take(sessionId, { id: 'sarah', name: 'Sarah' })
    client.send(LEAVE)
    client.send('EVENT_TYPE_HEARTBEAT')
    await client.event('EVENT_TYPE_HEARTBEAT')
    expect(client.events().some(({ type }) => type === 'EVENT_TYPE_HANDOFF_FAILED')).toBe(false)
    expect((await world.desk.entries()).find(({ id }) => id === sessionId)?.state).toBe('taken')
    await world.desk.leave(sessionId, 'sarah', false)
    await client.event('EVENT_TYPE_LIVE_AGENT_LEFT')
    client.send(LEAVE)
    client.send('EVENT_TYPE_HEARTBEAT')
    await client.until(
      () => client.events().filter(({ type }) => type === 'EVENT_TYPE_HEARTBEAT').length === 2,
    )
    expect(client.events().some(({ type }) => type === 'EVENT_TYPE_HANDOFF_FAILED')).toBe(false)
  })

  it('answers the first message of a waiting visitor with a system message, and no later one', async () => {
    const { client } = await waiting()
    client.say('my order is 17')
    const line = await client.event('EVENT_TYPE_SYSTEM_MESSAGE')
    expect(line.payload).toMatchObject({ level: 'SYSTEM_MESSAGE_LEVEL_INFO', code: 'waiting' })
    const echo = await echoOf(client, 'my order is 17')
    expect(Number(line.sequence)).toBe(Number(echo.sequence) + 1)
    client.say('and it is late')
    await echoOf(client, 'and it is late')
    client.send('EVENT_TYPE_HEARTBEAT')
    await client.event('EVENT_TYPE_HEARTBEAT')
    expect(client.events().filter(({ type }) => type === 'EVENT_TYPE_SYSTEM_MESSAGE')).toHaveLength(1)
    client.send(LEAVE)
    await client.event('EVENT_TYPE_HANDOFF_FAILED')
  })
})
