// An agent by its address, over the AG-UI protocol: what a visitor reads of its runs, good, broken and hostile.

import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type AguiAgentOptions, createAguiAgent } from '../../src/agents/index.ts'
import { message, type Reply, type Step, startAguiServer, toolCall } from '../agents/agui/stand-in.ts'
import { handClock } from './clock.ts'
import { createWorld, isWhole, type WorldOptions } from './world.ts'

const MESSAGE = 'EVENT_TYPE_POLY_AGENT_MESSAGE'
const CHUNK = 'EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK'
const SORRY = 'Sorry, I can’t answer right now: the assistant does not respond. Please try again in a moment.'
const CUT = '\n\nSorry, the answer broke off here.'

type World = Awaited<ReturnType<typeof createWorld>>
type Client = Awaited<ReturnType<World['connect']>>

/** One world for all agents of this file: each chat is answered by the agent that its test sets. */
let agent: ReturnType<typeof createAguiAgent>
let world: World
const lines: string[] = []
beforeAll(async () => {
  world = await createWorld({ agent: { name: 'Assistant', act: (turn) => agent.act(turn) } })
})
afterAll(() => world.close())

async function answeredBy(script: readonly Reply[], options: Partial<AguiAgentOptions> = {}) {
  const server = await startAguiServer(script)
  onTestFinished(async () => {
    await server.stop()
    expect(server.flaws).toEqual([])
  })
  lines.length = 0
  agent = createAguiAgent({ url: server.url, key: 'secret-key', log: (line) => lines.push(line), ...options })
  return server
}

/** What the agent has said in whole messages since the greeting; a streamed one by its pieces. */
function saidTo(client: Client): string[] {
  const texts = new Map<unknown, string>()
  for (const { type, payload } of client.events()) {
    const { message_id: id, text } = payload
    if (type === MESSAGE) texts.set(id, String(text))
    if (type === CHUNK) texts.set(id, (texts.get(id) ?? '') + String(text))
  }
  return [...texts.values()].slice(1)
}
const wholes = (client: Client) => client.events().filter(isWhole)

/** Says it, and resolves once so many messages are whole. */
async function ask(client: Client, text: string, messages = 1): Promise<void> {
  const before = wholes(client).length
  client.say(text)
  await client.until(() => wholes(client).length >= before + messages)
}

const replayed = async (sessionId: string, token: string) => {
  const client = await world.connect(sessionId, token)
  await client.until(() => client.frames.length > 0)
  client.socket.close()
  return saidTo(client)
}

describe('a chat with an agent by its address', () => {
  it('shows an answer in pieces, with the work before it, and has it whole after a reload', async () => {
    const server = await answeredBy([
      [
        { type: 'REASONING_START', messageId: 'r' },
        { type: 'REASONING_MESSAGE_START', messageId: 'r', role: 'reasoning' },
        { type: 'REASONING_MESSAGE_CONTENT', messageId: 'r', delta: 'Hours …' },
        { type: 'REASONING_MESSAGE_END', messageId: 'r' },
        { type: 'REASONING_END', messageId: 'r' },
        ...toolCall('c', 'opening_hours', { day: 'Monday' }),
        { type: 'TOOL_CALL_RESULT', messageId: 't', toolCallId: 'c', content: '9' },
        ...message('m', 'We open ', 'at ', 'nine.'),
      ],
    ])
    const { client, sessionId, token } = await world.joined()
    await ask(client, 'When do you open?')
    expect(saidTo(client)).toEqual(['We open at nine.'])
    expect(
      client.events().filter(({ type }) => type === 'EVENT_TYPE_POLY_AGENT_THINKING').length,
    ).toBeGreaterThan(0)
    expect(client.events().filter(({ type }) => type === CHUNK).length).toBeGreaterThan(1)
    expect(await replayed(sessionId, token)).toEqual(['We open at nine.'])
    expect(server.keys).toEqual(['Bearer secret-key'])
    const [input] = server.inputs
    expect(input).toMatchObject({ threadId: sessionId, state: {} })
    expect(input?.context).toContainEqual({ description: 'projectId', value: 'PROJECT-test0001' })
  })

  it('sends the whole conversation with each run, under names that stay the same, and the state', async () => {
    const server = await answeredBy([
      [
        { type: 'STATE_SNAPSHOT', snapshot: { seats: 1 } },
        { type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/seats', value: 2 }] },
        ...message('their-1', 'For two.'),
        ...message('their-2', 'When?'),
      ],
      message('their-3', 'Done.'),
      message('their-4', 'Bye.'),
    ])
    const { client } = await world.joined()
    await ask(client, 'A table', 2)
    await ask(client, 'At eight')
    await ask(client, 'Thanks')
    expect(saidTo(client)).toEqual(['For two.', 'When?', 'Done.', 'Bye.'])
    const [first, second, third] = server.inputs
    expect(second?.state).toEqual({ seats: 2 })
    expect(third?.state).toEqual({ seats: 2 })
    const of = (input: typeof first) => input?.messages.map(({ id, content }) => [id, content]) ?? []
    expect(of(third).slice(0, of(second).length)).toEqual(of(second))
    expect(of(second).slice(0, of(first).length)).toEqual(of(first))
    expect(of(third).map(([id]) => id)).toEqual([
      expect.any(String),
      first?.runId,
      'their-1',
      'their-2',
      second?.runId,
      'their-3',
      third?.runId,
    ])
    expect(new Set(server.inputs.map(({ runId }) => runId)).size).toBe(3)
  })

  it('offers its suggestions, and ends where the agent ends it', async () => {
    await answeredBy([
      [...message('m', 'For two?'), { type: 'CUSTOM', name: 'foyer.suggestions', value: ['Yes', 'No'] }],
      [{ type: 'CUSTOM', name: 'foyer.end', value: true }, ...message('n', 'Goodbye.')],
    ])
    const { client } = await world.joined()
    await ask(client, 'A table')
    expect(wholes(client).at(-1)?.payload.response_suggestions).toEqual([
      { message_text: 'Yes' },
      { message_text: 'No' },
    ])
    client.say('Bye')
    await client.event('EVENT_TYPE_SESSION_END', ({ payload }) => payload.reason === 'REASON_NATURAL_END')
    expect(saidTo(client)).toEqual(['For two?', 'Goodbye.'])
  })

  it('goes to a person where the agent calls the tool, and comes back with what was said', async () => {
    const server = await answeredBy(
      [
        [
          ...message('m', 'One moment.'),
          ...toolCall('c', 'handoff', { reason: 'a refund', data: { order: 7 } }),
        ],
        message('n', 'Welcome back.'),
      ],
      { handsOff: true },
    )
    const SARAH = { id: 'sarah', name: 'Sarah' }
    const { client, sessionId } = await world.joined()
    await ask(client, 'I want my money back')
    await client.event('EVENT_TYPE_HANDOFF_QUEUE_STATUS')
    const state = await world.get(`/v1/ws-test0001/PROJECT-test0001/handoff_state?id=${sessionId}`)
    expect(await state.json()).toMatchObject({ data: { order: 7, last_question: 'I want my money back' } })
    expect(await world.desk.take(sessionId, SARAH)).toBe(true)
    client.say('Hello, Sarah')
    await client.event('EVENT_TYPE_USER_MESSAGE', ({ payload }) => payload.text === 'Hello, Sarah')
    await world.desk.answer(sessionId, SARAH.id, 'Refunded.')
    await client.event('EVENT_TYPE_LIVE_AGENT_MESSAGE')
    expect(server.inputs).toHaveLength(1)
    await world.desk.leave(sessionId, SARAH.id, false)
    await ask(client, 'And now?')
    expect(server.inputs[1]?.messages.map(({ content }) => content).slice(-5)).toEqual([
      'I want my money back',
      'One moment.',
      'Hello, Sarah',
      'Refunded.',
      'And now?',
    ])
  })
})

describe('a run that waits for a decision', () => {
  const asks = (id: string, message: string): Step => ({
    type: 'RUN_FINISHED',
    outcome: { type: 'interrupt', interrupts: [{ id, reason: 'tool_call', message }] },
  })
  const cardIn = (client: Client) =>
    client.events().findLast(({ payload }) => payload.confirm)?.payload.confirm as {
      id: string
      title: string
    }

  it('asks by a card, and goes on with what the visitor chose', async () => {
    const server = await answeredBy([
      [...message('m', 'Let me see.'), ...toolCall('c', 'refund', { order: 7 }), asks('i', 'Refund 20 €?')],
      [
        { type: 'TOOL_CALL_RESULT', messageId: 't', toolCallId: 'c', content: 'done' },
        ...message('n', 'It is on its way.'),
      ],
      message('o', 'You are welcome.'),
    ])
    const { client } = await world.joined()
    await ask(client, 'My money, please', 2)
    const { id, title } = cardIn(client)
    expect(title).toBe('Refund 20 €?')
    const before = wholes(client).length
    client.send('EVENT_TYPE_USER_DECISION', { confirm_id: id, decision: 'confirm' })
    await client.until(() => wholes(client).length > before)
    await ask(client, 'Thanks')
    expect(saidTo(client)).toEqual(['Let me see.', 'Refund 20 €?', 'It is on its way.', 'You are welcome.'])
    expect(server.inputs.map(({ resume }) => resume)).toEqual([
      undefined,
      [{ interruptId: 'i', status: 'resolved', payload: { approved: true } }],
      undefined,
    ])
  })

  it('takes the words of a choice for it, and others for none', async () => {
    const server = await answeredBy([
      [asks('i', 'Refund 20 €?')],
      [asks('j', 'A voucher, then?')],
      message('m', 'As you like.'),
    ])
    const { client } = await world.joined()
    await ask(client, 'My money, please')
    await ask(client, 'no')
    await ask(client, 'What else?')
    expect(server.inputs.map(({ resume }) => resume)).toEqual([
      undefined,
      [{ interruptId: 'i', status: 'resolved', payload: { approved: false } }],
      [{ interruptId: 'j', status: 'cancelled' }],
    ])
    expect(server.inputs[2]?.messages.at(-1)?.content).toBe('What else?')
  })
})

describe('an answer that is not to be finished', () => {
  it('leaves the agent at once when the visitor stops it, and asks it no second time', async () => {
    const server = await answeredBy([
      [...message('m', 'One two ').slice(0, -1), 'hang'],
      message('n', 'Four.'),
    ])
    const { client } = await world.joined()
    client.say('Count')
    const half = await client.event(CHUNK, ({ payload }) => String(payload.text).includes('two'))
    client.send('EVENT_TYPE_USER_STOP_ANSWER', { message_id: half.payload.message_id })
    await client.event(CHUNK, ({ payload }) => payload.stopped === true)
    await vi.waitFor(() => expect(server.left).toEqual([server.inputs[0]?.runId]), 10_000)
    await ask(client, 'Go on')
    expect(saidTo(client)).toEqual(['One two ', 'Four.'])
    expect(server.inputs).toHaveLength(2)
    expect(lines).toEqual([])
  })

  it('ends with an apology where the agent dies, and the next question finds it again', async () => {
    let release = () => {}
    const wait = new Promise<void>((resolve) => {
      release = resolve
    })
    const server = await answeredBy([
      [...message('m', 'One two ').slice(0, -1), { wait }],
      message('n', 'Back.'),
    ])
    const { client, sessionId, token } = await world.joined()
    client.say('Count')
    await client.event(CHUNK, ({ payload }) => String(payload.text).includes('two'))
    await server.restart()
    release()
    await client.until(() => wholes(client).length > 1)
    expect(saidTo(client)).toEqual([`One two ${CUT}`])
    expect(lines).toEqual([`The agent at ${new URL(server.url).host} failed: the answer broke off.`])
    await ask(client, 'Try again')
    expect(server.inputs[1]?.messages.at(-1)?.content).toBe('Count')
    expect(await replayed(sessionId, token)).toEqual([`One two ${CUT}`, 'Back.'])
  })
})

const flood = (text: string): Step[] => Array.from({ length: 2_000 }, () => ({ raw: text }))

describe('an agent that does not keep to the protocol', () => {
  it.each<[string, Reply, string, string]>([
    ['500', { status: 500, body: 'secret' }, SORRY, 'it answered 500'],
    [
      'a page',
      { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>Hi' },
      SORRY,
      'it sent no event stream',
    ],
    ['a redirect', { status: 307, headers: { location: 'http://127.0.0.1:1/' } }, SORRY, 'it answered 307'],
    [
      'an error',
      [{ type: 'RUN_ERROR', message: 'no quota', code: 'E1' }],
      SORRY,
      'the agent reported an error (E1): no quota',
    ],
    [
      'an error in mid-answer',
      [...message('m', 'Half '), { type: 'RUN_ERROR', message: 'x' }],
      `Half ${CUT}`,
      'the agent reported an error: x',
    ],
    ['a cut', [...message('m', 'Half '), 'cut'], `Half ${CUT}`, 'the answer broke off'],
    [
      'half an event',
      [...message('m', 'Half '), { raw: 'data: {"type":"TEXT_MES' }, 'cut'],
      `Half ${CUT}`,
      'the answer broke off',
    ],
    ['no JSON', [{ raw: 'data: hello\n\n' }], SORRY, 'an event is not JSON'],
    [
      'a flood of text',
      flood(`data: ${JSON.stringify({ type: 'RAW', event: 'x'.repeat(3_000) })}\n\n`),
      SORRY,
      'the stream is too long',
    ],
    ['one endless event', flood('x'.repeat(1_000)), SORRY, 'an event is too long'],
  ])(
    'costs the visitor one honest sentence, and the operator one line: %s',
    async (_, reply, text, cause) => {
      const server = await answeredBy([reply, message('n', 'Better.')])
      const { client } = await world.joined()
      await ask(client, 'Hello')
      expect(saidTo(client)).toEqual([text])
      expect(wholes(client).at(-1)?.payload.response_suggestions).toEqual([{ message_text: 'Try again' }])
      expect(lines).toEqual([`The agent at ${new URL(server.url).host} failed: ${cause}.`])
      await ask(client, 'Try again')
      expect(saidTo(client)).toEqual([text, 'Better.'])
    },
  )

  it('makes words of links to other hosts', async () => {
    await answeredBy([message('m', 'See [here](https://evil.', 'example/a) or <https://evil.example>.')])
    const { client } = await world.joined()
    await ask(client, 'Where?')
    expect(saidTo(client)[0]).toMatch(/^See here or/)
    expect(saidTo(client)[0]).not.toMatch(/\]\(|https:/)
  })

  it('stores no half of a sign: an emoji in two pieces is whole', async () => {
    await answeredBy([message('m', 'Hi \ud83d', '\ude00!')])
    const { client, sessionId, token } = await world.joined()
    await ask(client, 'Hello')
    expect(saidTo(client)).toEqual(['Hi 😀!'])
    expect(await replayed(sessionId, token)).toEqual(['Hi 😀!'])
  })
})

describe('an agent that says nothing', () => {
  const slow = async (options: WorldOptions = {}) => {
    const clock = handClock()
    const server = await startAguiServer([
      [...message('m', 'Half ').slice(0, -1), 'hang'],
      message('n', 'Better.'),
    ])
    const log: string[] = []
    const agent = createAguiAgent({ url: server.url, log: (line) => log.push(line) })
    const own = await createWorld({ clock, agent, ...options })
    onTestFinished(async () => {
      await own.close()
      await server.stop()
    })
    return { clock, server, log, own }
  }

  it('is left after half a minute of the runtime’s time', async () => {
    const { clock, server, log, own } = await slow()
    const { client } = await own.joined()
    client.say('Hello')
    await client.until(() => client.events().some(({ payload }) => payload.text === 'Hello'))
    for (let step = 0; step < 800 && wholes(client).length < 2; step++) {
      await clock.pass(100)
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    expect(saidTo(client)).toEqual([`Half ${CUT}`])
    expect(log).toEqual([`The agent at ${new URL(server.url).host} failed: it fell silent.`])
  })
})
