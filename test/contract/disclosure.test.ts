// On a phone the agent's first message says that a machine answers, once, and the conversation keeps what was said.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Conversation, ConversationPage } from '../../src/api/index.ts'
import { createSimulatedCarrier } from '../../src/carriers/index.ts'
import type { Agent, Carrier, Database, RuntimeOptions, SendOutcome } from '../../src/runtime/index.ts'
import { type HandClock, handClock } from './clock.ts'
import { newDatabase } from './store.ts'
import {
  createWorld,
  echoAgent,
  NUMBER,
  PROJECTS,
  plainNumber,
  richNumber,
  type WorldOptions,
} from './world.ts'

const AI = "You're talking to an AI assistant."
const KI = 'Hier antwortet die *KI* von Juniper.'
const KI_SHOWN = 'Hier antwortet die KI von Juniper.'
const JUNIPER = '+15005550008'
const SARAH = { id: 'sarah', name: 'Sarah' }

/** One project without a setting of its own, and one with German texts. */
const projects: RuntimeOptions['projects'] = PROJECTS.map((project) =>
  project.id === 'PROJECT-othr0001'
    ? {
        ...project,
        language: 'de-AT',
        disclosure: { de: KI },
        senders: [
          { environment: 'live', kind: 'sms', address: JUNIPER },
          { environment: 'live', kind: 'rcs', address: 'MG-othr0001' },
        ],
      }
    : project,
)

/** Some words make it say nothing, or less than it should. */
const agent: Agent = {
  name: 'Echo',
  async *act(turn) {
    switch (turn.text) {
      case 'say nothing':
        return
      case 'break':
        throw new Error('the agent broke')
      case 'buttons only':
        return yield { type: 'finish', suggestions: [{ message_text: 'More' }] }
      case 'ask':
      case 'say and ask':
        if (turn.text === 'say and ask') yield { type: 'text', text: 'One thing first.' }
        return yield {
          type: 'confirm',
          id: 'lamp',
          title: 'Order the lamp?',
          summary: '',
          confirm: 'Order',
          cancel: 'No',
        }
      case 'long':
        return yield { type: 'text', text: 'x'.repeat(2_000) }
      case 'person':
        return yield { type: 'handoff', queueName: 'support' }
      case 'hang up':
        return yield { type: 'end' }
      default:
        yield* echoAgent.act(turn)
    }
  },
}

/** A database whose transactions fail before their statements run, or once committed. */
function hindered(database: Database) {
  const hinder: { before?: ((sql: string) => void) | undefined; committed?: (() => void) | undefined } = {}
  const over: Database = {
    ...database,
    transaction: async (run) => {
      const result = await database.transaction((tx) =>
        run({
          ...tx,
          query: (sql, ...rest) => {
            hinder.before?.(sql)
            return tx.query(sql, ...rest)
          },
          send: (sql, ...rest) => {
            hinder.before?.(sql)
            tx.send(sql, ...rest)
          },
        }),
      )
      hinder.committed?.()
      return result
    },
  }
  return { database: over, hinder }
}

type Call = (line: Parameters<NonNullable<Carrier['call']>>[1]) => Promise<void>

async function createPhones(options: WorldOptions = {}) {
  const clock: HandClock = handClock()
  const simulated = createSimulatedCarrier({
    clock,
    delayMs: 0,
    devices: Object.fromEntries(Array.from({ length: 60 }, (_, index) => [richNumber(index), { rcs: true }])),
  })
  let talk: Call = async () => {}
  const carrier: Carrier = {
    connect: simulated.connect,
    send: (message): Promise<SendOutcome> => simulated.send(message),
    async call(_, line) {
      await talk(line)
      return { status: 'completed' }
    },
  }
  const world = await createWorld({ clock, carrier, agent, projects, disclosure: undefined, ...options })

  async function conversation(number: string, at = 'larkspur/shop', env = 'sandbox'): Promise<Conversation> {
    const response = await world.get(`/v3/${at}/conversations?client_env=${env}`, {
      'x-api-key': at.startsWith('juniper') ? 'other-key' : 'all-key',
    })
    const { conversations } = (await response.json()) as ConversationPage
    const found = conversations.find((each) => [each.from_number, each.to_number].includes(number))
    if (!found) throw new Error(`${number} has no conversation`)
    return found
  }
  return {
    world,
    clock,
    simulated,
    conversation,
    /** Lets a second go by, in which what is due leaves, until the phone shows so many messages. */
    async shown(number: string, count: number) {
      for (let round = 0; round < 60; round++) {
        const incoming = simulated.screen(number).filter(({ direction }) => direction === 'in')
        if (incoming.length >= count) return incoming
        await clock.pass(1_000)
        await new Promise((resolve) => setImmediate(resolve))
      }
      throw new Error(`the phone shows ${JSON.stringify(simulated.screen(number))}`)
    },
    write: (number: string, text: string, to = NUMBER) => simulated.write(number, to, { text }),
    /** Has the API begin a conversation by text. */
    async send(body: object, key = 'all-key', connector = 'CON-test0001') {
      const headers = {
        'x-svc-auth-token': key,
        'x-token-id': connector,
        'content-type': 'application/json',
      }
      expect((await world.post('/v1/outbound-sms', headers, JSON.stringify(body))).status).toBe(202)
    },
    /** Calls a number: what the line answers to each speech, the first answer before. */
    async call(number: string, speeches: readonly string[], key = 'calling-token') {
      const heard: string[] = []
      const over = new Promise<void>((resolve, reject) => {
        talk = async (line) => {
          heard.push((await line.answered()).text)
          for (const speech of speeches) heard.push((await line.heard({ speech })).text)
        }
        const planned = talk
        talk = (line) => planned(line).then(resolve, reject)
      })
      const headers = { 'x-svc-auth-token': key, 'content-type': 'application/json' }
      const response = await world.post(
        '/v1/outbound-calling',
        headers,
        JSON.stringify({ to_number: number }),
      )
      expect(response.status).toBeLessThan(300)
      await over
      return heard
    },
  }
}

/** What a conversation records of the sentence. */
const recorded = ({ metrics = {} }: Conversation) =>
  Object.fromEntries(Object.entries(metrics).filter(([name]) => name.startsWith('disclosed')))

let phones: Awaited<ReturnType<typeof createPhones>>
let plain = ''
let rich = ''
let tests = 0
beforeAll(async () => {
  phones = await createPhones()
})
beforeEach(() => {
  tests++
  plain = plainNumber(tests)
  rich = richNumber(tests)
})
afterAll(() => phones.world.close())

describe('a conversation by text', () => {
  it('has the sentence before the first words of the agent, in the same message, and in no later one', async () => {
    await phones.write(plain, 'Hi')
    await phones.shown(plain, 1)
    await phones.write(plain, 'Again')
    const texts = (await phones.shown(plain, 2)).map(({ text }) => text)
    expect(texts).toEqual([`${AI}\nYou said Hi\n• More`, 'You said Again\n• More'])
  })

  it('records text, language, channel and time, and logs the sentence as part of the answer', async () => {
    await phones.write(plain, 'Hi')
    await phones.shown(plain, 1)
    const conversation = await phones.conversation(plain)
    expect(recorded(conversation)).toEqual({
      disclosed_at: conversation.turns?.[0]?.agent_response_datetime,
      disclosed_text: AI,
      disclosed_language: 'en',
      disclosed_channel: 'SMS',
    })
    expect(conversation.turns?.[0]?.agent_response).toBe(`${AI}\nYou said Hi`)
  })

  it('has the project’s own text, in the language of the conversation', async () => {
    await phones.write(plain, 'Hallo', JUNIPER)
    expect(await phones.shown(plain, 1)).toMatchObject([{ text: `${KI_SHOWN}\nYou said Hallo\n• More` }])
    expect(recorded(await phones.conversation(plain, 'juniper/shop', 'live'))).toMatchObject({
      disclosed_text: KI_SHOWN,
      disclosed_language: 'de',
    })
  })

  it('has the language that the agent switched to before it spoke', async () => {
    await phones.write(plain, 'deutsch')
    expect((await phones.shown(plain, 1))[0]?.text).toMatch(/^Sie sprechen mit einem KI-Assistenten\.\nYou/)
  })

  it('leaves the words of the API alone: the agent’s first answer has the sentence', async () => {
    await phones.send({ user_number: plain, message: 'Your bike is ready' })
    expect(await phones.shown(plain, 1)).toMatchObject([{ text: 'Your bike is ready' }])
    expect(recorded(await phones.conversation(plain))).toEqual({})
    await phones.write(plain, 'Thanks')
    expect((await phones.shown(plain, 2))[1]?.text).toBe(`${AI}\nYou said Thanks\n• More`)
  })

  it('has the sentence in the agent’s greeting', async () => {
    await phones.send({ user_number: plain })
    expect((await phones.shown(plain, 1))[0]?.text).toBe(`${AI}\nHello there\n• More`)
  })

  it('by RCS has it in both texts, in the project’s language', async () => {
    const body = { user_number: `rcs:${rich}`, messaging_service_sid: 'MG-othr0001' }
    await phones.send(body, 'other-key', 'CON-othr0001')
    const [first] = await phones.shown(rich, 1)
    expect(first).toMatchObject({ channel: 'rcs', text: `${KI_SHOWN}\nHello there` })
    const sent = phones.simulated.outbox().find(({ to }) => to === rich)
    expect([sent?.text, sent?.rich?.text]).toEqual([
      `${KI_SHOWN}\nHello there\n• More`,
      `${KI_SHOWN}\nHello there`,
    ])
    const conversation = await phones.conversation(rich, 'juniper/shop', 'live')
    expect(recorded(conversation)).toMatchObject({ disclosed_channel: 'RCS' })
  })

  it('by RCS has it in English where the project has no setting', async () => {
    await phones.send({ user_number: `rcs:${rich}`, messaging_service_sid: 'MG-test0001' })
    expect((await phones.shown(rich, 1))[0]).toMatchObject({ channel: 'rcs', text: `${AI}\nHello there` })
  })

  it('has the sentence where the first message has buttons alone', async () => {
    await phones.write(plain, 'buttons only')
    expect((await phones.shown(plain, 1))[0]?.text).toBe(`${AI}\n• More`)
  })

  it('has the sentence in a question that comes first, and in none after it', async () => {
    await phones.write(plain, 'ask')
    const question = 'Order the lamp?\n• Order\n• No'
    expect((await phones.shown(plain, 1))[0]?.text).toBe(`${AI}\n${question}`)
    const conversation = await phones.conversation(plain)
    expect(recorded(conversation)).toMatchObject({ disclosed_text: AI })
    expect(conversation.turns?.[0]?.agent_response).toBe(`${AI}\nOrder the lamp?`)
    await phones.write(plain, 'ask')
    expect((await phones.shown(plain, 2))[1]?.text).toBe(question)
  })

  it('has the sentence in the words before a question, and not in the question again', async () => {
    await phones.write(plain, 'say and ask')
    const texts = (await phones.shown(plain, 2)).map(({ text }) => text)
    expect(texts).toEqual([`${AI}\nOne thing first.`, 'Order the lamp?\n• Order\n• No'])
  })

  it('sends a message of more than ten segments whole, in one piece with the sentence', async () => {
    await phones.write(plain, 'long')
    const texts = (await phones.shown(plain, 1)).map(({ text }) => text)
    expect(texts).toEqual([`${AI}\n${'x'.repeat(2_000)}`])
  })

  it('has it in one message that comes piece by piece', async () => {
    await phones.write(plain, 'slow')
    const texts = (await phones.shown(plain, 1)).map(({ text }) => text)
    expect(texts).toEqual([
      `${AI}\n${Array.from({ length: 10 }, (_, index) => `${index + 1}, `)
        .join('')
        .trim()}`,
    ])
  })

  it('sends no message for the sentence alone: an agent that breaks or is silent has it in its next message', async () => {
    await phones.write(plain, 'break')
    await phones.clock.pass(2_000)
    await phones.write(plain, 'say nothing')
    await phones.clock.pass(2_000)
    expect(recorded(await phones.conversation(plain))).toEqual({})
    await phones.write(plain, 'Hi')
    const texts = (await phones.shown(plain, 1)).map(({ text }) => text)
    expect(texts).toEqual([`${AI}\nYou said Hi\n• More`])
  })

  it('has it before the half of a message that an agent leaves as it breaks', async () => {
    await phones.write(plain, 'fail')
    expect((await phones.shown(plain, 1))[0]?.text).toBe(`${AI}\nHalf of`)
    await phones.write(plain, 'Hi')
    expect((await phones.shown(plain, 2))[1]?.text).toBe('You said Hi\n• More')
  })

  it('has it in no message of a live agent, and in the first of the agent after one', async () => {
    await phones.write(plain, 'person')
    const { id } = await phones.conversation(plain)
    for (let round = 0; round < 60 && !(await phones.world.desk.take(id, SARAH)); round++)
      await phones.clock.pass(1_000)
    await phones.world.desk.answer(id, SARAH.id, 'Sarah here')
    expect((await phones.shown(plain, 1))[0]?.text).toBe('Sarah here')
    expect(recorded(await phones.conversation(plain))).toEqual({})
    await phones.world.desk.leave(id, SARAH.id, false)
    await phones.write(plain, 'Hi')
    expect((await phones.shown(plain, 2))[1]?.text).toBe(`${AI}\nYou said Hi\n• More`)
  })

  it('does not have it again once a live agent gave the conversation back', async () => {
    await phones.write(plain, 'Hi')
    await phones.shown(plain, 1)
    await phones.write(plain, 'person')
    const { id } = await phones.conversation(plain)
    for (let round = 0; round < 60 && !(await phones.world.desk.take(id, SARAH)); round++)
      await phones.clock.pass(1_000)
    await phones.world.desk.leave(id, SARAH.id, false)
    await phones.write(plain, 'Back?')
    expect((await phones.shown(plain, 2))[1]?.text).toBe('You said Back?\n• More')
  })

  it('has it again in the next conversation of the phone', async () => {
    await phones.write(plain, 'bye')
    await phones.shown(plain, 1)
    await phones.write(plain, 'Hi')
    expect((await phones.shown(plain, 2))[1]?.text).toBe(`${AI}\nYou said Hi\n• More`)
  })

  it('leaves the answers to HELP and STOP alone, and records nothing that nobody got', async () => {
    const body = { user_number: `rcs:${rich}`, messaging_service_sid: 'MG-test0001', message: 'Ready' }
    await phones.send(body)
    await phones.shown(rich, 1)
    for (const keyword of ['HELP', 'STOP']) await phones.write(rich, keyword)
    await phones.clock.pass(3_000)
    const conversation = await phones.conversation(rich)
    expect(conversation.turns?.at(-1)?.agent_response).toBe('You said STOP')
    expect(recorded(conversation)).toEqual({})
    await phones.write(rich, 'START')
    const texts = (await phones.shown(rich, 5)).map(({ text }) => text)
    expect(texts.filter((text) => text.startsWith(AI))).toEqual([`${AI}\nYou said START`])
  })

  it('keeps the record as long as the conversation: it goes when that is erased', async () => {
    await phones.write(plain, 'bye')
    await phones.shown(plain, 1)
    const { id } = await phones.conversation(plain)
    await phones.clock.leap(3 * 86_400_000)
    await phones.clock.pass(600_000)
    expect(await phones.world.runtime.metrics(id)).toMatchObject({ disclosed_text: AI })
    await phones.world.runtime.commands.eraseConversation(id)
    expect(await phones.world.runtime.metrics(id)).toBeUndefined()
  })
})

describe('a call', () => {
  it('begins with the sentence, which comes once and is recorded', async () => {
    expect(await phones.call(plain, ['Hi'])).toEqual([`${AI}\nHello there`, 'You said Hi'])
    const conversation = await phones.conversation(plain)
    expect(recorded(conversation)).toMatchObject({ disclosed_text: AI, disclosed_channel: 'VOICE-SIP' })
  })

  it('begins with the text of its project', async () => {
    expect(await phones.call(plain, [], 'other-calling')).toEqual([`${KI_SHOWN}\nHello there`])
  })

  it.each([
    ['is silent', []],
    ['breaks', [new Error('the agent broke')]],
    ['hangs up', [{ type: 'end' } as const]],
    ['hands off', [{ type: 'handoff' } as const]],
    ['says its metrics alone', [{ type: 'metric', name: 'a', value: 'b' } as const]],
  ])('has the sentence alone where the first answer %s', async (_, acts) => {
    const speechless: Agent = {
      name: 'Echo',
      async *act(turn) {
        if (turn.trigger === 'message') return yield* echoAgent.act(turn)
        for (const act of acts)
          if (act instanceof Error) throw act
          else yield act
      },
    }
    const own = await createPhones({ agent: speechless })
    try {
      expect(await own.call(plain, [])).toEqual([AI])
      expect(recorded(await own.conversation(plain))).toMatchObject({ disclosed_text: AI })
    } finally {
      await own.world.close()
    }
  })
})

it('a call has it with the first words, in the language to which the agent switched before them', async () => {
  const switching: Agent = {
    name: 'Echo',
    async *act() {
      yield { type: 'system', level: 'info', message: 'One moment' }
      yield { type: 'language', code: 'de-DE' }
      yield { type: 'text', text: 'Hallo' }
    },
  }
  const own = await createPhones({ agent: switching })
  try {
    expect(await own.call(plain, ['Hi'])).toEqual(['Sie sprechen mit einem KI-Assistenten.\nHallo', 'Hallo'])
  } finally {
    await own.world.close()
  }
})

it('a chat has no such sentence: the panel says it', async () => {
  const { client, sessionId } = await phones.world.chat(['Hi'])
  const texts = client.events().map(({ payload }) => String(payload.text ?? ''))
  expect(texts.some((text) => text.includes(AI))).toBe(false)
  expect(await phones.world.runtime.metrics(sessionId)).toEqual({})
})

describe('a transaction that stores the first message', () => {
  it.each(['before it commits', 'once it is committed'])(
    'has the sentence once, although the connection breaks %s',
    async (when) => {
      const { database, hinder } = hindered(await newDatabase())
      const own = await createPhones({ data: { database } })
      try {
        let broken = 0
        let stores = false
        hinder.before = (sql) => {
          stores ||= sql.includes('INSERT INTO foyer.delivery')
          if (when !== 'before it commits' || !stores || broken > 0) return
          broken++
          throw new Error('Connection terminated unexpectedly')
        }
        hinder.committed = () => {
          if (when === 'before it commits' || !stores || broken > 0) return
          broken++
          throw new Error('Connection terminated unexpectedly')
        }
        await own.write(plain, 'Hi')
        await own.shown(plain, 1)
        await own.write(plain, 'Again')
        const texts = (await own.shown(plain, 2)).map(({ text }) => text)
        expect(broken).toBe(1)
        expect(texts).toEqual([`${AI}\nYou said Hi\n• More`, 'You said Again\n• More'])
        expect(recorded(await own.conversation(plain))).toMatchObject({ disclosed_text: AI })
      } finally {
        await own.world.close()
      }
    },
  )
})

describe('the setting', () => {
  it.each([
    ['off', 'off' as const, undefined, ''],
    ['a text for all languages', { '*': 'A bot.' }, undefined, 'A bot.\n'],
    ['off, and the project’s own text', 'off' as const, { en: 'Our bot.' }, 'Our bot.\n'],
    ['a text, and off in the project', { en: 'A bot.' }, 'off' as const, ''],
  ])('%s, decides what is said', async (_, server, project, before) => {
    const own = await createPhones({
      disclosure: server,
      projects: PROJECTS.map((each) => (project ? { ...each, disclosure: project } : each)),
    })
    try {
      await own.write(plain, 'Hi')
      expect((await own.shown(plain, 1))[0]?.text).toBe(`${before}You said Hi\n• More`)
      expect(Object.keys(recorded(await own.conversation(plain)))).toHaveLength(before ? 4 : 0)
    } finally {
      await own.world.close()
    }
  })

  it('an agent without a model is called automated', async () => {
    const own = await createPhones({ agent: { ...agent, answers: 'automatic' } })
    try {
      await own.write(plain, 'Hi')
      const [first] = await own.shown(plain, 1)
      expect(first?.text).toBe("You're talking to an automated assistant.\nYou said Hi\n• More")
    } finally {
      await own.world.close()
    }
  })
})
