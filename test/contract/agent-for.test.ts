// A function in place of an agent: each connector gets its own, and a function that fails costs an apology and nothing else.

import { afterAll, beforeEach, expect, it } from 'vitest'
import type { Agent, Served } from '../../src/runtime/index.ts'
import { handClock } from './clock.ts'
import { createWorld, type Frame, NUMBER, plainNumber } from './world.ts'

const asked: Served[] = []
/** What the function does when it is asked next; then it answers again. */
let next: (() => Agent | Promise<Agent>) | undefined
const agentOf = ({ connectorId, environment }: Served): Agent => ({
  name: `Agent of ${connectorId ?? environment}`,
  async *act({ trigger, text }) {
    yield {
      type: 'text',
      text: trigger === 'join' ? 'Hello.' : `${connectorId ?? environment} heard ${text}`,
    }
  },
})
const clock = handClock()
let world: Awaited<ReturnType<typeof createWorld>>
beforeEach(async () => {
  await world?.close()
  asked.length = 0
  next = undefined
  world = await createWorld({
    clock,
    agent: (served) => {
      asked.push(served)
      const now = next
      next = undefined
      return now ? now() : agentOf(served)
    },
  })
})
afterAll(() => world.close())

const isMessage = ({ type }: Frame) => type === 'EVENT_TYPE_POLY_AGENT_MESSAGE'
const textsOf = (client: { events(): Frame[] }) =>
  client
    .events()
    .filter(isMessage)
    .map(({ payload }) => payload.text)
const APOLOGY = 'EVENT_TYPE_SYSTEM_MESSAGE'

async function opened(connectorToken = 'connector-secret', streaming = false) {
  const token = await world.accessToken(connectorToken)
  const sessionId = await world.session(token, { streaming_enabled: streaming })
  return world.connect(sessionId, token)
}
const join = (client: Awaited<ReturnType<typeof opened>>) => client.send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN')

it('each connector is answered by its own agent, under its own name, and the function is asked once for each', async () => {
  for (const [token, connectorId] of [
    ['connector-secret', 'CON-test0001'],
    ['other-secret', 'CON-othr0001'],
    ['connector-secret', 'CON-test0001'],
  ] as const) {
    const client = await opened(token)
    join(client)
    const joined = await client.event('EVENT_TYPE_POLY_AGENT_JOINED')
    expect(joined.payload.agent_name).toBe(`Agent of ${connectorId}`)
    await client.event('EVENT_TYPE_POLY_AGENT_MESSAGE')
    client.say('you?')
    const answer = await client.event('EVENT_TYPE_POLY_AGENT_MESSAGE', ({ payload }) =>
      /heard/.test(`${payload.text}`),
    )
    expect(answer.payload).toMatchObject({
      text: `${connectorId} heard you?`,
      agent_name: `Agent of ${connectorId}`,
    })
  }
  expect(asked).toEqual([
    {
      accountId: 'ws-test0001',
      projectId: 'PROJECT-test0001',
      connectorId: 'CON-test0001',
      environment: 'sandbox',
    },
    {
      accountId: 'ws-othr0001',
      projectId: 'PROJECT-othr0001',
      connectorId: 'CON-othr0001',
      environment: 'live',
    },
  ])
})

it('a phone that writes first is answered by the agent of its project', async () => {
  await world.carrier.write(plainNumber(1), NUMBER, { text: 'Hi' })
  const shown = () => world.carrier.screen(plainNumber(1)).filter(({ direction }) => direction === 'in')
  for (let round = 0; round < 60 && shown().length === 0; round++) {
    await clock.pass(1_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(shown()).toMatchObject([{ text: 'sandbox heard Hi' }])
  expect(asked).toEqual([expect.objectContaining({ connectorId: undefined, environment: 'sandbox' })])
})

it.each<[string, () => Agent | Promise<Agent>, string]>([
  [
    'throws',
    () => {
      throw new Error('no such client')
    },
    'no such client',
  ],
  [
    'rejects',
    async () => {
      throw new Error('the client list is away')
    },
    'the client list is away',
  ],
  ['returns no agent', () => ({ name: 'Statue' }) as Agent, 'is not an agent'],
])(
  'a function that %s costs the visitor an apology; the log says once for whom and why, and the next message asks again',
  async (_, fails, why) => {
    const client = await opened()
    next = fails
    join(client)
    await client.event(APOLOGY)
    const lines = world.log.filter((line) => line.includes(why))
    expect(lines).toEqual([
      expect.stringContaining('connector CON-test0001 of project PROJECT-test0001, environment sandbox'),
    ])
    client.say('still there?')
    await client.event('EVENT_TYPE_POLY_AGENT_MESSAGE')
    expect(textsOf(client)).toEqual(['CON-test0001 heard still there?'])
    expect(asked).toHaveLength(2)
  },
)

it('while a function takes long, messages are stored and echoed, others are answered, and after 30 s there is an apology', async () => {
  const client = await opened()
  next = () => new Promise(() => {})
  join(client)
  client.say('anybody?', 'm-1')
  await client.event('EVENT_TYPE_USER_MESSAGE')
  const other = await opened('other-secret')
  join(other)
  await other.event('EVENT_TYPE_POLY_AGENT_MESSAGE')
  expect(client.events().some(isMessage)).toBe(false)
  for (let round = 0; round < 40 && !client.events().some(({ type }) => type === APOLOGY); round++) {
    await clock.pass(1_000)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await client.event('EVENT_TYPE_POLY_AGENT_MESSAGE')
  expect(textsOf(client)).toEqual(['CON-test0001 heard anybody?'])
})

it('a visitor who stops or ends the chat while a function takes long waits for nothing', async () => {
  const client = await opened()
  next = () => new Promise(() => {})
  client.say('wait')
  await client.event('EVENT_TYPE_USER_MESSAGE')
  client.send('EVENT_TYPE_USER_STOP_ANSWER')
  const stopped = await client.event('EVENT_TYPE_POLY_AGENT_MESSAGE')
  expect(stopped.payload).toMatchObject({ text: '', stopped: true })
  client.send('EVENT_TYPE_USER_END_SESSION')
  await client.event('EVENT_TYPE_SESSION_END')
  expect(await client.closed()).toBe(1000)
  expect(world.log).toEqual([])
})

it('where a message follows the join, the agent joins, does not greet, and answers the message', async () => {
  const client = await opened()
  client.send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN', {}, { message_follows: 'yes' })
  await client.event('EVENT_TYPE_POLY_AGENT_JOINED')
  client.say('Prices?')
  await client.event('EVENT_TYPE_POLY_AGENT_MESSAGE')
  expect(textsOf(client)).toEqual(['CON-test0001 heard Prices?'])
})
