// Questions that a visitor confirms: one decision about each, whoever sends it, however often, and the turn that gets it.

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ConversationPage } from '../../src/api/index.ts'
import type { Agent, Turn } from '../../src/runtime/index.ts'
import { createWorld, echoAgent, type Frame, NUMBER, plainNumber } from './world.ts'

const DECISION = 'EVENT_TYPE_USER_DECISION'
const MESSAGE = 'EVENT_TYPE_POLY_AGENT_MESSAGE'
const SAID = 'EVENT_TYPE_USER_MESSAGE'

const question = {
  type: 'confirm' as const,
  title: 'Cancel booking 4711?',
  summary: 'Two nights from 3 May.',
  confirm: 'Cancel it',
  cancel: 'Keep it',
}
const CARD = 'Pay with 4111 1111 1111 1111'
/** On a phone. */
const SHOWN = 'Cancel booking 4711?\n\nTwo nights from 3 May.\n• Cancel it\n• Keep it'
const turns: Turn[] = []

/** Asks before it acts; else echoes. */
const askingAgent: Agent = {
  name: 'Asking',
  async *act(turn) {
    turns.push(turn)
    if (turn.decision) {
      yield { type: 'text', text: `${turn.decision.id}: ${turn.decision.decision}` }
      return
    }
    if (!turn.text.startsWith('ask')) return yield* echoAgent.act(turn)
    yield { type: 'text', text: 'One thing first.' }
    yield {
      ...question,
      id: 'booking',
      ...(turn.text === 'ask blank' && { confirm: ' ' }),
      ...(turn.text === 'ask for a card' && { confirm: CARD }),
      ...(turn.text === 'ask for one word' && { confirm: question.cancel }),
    }
    if (turn.text === 'ask twice') yield { ...question, id: 'another', title: 'Or booking 4712?' }
    if (turn.text === 'ask and hand off') yield { type: 'handoff' }
    if (turn.text === 'ask after the handoff') {
      yield { type: 'handoff' }
      yield { ...question, id: 'late' }
    }
    if (turn.text === 'ask and end') yield { type: 'end' }
    if (turn.text === 'ask and fail') throw new Error('the agent broke')
    if (turn.text === 'ask and go on') {
      yield { type: 'text', text: 'Take your time.' }
      await turn.sleep(600_000)
    }
  },
}

let world: Awaited<ReturnType<typeof createWorld>>
beforeAll(async () => {
  world = await createWorld({ agent: askingAgent })
})
afterAll(() => world.close())

type Client = Awaited<ReturnType<typeof world.joined>>['client']

const asksIn = (client: Client): Frame[] => client.events().filter(({ payload }) => payload.confirm)
const idOf = (asked: Frame | undefined) => String((asked?.payload.confirm as { id: string } | undefined)?.id)
const decisionsIn = (events: readonly Frame[]) => events.filter(({ type }) => type === DECISION)

async function asked(text = 'ask', count = 1) {
  const { client, sessionId, token } = await world.joined()
  client.say(text)
  await client.until(() => asksIn(client).length === count)
  return { client, sessionId, token, confirm_id: idOf(asksIn(client).at(-1)) }
}
const answered = (client: Client, words: string) =>
  client.event('EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK', ({ payload }) => payload.text === words)
async function stored(sessionId: string, token: string): Promise<Frame[]> {
  const client = await world.connect(sessionId, token)
  const [batch] = await client.until(() => client.frames.length > 0 && client.frames)
  client.socket.close()
  return batch?.payload.events as Frame[]
}

describe('a question that an agent asks', () => {
  it('is a message with two suggestions for clients that do not know it', async () => {
    const { client, confirm_id } = await asked()
    const { title, summary, confirm, cancel } = question
    expect(asksIn(client)).toMatchObject([
      {
        type: MESSAGE,
        payload: {
          message_id: confirm_id,
          text: 'Cancel booking 4711?\n\nTwo nights from 3 May.',
          response_suggestions: [{ message_text: confirm }, { message_text: cancel }],
          confirm: { id: confirm_id, title, summary, confirm, cancel },
        },
      },
    ])
  })

  it('fails the answer where a choice has no words, since an empty message would then choose it', async () => {
    const { client } = await world.joined()
    client.say('ask blank')
    await client.event('EVENT_TYPE_SYSTEM_MESSAGE')
    expect(asksIn(client)).toEqual([])
  })

  it('cancels the question before it', async () => {
    const { client, sessionId, token } = await asked('ask twice', 2)
    const [first, second] = asksIn(client).map(idOf)
    const events = await stored(sessionId, token)
    expect(decisionsIn(events).map(({ payload }) => payload)).toEqual([
      { confirm_id: first, decision: 'cancel' },
    ])
    client.send(DECISION, { confirm_id: second, decision: 'confirm' })
    await answered(client, 'another: confirm')
  })
})

describe('a decision', () => {
  it.each([
    ['confirm', 'Cancel it'],
    ['cancel', 'Keep it'],
  ] as const)(
    'to %s is stored, and its turn has it with the words of the choice',
    async (decision, words) => {
      const { client, sessionId, token, confirm_id } = await asked()
      client.send(DECISION, { confirm_id, decision }, { client_event_id: 'd-1' })
      await answered(client, `booking: ${decision}`)
      const turn = turns.findLast((each) => each.sessionId === sessionId)
      expect(turn).toMatchObject({ trigger: 'message', text: words, decision: { id: 'booking', decision } })
      const events = await stored(sessionId, token)
      expect(events.slice(-3)).toMatchObject([
        {
          type: DECISION,
          payload: { confirm_id, decision },
          metadata: { custom: { client_event_id: 'd-1' } },
        },
        { type: SAID, payload: { text: words }, metadata: { custom: { client_event_id: 'd-1' } } },
        { type: MESSAGE },
      ])
      const { conversations } = (await (
        await world.get('/v3/larkspur/shop/conversations?client_env=sandbox&limit=100')
      ).json()) as ConversationPage
      const logged = conversations.find(({ id }) => id === sessionId)?.turns?.at(-1)
      expect(logged).toMatchObject({ user_input: words, agent_response: `booking: ${decision}` })
    },
  )

  it('is the first one: a repeated and another one get it as their echo, in every tab', async () => {
    const { client, sessionId, token, confirm_id } = await asked()
    const other = await world.connect(sessionId, token)
    client.send(DECISION, { confirm_id, decision: 'confirm' }, { client_event_id: 'd-1' })
    client.send(DECISION, { confirm_id, decision: 'confirm' }, { client_event_id: 'd-1' })
    await client.until(() => decisionsIn(client.events()).length === 2)
    await other.until(() => decisionsIn(other.events()).length === 1)
    other.send(DECISION, { confirm_id, decision: 'cancel' }, { client_event_id: 'd-2' })
    await other.until(() => decisionsIn(other.events()).length === 2)
    const echoes = [...decisionsIn(client.events()), ...decisionsIn(other.events())]
    expect(new Set(echoes.map(({ id }) => id)).size).toBe(1)
    const events = await stored(sessionId, token)
    expect(decisionsIn(events)).toHaveLength(1)
    expect(events.filter(({ payload }) => payload.text === 'Cancel it')).toHaveLength(1)
  })

  it('of two tabs at once is one decision and one turn', async () => {
    const { client, sessionId, token, confirm_id } = await asked()
    const other = await world.connect(sessionId, token)
    client.send(DECISION, { confirm_id, decision: 'confirm' })
    other.send(DECISION, { confirm_id, decision: 'cancel' })
    for (const each of [client, other]) {
      each.send('EVENT_TYPE_HEARTBEAT')
      await each.event('EVENT_TYPE_HEARTBEAT')
    }
    await client.event('EVENT_TYPE_POLY_AGENT_MESSAGE_CHUNK', ({ payload }) => payload.is_complete === true)
    expect(decisionsIn(await stored(sessionId, token))).toHaveLength(1)
    expect(turns.filter((turn) => turn.sessionId === sessionId && turn.decision)).toHaveLength(1)
  })

  it.each([
    ['an unknown question', { confirm_id: 'nobody', decision: 'confirm' }, /no such question/],
    [
      'an id that no database stores',
      { confirm_id: '\u0000\ud800', decision: 'confirm' },
      /no such question/,
    ],
    ['no question', { decision: 'confirm' }, /confirm_id/],
    ['an id without end', { confirm_id: 'x'.repeat(10_000), decision: 'confirm' }, /confirm_id/],
    ['neither choice', { confirm_id: 'nobody', decision: 'perhaps' }, /confirm or cancel/],
  ])('about %s is refused, and stores nothing', async (_, payload, words) => {
    const { client, sessionId, token } = await asked()
    client.send(DECISION, payload, { client_event_id: 'd-3' })
    expect(await client.event('EVENT_TYPE_SYSTEM_MESSAGE')).toMatchObject({
      sequence: null,
      payload: { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message: expect.stringMatching(words) },
      metadata: { custom: { client_event_id: 'd-3' } },
    })
    expect(decisionsIn(await stored(sessionId, token))).toEqual([])
  })

  it('about another session’s question is refused, and leaves both open', async () => {
    const [mine, theirs] = [await asked(), await asked()]
    mine.client.send(DECISION, { confirm_id: theirs.confirm_id, decision: 'confirm' })
    await mine.client.event('EVENT_TYPE_SYSTEM_MESSAGE')
    for (const { sessionId, token } of [mine, theirs])
      expect(decisionsIn(await stored(sessionId, token))).toEqual([])
    theirs.client.send(DECISION, { confirm_id: theirs.confirm_id, decision: 'confirm' })
    await answered(theirs.client, 'booking: confirm')
  })
})

describe('the visitor’s words', () => {
  it.each([
    ['cancel it', 'confirm'],
    ['  CANCEL IT ', 'confirm'],
    ['Keep it', 'cancel'],
    ['What does it cost?', 'cancel'],
  ])('%j decide the open question by %s, before they are answered', async (words, decision) => {
    const { client, sessionId, token, confirm_id } = await asked()
    client.say(words, 'm-1')
    await answered(client, `booking: ${decision}`)
    const events = await stored(sessionId, token)
    const at = events.findIndex(({ type }) => type === DECISION)
    expect(events.slice(at, at + 2)).toMatchObject([
      { type: DECISION, payload: { confirm_id, decision } },
      { type: SAID, payload: { text: words }, metadata: { custom: { client_event_id: 'm-1' } } },
    ])
  })

  it('decide once, though a client that lost its socket says them again', async () => {
    const { client, sessionId, token } = await asked()
    for (const _ of [1, 2]) client.say('Cancel it', 'm-2')
    await client.until(() => client.events().filter(({ type }) => type === SAID).length === 3)
    await answered(client, 'booking: confirm')
    expect(decisionsIn(await stored(sessionId, token))).toHaveLength(1)
    expect(turns.filter((turn) => turn.sessionId === sessionId && turn.decision)).toHaveLength(1)
  })

  it('are those of the choice though a card number in them is stored masked', async () => {
    const { client } = await asked('ask for a card')
    expect(JSON.stringify(asksIn(client))).not.toContain('4111')
    client.say(CARD)
    await answered(client, 'booking: confirm')
  })

  it('cancel where both choices have the same words', async () => {
    const { client } = await asked('ask for one word')
    client.say('Keep it')
    await answered(client, 'booking: cancel')
  })

  it('decide nothing a second time', async () => {
    const { client, sessionId, token } = await asked()
    client.say('Keep it')
    await answered(client, 'booking: cancel')
    client.say('Cancel it')
    await client.event(SAID, ({ payload }) => payload.text === 'Cancel it')
    expect(decisionsIn(await stored(sessionId, token))).toHaveLength(1)
    expect(turns.filter((turn) => turn.sessionId === sessionId && turn.decision)).toHaveLength(1)
  })

  it('decide on a phone, which shows the choices as lines', async () => {
    const phone = plainNumber(90)
    const read = () => world.carrier.screen(phone).map(({ text }) => text)
    await world.carrier.write(phone, NUMBER, { text: 'ask' })
    await vi.waitFor(() => expect(read().at(-1)).toBe(SHOWN))
    await world.carrier.write(phone, NUMBER, { text: ' cancel IT' })
    await vi.waitFor(() => expect(read().at(-1)).toBe('booking: confirm'))
    expect(turns.find((turn) => turn.userNumber === phone && turn.decision)?.decision).toEqual({
      id: 'booking',
      decision: 'confirm',
    })
  })
})

describe('a question stays open', () => {
  const STOP = 'EVENT_TYPE_USER_STOP_ANSWER'
  it.each([
    ['while its turn goes on', 'ask and go on', [DECISION, STOP]],
    ['as the visitor stops the answer that asked it', 'ask and go on', [STOP, DECISION]],
    ['where the agent fails after it asked', 'ask and fail', [DECISION]],
  ])('%s, and its decision has a turn', async (_, text, acts) => {
    const { client, confirm_id } = await asked(text)
    for (const act of acts) client.send(act, act === DECISION ? { confirm_id, decision: 'confirm' } : {})
    await answered(client, 'booking: confirm')
  })
})

describe('a question is cancelled', () => {
  it.each([
    ['as the agent hands the conversation off', 'ask and hand off'],
    ['at once where the agent has handed off before it asks', 'ask after the handoff'],
    ['as the agent ends the session', 'ask and end'],
  ])('%s', async (_, text) => {
    const { client, sessionId, token } = await asked(text, text === 'ask after the handoff' ? 2 : 1)
    await client.until(() => decisionsIn(client.events()).length === asksIn(client).length)
    expect(decisionsIn(await stored(sessionId, token)).map(({ payload }) => payload)).toEqual(
      asksIn(client).map((each) => ({ confirm_id: idOf(each), decision: 'cancel' })),
    )
  })

  it('as the visitor ends the session, before its end, and a decision that comes later gets that as its echo', async () => {
    const { client, sessionId, token, confirm_id } = await asked()
    client.send('EVENT_TYPE_USER_END_SESSION')
    await client.event('EVENT_TYPE_SESSION_END')
    expect(client.events().slice(-3)).toMatchObject([
      { type: DECISION, payload: { confirm_id, decision: 'cancel' } },
      { type: 'EVENT_TYPE_USER_END_SESSION' },
      { type: 'EVENT_TYPE_SESSION_END' },
    ])
    const end = String(client.events().at(-1)?.sequence)
    const late = await world.connect(sessionId, token, end)
    late.send(DECISION, { confirm_id, decision: 'confirm' })
    expect((await late.event(DECISION)).payload).toEqual({ confirm_id, decision: 'cancel' })
    expect(decisionsIn(await stored(sessionId, token))).toHaveLength(1)
  })

  it('while it waits for a person, and a decision that comes later starts no turn', async () => {
    const { client, sessionId, confirm_id } = await asked('ask and hand off')
    await client.event(DECISION)
    client.send(DECISION, { confirm_id, decision: 'confirm' })
    await client.until(() => decisionsIn(client.events()).length === 2)
    expect(decisionsIn(client.events()).map(({ payload }) => payload.decision)).toEqual(['cancel', 'cancel'])
    client.send('EVENT_TYPE_USER_LEAVE_QUEUE')
    client.say('Are you back?')
    await answered(client, 'You said Are you back?')
    expect(turns.filter((turn) => turn.sessionId === sessionId && turn.decision)).toEqual([])
  })
})
