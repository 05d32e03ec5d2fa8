// A carrier as its author reads the interface: without words for stop, start and help, and a runtime without any carrier.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ConversationPage } from '../../src/api/index.ts'
import type { Agent, Carrier, InboundMessage, RuntimeOptions, TextMessage } from '../../src/runtime/index.ts'
import { handClock } from './clock.ts'
import { newDatabase } from './store.ts'
import { createWorld, NUMBER, plainNumber, richNumber } from './world.ts'

const GOOD = {
  'content-type': 'application/json',
  'x-svc-auth-token': 'all-key',
  'x-token-id': 'CON-test0001',
}

/** Accepts each message, and hands over what phones write as it is given. */
async function plainCarrier(options: Partial<RuntimeOptions> = {}, refuses = false) {
  const clock = handClock()
  const sent: TextMessage[] = []
  let receive: (message: InboundMessage) => Promise<void> = async () => {}
  let connected = true
  const carrier: Carrier = {
    connect(to) {
      receive = to
      return () => {
        connected = false
      }
    },
    async send(message) {
      if (refuses) throw new Error('The network is down')
      sent.push(message)
      return { status: 'accepted', channel: message.rich ? 'rcs' : 'sms' }
    },
    call: async () => ({ status: 'completed' }),
  }
  const world = await createWorld({ clock, carrier, ...options })
  let count = 0
  return {
    world,
    clock,
    sent,
    connected: () => connected,
    send: (body: object) => world.post('/v1/outbound-sms', GOOD, JSON.stringify(body)),
    receive: (message: InboundMessage) => receive(message),
    write: (from: string, text: string, more: Partial<InboundMessage> = {}) =>
      receive({ id: `message-${++count}`, channel: 'sms', from, to: NUMBER, text, ...more }),
    conversation: async () => {
      const page = await world.get('/v3/larkspur/shop/conversations?client_env=sandbox')
      return ((await page.json()) as ConversationPage).conversations[0]
    },
    /** Lets time go by until so many messages have been sent. */
    async until(messages: number) {
      for (let round = 0; round < 200 && sent.length < messages; round++) {
        await clock.pass(1_000)
        await new Promise((resolve) => setImmediate(resolve))
      }
      expect(sent.map(({ text }) => text)).toHaveLength(messages)
    },
  }
}

/** Lets so many seconds go by, and what is due in each happen. */
async function passes(clock: ReturnType<typeof handClock>, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await clock.pass(1_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('a carrier that gives no keyword', () => {
  it.each([
    ['STOP', 'START', 'HELP'],
    [' stop\n', 'Unstop', 'info'],
    ['StopAll', 'START ', 'Help'],
    ['unsubscribe', 'start', 'hilfe'],
    ['Cancel', 'alta', 'HELP'],
    ['END', 'start', 'HELP'],
    ['quit', 'start', 'HELP'],
    ['Arre\u0302t', 'commencer', 'Aide'],
  ])('has %j, %j and %j recognised, before the agent on SMS', async (stop, start, help) => {
    const database = await newDatabase()
    const { world, clock, sent, send, write, conversation, until } = await plainCarrier({
      data: { database },
    })
    const plain = plainNumber(1)
    try {
      await send({ user_number: plain, message: 'Hello' })
      await until(1)
      for (const word of [help, stop]) await write(plain, word)
      // Who has opted out is not heard any more, and gets nothing.
      await write(plain, 'anybody?')
      expect((await send({ user_number: plain, message: 'unwanted' })).status).toBe(202)
      // Else it would leave once the phone hears again.
      while ((await database.query('SELECT 1 FROM foyer.delivery')).length > 0) await clock.pass(1_000)
      await write(plain, start)
      await write(plain, `please ${stop.trim()}`)
      await until(2)
      expect(sent.map(({ text }) => text)).toEqual(['Hello', `You said please ${stop.trim()}\n• More`])
      const turns = (await conversation())?.turns ?? []
      expect(turns.map(({ user_input }) => user_input).filter(Boolean)).toEqual([`please ${stop.trim()}`])
    } finally {
      await world.close()
    }
  })

  it('has the agent hear STOP and START by RCS', async () => {
    const { world, send, write, conversation, clock, until } = await plainCarrier()
    const rich = richNumber(1)
    try {
      await send({ user_number: `rcs:${rich}`, messaging_service_sid: 'MG-test0001', message: 'Hello' })
      await until(1)
      for (const [word, channel] of [
        ['Unsubscribe', 'rcs'],
        ['what?', 'rcs'],
        // The conversation stays one by RCS, whatever this message took.
        ['Unstop', 'sms'],
      ] as const) {
        await write(rich, word, { channel })
        await clock.pass(5_000)
      }
      await until(2)
      const turns = (await conversation())?.turns ?? []
      expect(turns.map(({ user_input }) => user_input)).toEqual(['', 'STOP', 'START'])
    } finally {
      await world.close()
    }
  })

  it('has no other word of a carrier that says of each message whether it is one', async () => {
    const { world, sent, write, until } = await plainCarrier()
    try {
      await write(plainNumber(2), 'stop', { keyword: undefined })
      await until(1)
      await write(plainNumber(2), 'genug', { keyword: 'STOP' })
      await write(plainNumber(2), 'and now?')
      await write(plainNumber(2), 'weiter', { keyword: 'START' })
      await write(plainNumber(2), 'hello')
      await until(2)
      expect(sent.map(({ text }) => text)).toEqual(['You said stop\n• More', 'You said hello\n• More'])
    } finally {
      await world.close()
    }
  })
})

describe('a keyword that is a choice of the open question', () => {
  /** Asks about two words, which come as `ask: one, other`; repeats all else, and what it decides. */
  const asking: Agent = {
    name: 'Asking',
    async *act(turn) {
      const [, confirm, cancel] = /^ask: (.*), (.*)$/.exec(turn.text) ?? []
      if (confirm && cancel)
        return yield { type: 'confirm', id: 'stay', title: 'Book it?', summary: '', confirm, cancel }
      yield { type: 'text', text: `${turn.decision?.decision ?? 'echo'}: ${turn.text}` }
    },
  }

  it.each([
    ['Book, Cancel', ' cancel\n', 'cancel'],
    ['End, Go on', 'END', 'confirm'],
    ['Stay, Quit', 'quit', 'cancel'],
    ['Start, Later', 'start', 'confirm'],
    ['Info, No', 'Info', 'confirm'],
  ])('decides it: of %s, %j', async (choices, words, decision) => {
    const { sent, write, until, world } = await plainCarrier({ agent: asking })
    try {
      await write(plainNumber(6), `ask: ${choices}`)
      await until(1)
      await write(plainNumber(6), words)
      await until(2)
      expect(sent[1]?.text).toBe(`${decision}: ${words.trim()}`)
      // The question is closed: the word is a keyword again.
      await write(plainNumber(6), words)
      await write(plainNumber(6), 'start')
      await write(plainNumber(6), 'hello')
      await until(3)
      expect(sent[2]?.text).toBe('echo: hello')
    } finally {
      await world.close()
    }
  })

  it.each([
    ['is STOP', 'Go, Stop', 'Stop', {}],
    ['means nothing else', 'Go, Unsubscribe', 'unsubscribe', {}],
    ['is no choice of it', 'Go, Leave', 'Cancel', {}],
    ['is one for the carrier itself', 'Go, Cancel', 'Cancel', { keyword: 'STOP' as const }],
  ])('stops texts all the same where it %s', async (_, choices, words, more) => {
    const { sent, write, until, world } = await plainCarrier({ agent: asking })
    try {
      await write(plainNumber(7), `ask: ${choices}`)
      await until(1)
      await write(plainNumber(7), words, more)
      await write(plainNumber(7), 'anybody?')
      await write(plainNumber(7), 'START')
      await write(plainNumber(7), 'hello')
      await until(2)
      expect(sent[1]?.text).toBe('cancel: hello')
    } finally {
      await world.close()
    }
  })

  it('has who stopped texts hear again, and decides nothing', async () => {
    const { sent, write, until, world } = await plainCarrier({ agent: asking })
    try {
      await write(plainNumber(8), 'ask: Start, Later')
      await until(1)
      for (const words of ['STOP', 'Start', 'Start']) await write(plainNumber(8), words)
      await until(2)
      expect(sent[1]?.text).toBe('confirm: Start')
    } finally {
      await world.close()
    }
  })
})

it('a phone that writes first is answered by the RCS sender of the environment that it wrote to', async () => {
  const { world, sent, write, until } = await plainCarrier()
  try {
    await write(richNumber(3), 'hello', { channel: 'rcs' })
    await until(1)
    expect(sent).toMatchObject([{ from: NUMBER, rich: { sender: 'MG-test0001' } }])
  } finally {
    await world.close()
  }
})

describe('what a carrier hands to receive that is no message', () => {
  const good = { id: 'm-1', channel: 'sms', from: plainNumber(9), to: NUMBER, text: 'secret words' }
  const { text: _, ...textless } = good
  it.each<[string, unknown]>([
    ['The message must be an object', undefined],
    ['id must be a text of 1 to 200 characters', { ...good, id: undefined }],
    ['id must be a text of 1 to 200 characters', { ...good, id: 'x'.repeat(201) }],
    ['id must be a text of 1 to 200 characters', { ...good, id: 'a\0' }],
    ["channel must be 'sms' or 'rcs'", { ...good, channel: undefined }],
    ['from must be the number of the user in E.164 format', { ...good, from: '0170 123' }],
    ['to must be the number of the project', { ...good, to: undefined }],
    ['text must be a text', { ...textless, txt: 'secret words' }],
    ['text must be a text', { ...good, text: 'x'.repeat(131_073) }],
    ["keyword must be 'STOP', 'START', 'HELP' or undefined", { ...good, keyword: 'stop' }],
    ['media must be a list', { ...good, media: [{ url: 'https://a.example/1' }] }],
    ['media must be a list', { ...good, media: 'https://a.example/1' }],
    ['location must be an object', { ...good, location: 'here' }],
    ['button must be an object', { ...good, button: 'Yes' }],
  ])('is rejected: %s', async (problem, message) => {
    const { receive, conversation } = shared
    const rejected = receive(message as InboundMessage)
    await expect(rejected).rejects.toThrow(`receive of the carrier: ${problem}`)
    await expect(rejected).rejects.not.toThrow('secret')
    expect(await conversation()).toBeUndefined()
  })

  let shared: Awaited<ReturnType<typeof plainCarrier>>
  beforeAll(async () => {
    shared = await plainCarrier()
  })
  afterAll(() => shared.world.close())
})

describe('an RCS message with more than ten cards', () => {
  it('is cut, and the log says so', async () => {
    const { world, sent, send, write, until } = await plainCarrier()
    const rich = richNumber(2)
    const cut = () => world.log.filter((line) => /12 attachments.* the first 10/.test(line))
    try {
      await send({ user_number: `rcs:${rich}`, messaging_service_sid: 'MG-test0001', message: 'Hello' })
      await write(rich, 'card', { channel: 'rcs' })
      await until(2)
      expect(cut()).toEqual([])
      await write(rich, 'rich', { channel: 'rcs' })
      await until(3)
      expect(sent[2]?.rich?.cards).toHaveLength(10)
      expect(cut()).toHaveLength(1)
      expect(cut().join()).not.toContain(rich)
    } finally {
      await world.close()
    }
  })
})

describe('the warning of an idle conversation', () => {
  it.each([
    ['hello', 60, /^Are you still there\? Reply within 1 minute to keep/],
    ['deutsch', 5_400, /^Sind Sie noch da\? .* noch 1 Stunde und 30 Minuten offen/],
  ])(
    'after %j with %d seconds to reply names these, in the language of the conversation',
    async (said, seconds, words) => {
      const { world, sent, write, clock, until, conversation } = await plainCarrier({
        settings: { textIdleSeconds: 3_600, textGraceSeconds: seconds },
      })
      try {
        await write(plainNumber(3), said)
        await until(1)
        await clock.leap(3_600_000)
        await until(2)
        expect(sent[1]?.text).toMatch(words)
        expect((await conversation())?.turns?.at(-1)?.agent_response).toContain(sent[1]?.text)
        // Until its time is over, a reply keeps the conversation.
        await clock.leap((seconds - 20) * 1_000)
        expect((await conversation())?.in_progress).toBe(true)
      } finally {
        await world.close()
      }
    },
  )
})

describe.each<[string, Carrier | undefined]>([
  ['without a carrier', undefined],
  ['with a carrier that only places calls', { call: async () => ({ status: 'completed' }) }],
])('a runtime %s', (_, carrier) => {
  it('refuses an SMS with the reason, stores nothing, and warns once', async () => {
    const { world, send, conversation } = await plainCarrier({ carrier })
    const text = { user_number: plainNumber(4), message: 'Hello' }
    const rcs = { user_number: `rcs:${richNumber(4)}`, messaging_service_sid: 'MG-test0001' }
    try {
      // What is wrong with the request comes first.
      expect((await send({ ...text, user_number: '12' })).status).toBe(400)
      expect(world.log.join()).not.toContain('carrier')
      for (const body of [text, rcs, text]) {
        const response = await send(body)
        expect([response.status, await response.json()]).toEqual([
          500,
          { detail: 'No carrier is configured: the message cannot be sent' },
        ])
      }
      expect(await conversation()).toBeUndefined()
      expect(world.log.filter((line) => line.includes('No carrier is configured'))).toHaveLength(1)
    } finally {
      await world.close()
    }
  })

  it('leaves a message that another accepted to processes with a carrier, for the hour of retries', async () => {
    const database = await newDatabase()
    const data = { database: { ...database, close: async () => {} } }
    const clock = handClock()
    const text = { user_number: plainNumber(5), message: 'Hello' }
    const before = await plainCarrier({ data, clock }, true)
    expect((await before.send(text)).status).toBe(202)
    expect(before.connected()).toBe(true)
    await before.world.close()
    expect(before.connected()).toBe(false)

    const without = await plainCarrier({ data, clock, carrier })
    await clock.leap(3_500_000)
    await passes(clock, 20)
    expect((await without.conversation())?.metrics?.undelivered).toBeUndefined()
    await without.world.close()

    const after = await plainCarrier({ data, clock })
    try {
      for (let round = 0; round < 200 && after.sent.length < 1; round++) await passes(clock, 1)
      expect(after.sent.map(({ text }) => text)).toEqual(['Hello'])
      expect((await after.conversation())?.metrics?.undelivered).toBeUndefined()
    } finally {
      await after.world.close()
      await database.close()
    }
  })

  it('gives up a message that nobody has sent for an hour, with the reason', async () => {
    const database = await newDatabase()
    const clock = handClock()
    const data = { database: { ...database, close: async () => {} } }
    const before = await plainCarrier({ data, clock }, true)
    expect((await before.send({ user_number: plainNumber(5), message: 'Hello' })).status).toBe(202)
    await before.world.close()
    const { world, conversation } = await plainCarrier({ carrier, clock, data: { database } })
    try {
      await clock.leap(3_600_000)
      let found = await conversation()
      for (let round = 0; round < 200 && !found?.metrics?.undelivered; round++) {
        await passes(clock, 1)
        found = await conversation()
      }
      expect(found?.metrics?.undelivered).toBe('No carrier is configured')
    } finally {
      await world.close()
    }
  })
})

describe('a key of another region', () => {
  it.each(['CON-test0001', 'CON-nobody01'])('does not learn whether the connector %s exists', async (id) => {
    const { world } = await plainCarrier()
    try {
      const headers = { ...GOOD, 'x-svc-auth-token': 'us-key', 'x-token-id': id }
      const response = await world.post('/v1/outbound-sms', headers, '{}')
      expect([response.status, await response.json()]).toEqual([
        403,
        { detail: 'The API key is for the region us-1' },
      ])
    } finally {
      await world.close()
    }
  })
})
