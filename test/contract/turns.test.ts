// What a turn says of the conversation: whom the agent answers for, and what the client sent beside the input.

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Agent, Turn } from '../../src/runtime/index.ts'
import { handClock } from './clock.ts'
import { createWorld, NUMBER, plainNumber } from './world.ts'

const turns: Turn[] = []
/** Notes each turn. */
const agent: Agent = {
  name: 'Witness',
  async *act(turn) {
    turns.push(turn)
    yield { type: 'text', text: turn.trigger === 'join' ? 'Hello.' : `You said ${turn.text}` }
  },
}
const clock = handClock()
let world: Awaited<ReturnType<typeof createWorld>>
beforeAll(async () => {
  world = await createWorld({ agent, clock })
})
afterAll(() => world.close())

/** The first turn that `where` accepts, once the agent has it; time goes by meanwhile. */
async function turnOf(where: (turn: Turn) => boolean): Promise<Turn> {
  for (let round = 0; round < 60; round++) {
    const found = turns.find(where)
    if (found) return found
    await clock.pass(1_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw new Error(`the agent was never asked; it was ${turns.length} times`)
}
async function joined(connectorToken: string, body: object = {}, custom?: Record<string, string>) {
  const token = await world.accessToken(connectorToken)
  const sessionId = await world.session(token, body)
  const client = await world.connect(sessionId, token)
  client.send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN', {}, custom)
  await client.event('EVENT_TYPE_POLY_AGENT_MESSAGE')
  return { client, turn: await turnOf((turn) => turn.sessionId === sessionId) }
}
const servedOf = ({ accountId, projectId, connectorId, environment }: Turn) =>
  [accountId, projectId, connectorId, environment] as const

it.each([
  ['connector-secret', ['ws-test0001', 'PROJECT-test0001', 'CON-test0001', 'sandbox']],
  ['live-secret', ['ws-test0001', 'PROJECT-test0001', 'CON-live0001', 'live']],
  ['other-secret', ['ws-othr0001', 'PROJECT-othr0001', 'CON-othr0001', 'live']],
] as const)(
  'a chat by the connector of %s names its account, project, connector and environment',
  async (token, served) => {
    const { client, turn } = await joined(token, { platform: 'ios-web' })
    expect(servedOf(turn)).toEqual(served)
    client.say('And later?')
    const later = await turnOf(({ sessionId, text }) => sessionId === turn.sessionId && text !== '')
    expect(servedOf(later)).toEqual(served)
    expect([turn.platform, later.platform]).toEqual(['ios-web', 'ios-web'])
  },
)

it('a phone that writes first names the project and environment of the number it wrote to, and no connector', async () => {
  await world.carrier.write(plainNumber(1), NUMBER, { text: 'Are you open?' })
  const turn = await turnOf(({ text }) => text === 'Are you open?')
  expect(servedOf(turn)).toEqual(['ws-test0001', 'PROJECT-test0001', undefined, 'sandbox'])
  expect([turn.platform, turn.page, turn.custom]).toEqual([undefined, undefined, {}])
})

it('an answer to a text of the site names the connector that sent it', async () => {
  await world.post(
    '/v1/outbound-sms',
    { 'x-svc-auth-token': 'all-key', 'x-token-id': 'CON-test0001', 'content-type': 'application/json' },
    JSON.stringify({ user_number: plainNumber(2), message: 'Your bike is ready' }),
  )
  await world.carrier.write(plainNumber(2), NUMBER, { text: 'Which bike?' })
  const turn = await turnOf(({ text }) => text === 'Which bike?')
  expect(servedOf(turn)).toEqual(['ws-test0001', 'PROJECT-test0001', 'CON-test0001', 'sandbox'])
})

it('a call names the connector that asked for it', async () => {
  await world.post(
    '/v1/outbound-calling',
    { 'x-svc-auth-token': 'calling-token', 'content-type': 'application/json' },
    JSON.stringify({ to_number: '+15005550010' }),
  )
  const turn = await turnOf(({ channel }) => channel === 'VOICE-SIP')
  expect(servedOf(turn)).toEqual(['ws-test0001', 'PROJECT-test0001', 'CON-test0001', 'sandbox'])
  expect([turn.platform, turn.page, turn.custom]).toEqual([undefined, undefined, {}])
})

it('what the client sent beside an input reaches the turn of that input alone, without the fields of the protocol', async () => {
  const { client, turn } = await joined('connector-secret', {}, { local_id: 'j-1', plan: 'trial' })
  expect(turn.custom).toEqual({ plan: 'trial' })
  const ask = async (text: string, custom: Record<string, string>) => {
    client.send('EVENT_TYPE_USER_MESSAGE', { text }, custom)
    return turnOf((asked) => asked.sessionId === turn.sessionId && asked.text === text)
  }
  const ids = { client_event_id: 'm-1', local_id: 'm-1' }
  expect((await ask('One', { ...ids, message_follows: 'no', sku: '17' })).custom).toEqual({ sku: '17' })
  expect((await ask('Two', { client_event_id: 'm-2' })).custom).toEqual({})
})

it.each<[string, unknown, Turn['page']]>([
  [
    'loses credentials, query and fragment',
    { url: 'https://u:p@shop.example.com/bikes/7?token=s#top', title: 'Heron Tour' },
    { url: 'https://shop.example.com/bikes/7', title: 'Heron Tour' },
  ],
  ['needs no title', { url: 'http://shop.example.com' }, { url: 'http://shop.example.com/', title: '' }],
  [
    'has a title of one line and 200 characters',
    { url: 'https://shop.example.com/', title: `A\n\u0000B${'c'.repeat(5_000)}` },
    { url: 'https://shop.example.com/', title: `A  B${'c'.repeat(196)}` },
  ],
  [
    'has masked card numbers, also where the title is cut',
    { url: 'https://shop.example.com/4111111111111111', title: `${'x '.repeat(95)}4111111111111111` },
    { url: 'https://shop.example.com/••••••••••••1111', title: `${'x '.repeat(95)}••••••••••` },
  ],
  ['is ignored where it is of no site', { url: 'file:///etc/passwd', title: 'x' }, undefined],
  ['is ignored where it is a script', { url: 'javascript:alert(1)', title: 'x' }, undefined],
  ['is ignored where it is too long', { url: `https://shop.example.com/${'a'.repeat(2_048)}` }, undefined],
  ['is ignored where it is no address', { url: 'bikes', title: 'x' }, undefined],
  ['is ignored where it is no object', 'https://shop.example.com/', undefined],
  ['is ignored where its address is no text', { url: ['https://shop.example.com/'] }, undefined],
  ['is ignored where it is null', null, undefined],
])('the page of a chat %s', async (_, page, stored) => {
  const { turn } = await joined('connector-secret', { page })
  expect(turn.page).toEqual(stored)
})

it('a chat whose client says no page has none, and its language may stand in the body, before that of the header', async () => {
  expect((await joined('connector-secret')).turn.page).toBeUndefined()
  expect((await joined('connector-secret', { language: 'pt-BR' })).turn.language).toBe('pt-BR')
  expect((await joined('connector-secret', { language: 'not a tag' })).turn.language).not.toBe('not a tag')
  expect((await joined('connector-secret', { language: 7 })).turn.language).not.toBe(7)
})
