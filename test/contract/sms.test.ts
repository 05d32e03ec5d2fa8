// Part 2: SMS and RCS, from the API to a phone and back.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Conversation, ConversationPage } from '../../src/api/index.ts'
import type { Carrier, Database, InboundMessage, TextMessage } from '../../src/runtime/index.ts'
import { type HandClock, handClock } from './clock.ts'
import { newDatabase } from './store.ts'
import { createWorld, NUMBER, PROJECTS, plainNumber, richNumber } from './world.ts'

const GOOD = {
  'x-svc-auth-token': 'all-key',
  'x-token-id': 'CON-test0001',
  'content-type': 'application/json',
}
let clock: HandClock
let world: Awaited<ReturnType<typeof createWorld>>
/** The phones of a test, and no other's. */
let plain = ''
let rich = ''
let tests = 0
beforeAll(async () => {
  clock = handClock()
  world = await createWorld({ clock })
})
beforeEach(() => {
  tests++
  plain = plainNumber(tests)
  rich = richNumber(tests)
})
afterAll(() => world.close())

const send = (body: object, headers: Record<string, string> = GOOD) =>
  world.post('/v1/outbound-sms', headers, JSON.stringify(body))

/** Lets a second go by, in which what is due leaves, until the phone shows so many messages. */
async function shown(number: string, count: number) {
  for (let round = 0; round < 60; round++) {
    const incoming = world.carrier.screen(number).filter(({ direction }) => direction === 'in')
    if (incoming.length >= count) return incoming
    await clock.pass(1_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw new Error(`the phone shows ${JSON.stringify(world.carrier.screen(number))}`)
}
async function conversations(query = ''): Promise<Conversation[]> {
  const response = await world.get(`/v3/larkspur/shop/conversations?client_env=sandbox${query}`)
  const page = (await response.json()) as ConversationPage
  return page.conversations.filter(({ from_number }) => from_number === plain || from_number === rich)
}

describe('POST /v1/outbound-sms', () => {
  it('sends a message, answers 202 without a body, and opens a conversation that begins with the message', async () => {
    const response = await send({ user_number: plain, message: 'Your bike is *ready*' })
    expect([response.status, await response.text()]).toEqual([202, ''])
    expect(await shown(plain, 1)).toMatchObject([
      { channel: 'sms', with: NUMBER, text: 'Your bike is *ready*' },
    ])
    const [conversation] = await conversations()
    expect(conversation).toMatchObject({
      channel: 'SMS',
      environment: 'sandbox',
      from_number: plain,
      to_number: NUMBER,
      in_progress: true,
      num_turns: 1,
    })
    expect(conversation?.turns?.[0]).toMatchObject({ user_input: '', agent_response: 'Your bike is *ready*' })

    await world.carrier.write(plain, NUMBER, { text: 'Thanks' })
    expect(await shown(plain, 2)).toMatchObject([{}, { text: 'You said Thanks\n• More' }])
    const [after, ...more] = await conversations('&channel=sms')
    expect(more).toEqual([])
    expect((await conversations('&channel=SMS')).map(({ id }) => id)).toEqual([after?.id])
    expect(after?.turns?.[1]).toMatchObject({ user_input: 'Thanks', agent_response: 'You said Thanks' })
  })

  it('shows the sent message to the agent as the first of the history', async () => {
    await send({ user_number: plain, message: 'Your bike is ready' })
    await shown(plain, 1)
    await world.carrier.write(plain, NUMBER, { text: 'history' })
    const [, second] = await shown(plain, 2)
    expect(JSON.parse(second?.text ?? '')).toEqual([{ role: 'agent', text: 'Your bike is ready' }])
  })

  it('lets the agent greet when the request has no message', async () => {
    await send({ user_number: plain })
    expect(await shown(plain, 1)).toMatchObject([{ text: 'Hello there\n• More' }])
  })

  it('sends from the given sender, by default from one of the environment', async () => {
    await send({ user_number: plain, message: 'a', agent_number: '+15005550007' })
    expect((await shown(plain, 1))[0]?.with).toBe('+15005550007')
    expect((await send({ user_number: plain, message: 'a', agent_number: '+15005550009' })).status).toBe(400)
  })

  it('ignores agent_number for RCS, even one of another project, if it is in E.164 format', async () => {
    const number = richNumber(98)
    const rcs = { user_number: `rcs:${number}`, messaging_service_sid: 'MG-test0001', message: 'a' }
    for (const agent_number of ['0500 555', ''])
      expect((await send({ ...rcs, agent_number })).status).toBe(400)
    expect((await send({ ...rcs, agent_number: '+15005550009' })).status).toBe(202)
    expect((await shown(number, 1))[0]).toMatchObject({ channel: 'rcs', text: 'a' })
  })

  it('refuses a sender of another environment', async () => {
    expect((await send({ user_number: plain, message: 'a', agent_number: '+15005550005' })).status).toBe(400)
    const rcs = { user_number: `rcs:${rich}`, message: 'a', messaging_service_sid: 'MG-early001' }
    expect((await send(rcs)).status).toBe(404)
  })

  it('ends the conversation that was open between the two numbers', async () => {
    await send({ user_number: plain, message: 'first' })
    await clock.pass(1_000)
    await send({ user_number: plain, message: 'second' })
    const all = await conversations()
    expect(all.map(({ in_progress, turns }) => [in_progress, turns?.[0]?.agent_response])).toEqual([
      [true, 'second'],
      [false, 'first'],
    ])
  })

  it('accepts several messages to one number at once, and one conversation stays open', async () => {
    const messages = ['one', 'two', 'three', 'four', 'five']
    const sent = await Promise.all(messages.map((message) => send({ user_number: plain, message })))
    expect(sent.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202])
    const received = await shown(plain, 5)
    expect(received.map(({ text }) => text).toSorted()).toEqual(messages.toSorted())
    expect(await conversations()).toHaveLength(5)
    expect(await conversations('&in_progress=true')).toHaveLength(1)
  })

  it.each([
    ['no key', { 'x-svc-auth-token': '' }, {}, 401],
    ['an unknown key', { 'x-svc-auth-token': 'nobody' }, {}, 401],
    ['a build key', { 'x-svc-auth-token': 'build-key' }, {}, 401],
    ['no connector', { 'x-token-id': '' }, {}, 400],
    ['an unknown connector', { 'x-token-id': 'CON-nobody00' }, {}, 404],
    ['a connector of another account', { 'x-token-id': 'CON-othr0001' }, {}, 403],
    ['a key of another project', { 'x-svc-auth-token': 'twin-key' }, {}, 403],
    ['a key of another region', { 'x-svc-auth-token': 'us-key' }, {}, 403],
    ['a key without messaging', { 'x-svc-auth-token': 'conversations-key' }, {}, 403],
    ['another content type', { 'content-type': 'text/plain' }, {}, 400],
    ['no number', {}, { user_number: undefined }, 400],
    ['a number that is not E.164', {}, { user_number: '5005550006' }, 400],
    ['a sender that is not E.164', {}, { agent_number: '0500 555' }, 400],
    ['a message that is no text', {}, { message: 7 }, 400],
    ['an empty message', {}, { message: '' }, 400],
    ['RCS without its sender', {}, { user_number: 'rcs:+15005570000' }, 400],
    ['an RCS sender without RCS', {}, { messaging_service_sid: 'MG-test0001' }, 400],
    [
      'an unknown RCS sender',
      {},
      { user_number: 'rcs:+15005570000', messaging_service_sid: 'MG-other' },
      404,
    ],
    ['an environment without senders', { 'x-token-id': 'CON-live0001' }, {}, 404],
  ])('refuses %s', async (_, headers, body, status) => {
    const given = Object.entries({ ...GOOD, ...headers }).filter(([, value]) => value !== '')
    const response = await send({ user_number: plain, message: 'hi', ...body }, Object.fromEntries(given))
    expect(response.status).toBe(status)
    expect(await response.json()).toEqual({ detail: expect.any(String) })
    expect(await conversations()).toEqual([])
  })

  it('refuses a body that is not JSON', async () => {
    const response = await world.post('/v1/outbound-sms', GOOD, '{')
    expect([response.status, await response.json()]).toEqual([400, { detail: expect.any(String) }])
  })

  it('tries again when the carrier has no network, and sends once', async () => {
    world.carrier.failNext(2)
    await send({ user_number: plain, message: 'persistent' })
    expect(await shown(plain, 1)).toHaveLength(1)
    await clock.leap(60_000)
    expect(world.carrier.screen(plain)).toHaveLength(1)
  })
})

/** A database in which statements fail: before they are run, or when all but their answer is there. */
async function failing(): Promise<{
  database: Database
  fail: { before?: RegExp | undefined; after?: RegExp | undefined }
}> {
  const database = await newDatabase()
  const fail: { before?: RegExp | undefined; after?: RegExp | undefined } = {}
  const over = (queries: Pick<Database, 'query'>): Pick<Database, 'query'> => ({
    async query<T>(sql: string, params?: readonly unknown[]) {
      if (fail.before?.test(sql)) throw new Error('Connection terminated unexpectedly')
      const rows = await queries.query<T>(sql, params)
      if (fail.after?.test(sql)) throw new Error('Connection terminated unexpectedly')
      return rows
    },
  })
  const transaction: Database['transaction'] = (run) =>
    database.transaction((tx) =>
      run({
        ...over(tx),
        send(sql, params) {
          if (fail.before?.test(sql) || fail.after?.test(sql))
            throw new Error('Connection terminated unexpectedly')
          tx.send(sql, params)
        },
      }),
    )
  return { database: { ...database, ...over(database), transaction }, fail }
}

describe('an outbound message', () => {
  type Sending = (message: TextMessage) => ReturnType<NonNullable<Carrier['send']>>
  const bySms = { status: 'accepted', channel: 'sms' } as const
  const byRcs = { status: 'accepted', channel: 'rcs' } as const
  /** Sends on a network made by hand. */
  async function networked(sending: Sending, more: Parameters<typeof createWorld>[0] = {}) {
    const own = handClock()
    const attempts: TextMessage[] = []
    const arrived: string[] = []
    let receive: (message: InboundMessage) => Promise<void> = async () => {}
    const carrier: Carrier = {
      connect(to) {
        receive = to
        return () => {}
      },
      async send(message) {
        attempts.push(message)
        const outcome = await sending(message)
        if (outcome.status === 'accepted' && !arrived.includes(message.text)) arrived.push(message.text)
        return outcome
      },
      call: async () => ({ status: 'completed' }),
    }
    const other = await createWorld({ clock: own, carrier, ...more })
    return {
      other,
      attempts,
      arrived,
      own,
      send: (user_number: string, message: string) =>
        other.post('/v1/outbound-sms', GOOD, JSON.stringify({ user_number, message })),
      write: (from: string, text: string) =>
        receive({ id: crypto.randomUUID(), channel: 'sms', from, to: NUMBER, text }),
      /** Lets time go by in steps, until it is so. Small steps leave a busy machine ever more time for what it has begun. */
      async until(test: () => boolean, step = 1_000) {
        for (let round = 0; round < 200 && !test(); round++) {
          await own.leap(step)
          const ms = step > 1_000 ? 2 : 2 + round / 2
          for (let pause = 0; pause < 3; pause++) await new Promise((resolve) => setTimeout(resolve, ms))
        }
        expect(test()).toBe(true)
      },
    }
  }

  it.each([
    ['it went to the carrier', 'before', /(DELETE FROM|UPDATE) foyer\.delivery (WHERE|SET owner = NULL)/],
    ['a process claimed it', 'after', /UPDATE foyer\.delivery SET owner = \$1/],
    ['its consent was read', 'before', /foyer\.consent/],
  ] as const)(
    'is not lost, nor the ones after it, when the database failed as %s',
    async (_, when, which) => {
      const { database, fail } = await failing()
      const network = await networked(async () => bySms, { data: { database } })
      const { other, attempts, arrived, send: sendThere, write, until } = network
      try {
        fail[when] = which
        await sendThere(plain, 'first')
        await until(() => other.log.length > 0)
        fail[when] = undefined
        await until(() => arrived.includes('first'))
        await until(() => true)
        expect(new Set(attempts.map(({ id }) => id)).size).toBe(1)
        await write(plain, 'hello?')
        await until(() => arrived.includes('You said hello?\n• More'))
        // What is done with is not tried again.
        const tried = attempts.length
        for (const step of [1_000, 60_000, 60_000]) await until(() => true, step)
        expect(attempts).toHaveLength(tried)
      } finally {
        await other.close()
      }
    },
  )

  it('leaves as soon as the agent has finished, without waiting for a clock', async () => {
    const { other, arrived, write } = await networked(async () => bySms)
    try {
      await write(plain, 'at once')
      while (!arrived.includes('You said at once\n• More'))
        await new Promise((resolve) => setTimeout(resolve, 5))
    } finally {
      await other.close()
    }
  })

  it('stays rich when its conversation has ended while the carrier was unreachable', async () => {
    let down = true
    const { other, attempts, arrived, own, until } = await networked(async () => {
      if (down) throw new Error('The network is down')
      return byRcs
    })
    try {
      const ask = (message: string) =>
        other.post(
          '/v1/outbound-sms',
          GOOD,
          JSON.stringify({
            user_number: `rcs:${richNumber(97)}`,
            messaging_service_sid: 'MG-test0001',
            message,
          }),
        )
      await ask('first')
      // It ends the conversation of the first.
      await ask('second')
      await own.leap(700_000)
      down = false
      await until(() => arrived.length === 2)
      const delivered = attempts.findLast(({ text }) => text === 'first')
      expect(delivered?.rich).toMatchObject({ sender: 'MG-test0001', text: 'first' })
    } finally {
      await other.close()
    }
  })

  it('that cannot be sent holds back the next message to that number, fails after more than an hour, and the next is sent', async () => {
    const network = await networked(async ({ text }) => {
      if (text !== 'hopeless') return bySms
      throw new Error('The network is down')
    })
    const { other, attempts, arrived, own, send: sendThere, write, until } = network
    try {
      const begun = own.now()
      await sendThere(plain, 'hopeless')
      await write(plain, 'hello?')
      await until(() => arrived.length > 0, 20_000)
      expect(own.now() - begun).toBeGreaterThan(3_600_000)
      const tried = attempts.filter(({ text }) => text === 'hopeless')
      expect(new Set(tried.map(({ id }) => id)).size).toBe(1)
      expect(arrived).toEqual(['You said hello?\n• More'])
      expect(other.log.filter((line) => line.includes('given up'))).toHaveLength(1)
      const response = await other.get('/v3/larkspur/shop/conversations?client_env=sandbox')
      const { conversations: all } = (await response.json()) as ConversationPage
      expect(all[0]?.metrics?.undelivered).toBe('The carrier did not take the message for more than an hour.')
    } finally {
      await other.close()
    }
  })

  it('arrives first, and then the next to that number, once the carrier can be reached again', async () => {
    let down = true
    const {
      other,
      attempts,
      arrived,
      send: sendThere,
      write,
      until,
    } = await networked(async () => {
      if (down) throw new Error('The network is down')
      return bySms
    })
    try {
      await sendThere(plain, 'patient')
      await write(plain, 'hello?')
      await until(() => attempts.length > 2, 20_000)
      down = false
      await until(() => arrived.length === 2, 20_000)
      expect(arrived).toEqual(['patient', 'You said hello?\n• More'])
    } finally {
      await other.close()
    }
  })

  it('that the carrier refuses is not sent again, holds nothing back, and leaves its reason with the conversation', async () => {
    const reason = 'This number is a landline.'
    const network = await networked(async ({ text }) =>
      text === 'to a landline' ? { status: 'refused', reason } : bySms,
    )
    const { other, attempts, arrived, send: sendThere, write, until } = network
    try {
      await sendThere(plain, 'to a landline')
      await write(plain, 'hello?')
      await until(() => arrived.length === 1)
      for (const step of [1_000, 60_000, 60_000]) await until(() => true, step)
      expect(attempts.map(({ text }) => text)).toEqual(['to a landline', 'You said hello?\n• More'])
      const response = await other.get('/v3/larkspur/shop/conversations?client_env=sandbox')
      const { conversations: all } = (await response.json()) as ConversationPage
      expect(all.map(({ metrics }) => metrics)).toEqual([{ undelivered: reason }])
      expect(other.log.filter((line) => line.includes(reason))).toHaveLength(1)
      expect(other.log.join()).not.toContain(plain)
    } finally {
      await other.close()
    }
  })

  it('is tried again if the carrier does not answer, and delays no message to another number', async () => {
    const seen = new Set<string>()
    const silent: Sending = ({ id, text }) => {
      const first = !seen.has(id)
      seen.add(id)
      return first && text === 'silence' ? new Promise(() => {}) : Promise.resolve(bySms)
    }
    const { other, attempts, arrived, send: sendThere, until } = await networked(silent)
    try {
      const numbers = Array.from({ length: 10 }, (_, index) => plainNumber(80 + index))
      for (const number of numbers) await sendThere(number, 'silence')
      await sendThere(plain, 'behind them')
      await until(() => arrived.length === 2, 10_000)
      expect(arrived.toSorted()).toEqual(['behind them', 'silence'])
      await until(() => attempts.length === 21, 10_000)
      expect(new Set(attempts.map(({ id }) => id)).size).toBe(11)
    } finally {
      await other.close()
    }
  })
})

/** A connector of another project of the account, which has no senders yet. */
const TWIN = { accountId: 'ws-test0001', projectId: 'PROJECT-twin0001', environment: 'sandbox' }

it('the limit of messages per minute counts each project by itself', async () => {
  const limited = await createWorld({
    clock,
    projects: PROJECTS.map((each) => ({ ...each, smsPerMinute: 2 })),
  })
  try {
    const { commands } = limited.runtime
    const { connector } = await commands.createConnector({ ...TWIN, host: 'shop.example.com' })
    const sender = { project_id: TWIN.projectId, environment: 'sandbox', kind: 'sms' } as const
    await commands.saveSender({ ...sender, address: '+15005550016' })
    const body = JSON.stringify({ user_number: plain, message: 'hi' })
    const ask = () => limited.post('/v1/outbound-sms', GOOD, body)
    expect([(await ask()).status, (await ask()).status]).toEqual([202, 202])
    const third = await ask()
    expect(third.status).toBe(429)
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await third.json()).toEqual({ detail: expect.any(String) })
    // Another connector of the same project, and one of another project of the account.
    const own = { accountId: 'ws-test0001', projectId: 'PROJECT-test0001', environment: 'sandbox' }
    const second = await commands.createConnector({ ...own, host: 'shop.example.com' })
    const by = async (id: string) =>
      (await limited.post('/v1/outbound-sms', { ...GOOD, 'x-token-id': id }, body)).status
    expect([await by(second.connector.id), await by(connector.id)]).toEqual([429, 202])
    await clock.leap(60_000)
    expect((await ask()).status).toBe(202)
  } finally {
    await limited.close()
  }
})

describe('RCS', () => {
  const open = () =>
    send({ user_number: `rcs:${rich}`, messaging_service_sid: 'MG-test0001', message: 'Hello' })

  it('shows suggestions and cards on a device with RCS, and plain text on others', async () => {
    await open()
    await shown(rich, 1)
    await world.carrier.write(rich, NUMBER, { text: 'rich' })
    const [, shownRich] = await shown(rich, 2)
    expect(shownRich).toMatchObject({ channel: 'rcs', text: 'See this' })
    expect(shownRich?.rich?.cards).toHaveLength(10)
    expect(shownRich?.rich?.suggestions.map(({ message_text }) => message_text)).toEqual(['a', 'b', 'c'])
    const [conversation] = await conversations('&channel=rcs')
    expect(conversation?.channel).toBe('RCS')
    expect((await conversations('&channel=RCS')).map(({ id }) => id)).toEqual([conversation?.id])
    // What hangs on a message is not kept, only its marker.
    expect(conversation?.turns?.at(-1)?.agent_response).toBe('See this\n<metadata><media/></metadata>')
    expect(JSON.stringify(conversation)).not.toContain('example.com')
  })

  it('shows a single attachment as one card', async () => {
    await open()
    await shown(rich, 1)
    await world.carrier.write(rich, NUMBER, { text: 'card' })
    const [, second] = await shown(rich, 2)
    expect(second?.rich?.cards).toMatchObject([{ title: 'A card' }])
  })

  it('uses the SMS number of its project, and refuses an RCS sender without one', async () => {
    await open()
    expect(await shown(rich, 1)).toMatchObject([{ channel: 'rcs', with: NUMBER }])
    const { commands } = world.runtime
    const { connector } = await commands.createConnector({ ...TWIN, host: 'shop.example.com' })
    const sender = { project_id: TWIN.projectId, environment: 'sandbox' }
    const body = { user_number: `rcs:${rich}`, messaging_service_sid: 'MG-twin0001', message: 'Hello' }
    const status = async () => (await send(body, { ...GOOD, 'x-token-id': connector.id })).status
    await commands.saveSender({ ...sender, kind: 'rcs', address: 'MG-twin0001' })
    expect(await status()).toBe(404)
    await commands.saveSender({ ...sender, kind: 'sms', address: '+15005550016' })
    expect(await status()).toBe(202)
  })

  it('falls back to SMS if the device has no RCS, and stays with SMS', async () => {
    await send({ user_number: `rcs:${plain}`, messaging_service_sid: 'MG-test0001', message: 'Hello' })
    expect(await shown(plain, 1)).toMatchObject([{ channel: 'sms', text: 'Hello' }])
    await clock.pass(1_000)
    expect((await conversations())[0]?.channel).toBe('SMS')
    await world.carrier.write(plain, NUMBER, { text: 'rich' })
    const [, second] = await shown(plain, 2)
    expect(second?.text).toContain('Card 11: https://example.com/11\n• a\n• b\n• c\n• d')
    expect(second?.rich).toBeUndefined()
    // It is not even offered to the carrier any more.
    const offered = world.carrier.outbox().filter(({ to }) => to === plain)
    expect(offered.map(({ rich: card }) => card !== undefined)).toEqual([true, false])
    expect((await conversations())[0]?.channel).toBe('SMS')
  })

  it.each([
    [
      'a picture',
      { media: [{ content_type: 'image/jpeg', url: 'https://media.example.com/1' }] },
      '<metadata><media/></metadata>',
    ],
    [
      'a film',
      { media: [{ content_type: 'video/mp4', url: 'https://media.example.com/2' }] },
      '<metadata><media/></metadata>',
    ],
    [
      'a recording',
      { media: [{ content_type: 'audio/ogg', url: 'https://media.example.com/3' }] },
      '<metadata><media/></metadata>',
    ],
    [
      'a place',
      { location: { latitude: '51.5', longitude: '-0.1', address: '1 High Street', label: 'Shop' } },
      '<metadata><location/></metadata>',
    ],
    [
      'a tapped button',
      { button: { payload: 'yes', text: 'Yes', type: 'reply' } },
      '<metadata><button/></metadata>',
    ],
  ])('tells the agent of %s by a marker and by its attributes', async (_, written, marker) => {
    await open()
    await shown(rich, 1)
    await world.carrier.write(rich, NUMBER, written)
    await shown(rich, 2)
    await world.carrier.write(rich, NUMBER, { text: 'attributes' })
    const [, , third] = await shown(rich, 3)
    expect(JSON.parse(third?.text ?? '')).toEqual({ metadata: written })
    const [conversation] = await conversations()
    expect(conversation?.turns?.[1]?.user_input).toBe(marker)
    expect(JSON.stringify(conversation?.state)).not.toContain('media')
  })

  it('passes several attachments and the text to the agent together', async () => {
    await open()
    await shown(rich, 1)
    const location = { latitude: '1', longitude: '2', address: '', label: '' }
    const media = [{ content_type: 'video/mp4', url: 'https://media.example.com/2' }]
    await world.carrier.write(rich, NUMBER, { text: 'look', media, location })
    await shown(rich, 2)
    expect((await conversations())[0]?.turns?.[1]?.user_input).toBe(
      'look\n<metadata><media/><location/></metadata>',
    )
  })

  it('STOP opts out: the agent hears STOP, its answer is logged and not sent', async () => {
    await open()
    await shown(rich, 1)
    await world.carrier.write(rich, NUMBER, { text: 'Unsubscribe' })
    expect((await shown(rich, 2))[1]?.text).toContain('no more messages')
    await clock.pass(5_000)
    const [stopped] = await conversations()
    expect(stopped?.turns?.at(-1)).toMatchObject({ user_input: 'STOP', agent_response: 'You said STOP' })

    // Opted out: nothing reaches the agent or the record, and nothing the phone.
    await world.carrier.write(rich, NUMBER, { text: 'are you there?' })
    await clock.pass(5_000)
    expect((await conversations())[0]?.num_turns).toBe(stopped?.num_turns)
    expect(world.carrier.screen(rich).filter(({ direction }) => direction === 'in')).toHaveLength(2)

    await world.carrier.write(rich, NUMBER, { text: 'start' })
    const received = await shown(rich, 4)
    expect(received.map(({ text }) => text)).toEqual(
      expect.arrayContaining([expect.stringContaining('again. Reply STOP'), 'You said START']),
    )
    expect((await conversations())[0]?.turns?.at(-1)).toMatchObject({
      user_input: 'START',
      agent_response: 'You said START',
    })
  })

  it.each([
    ['Arrêt', 'commencer'],
    ['BAJA', 'Alta'],
    ['stopp', 'starten'],
  ])('the agent hears STOP for “%s” and START for “%s”', async (stop, start) => {
    await open()
    await shown(rich, 1)
    for (const text of [stop, start]) {
      await world.carrier.write(rich, NUMBER, { text })
      await clock.pass(5_000)
    }
    const [conversation] = await conversations()
    expect(conversation?.turns?.slice(1).map(({ user_input }) => user_input)).toEqual(['STOP', 'START'])
  })

  it('the carrier decides what is a keyword, not the text', async () => {
    const sent: string[] = []
    let receive: (message: InboundMessage) => Promise<void> = async () => {}
    const carrier: Carrier = {
      connect(to) {
        receive = to
        return () => {}
      },
      async send({ text }) {
        sent.push(text)
        return { status: 'accepted', channel: 'rcs' }
      },
      call: async () => ({ status: 'completed' }),
    }
    const other = await createWorld({ clock, carrier })
    try {
      const write = async (text: string, keyword?: InboundMessage['keyword']) => {
        await receive({ id: crypto.randomUUID(), channel: 'rcs', from: rich, to: NUMBER, text, keyword })
      }
      const left = async (count: number) => {
        for (let round = 0; round < 200 && sent.length < count; round++) {
          await clock.pass(1_000)
          await new Promise((resolve) => setImmediate(resolve))
        }
        return sent
      }
      await write('stop')
      expect(await left(1)).toEqual(['You said stop\n• More'])
      await write('genug davon', 'STOP')
      await write('noch da?')
      await clock.pass(5_000)
      await write('wieder ja', 'START')
      expect(await left(2)).toEqual(['You said stop\n• More', 'You said START\n• More'])
    } finally {
      await other.close()
    }
  })

  it.each([
    ['opted in', false],
    ['opted out', true],
  ])(
    'the carrier answers HELP, and neither the agent nor the conversation gets it: %s',
    async (_, optedOut) => {
      await open()
      await shown(rich, 1)
      if (optedOut) await world.carrier.write(rich, NUMBER, { text: 'STOP' })
      await clock.pass(5_000)
      const before = world.carrier.screen(rich).filter(({ direction }) => direction === 'in').length
      const [conversation] = await conversations()
      await world.carrier.write(rich, NUMBER, { text: 'Hilfe' })
      expect((await shown(rich, before + 1)).at(-1)?.text).toContain('Reply STOP')
      await clock.pass(5_000)
      expect((await conversations())[0]?.num_turns).toBe(conversation?.num_turns)
      // What it was before, it still is.
      await world.carrier.write(rich, NUMBER, { text: 'hello?' })
      await clock.pass(5_000)
      const after = (await conversations())[0]?.num_turns ?? 0
      expect(after - (conversation?.num_turns ?? 0)).toBe(optedOut ? 0 : 1)
    },
  )
})

describe('SMS', () => {
  it('handles STOP, START and HELP before the agent does', async () => {
    await send({ user_number: plain, message: 'Hello' })
    await shown(plain, 1)
    for (const word of ['STOP', 'HELP', 'START']) {
      await world.carrier.write(plain, NUMBER, { text: word })
      await clock.pass(2_000)
    }
    expect((await conversations())[0]?.num_turns).toBe(1)
    expect(await shown(plain, 4)).toHaveLength(4)
    await world.carrier.write(plain, NUMBER, { text: 'STOP' })
    await send({ user_number: plain, message: 'unwanted' })
    await clock.pass(5_000)
    expect(world.carrier.screen(plain).some(({ text }) => text === 'unwanted')).toBe(false)
  })

  it('from a phone joins the open conversation, or opens one', async () => {
    await world.carrier.write(plain, NUMBER, { text: 'hello?' }, 'message-1')
    await shown(plain, 1)
    await world.carrier.write(plain, NUMBER, { text: 'hello?' }, 'message-1')
    await world.carrier.write(plain, NUMBER, { text: 'anybody?' }, 'message-2')
    await shown(plain, 2)
    const [conversation, ...others] = await conversations()
    expect(others).toEqual([])
    // The carrier's second delivery of a message is none.
    expect(conversation?.turns?.map(({ user_input }) => user_input)).toEqual(['hello?', 'anybody?'])
  })

  it('that the carrier delivers twice opens no second conversation, even when the first has ended', async () => {
    for (let time = 0; time < 3; time++) {
      await world.carrier.write(plain, NUMBER, { text: 'bye' }, 'message-bye')
      await shown(plain, 1)
      for (let round = 0; round < 5; round++) await clock.pass(1_000)
    }
    expect((await conversations()).map(({ in_progress, num_turns }) => [in_progress, num_turns])).toEqual([
      [false, 1],
    ])
    // Another message opens one, and the first is not heard in it either.
    await world.carrier.write(plain, NUMBER, { text: 'hello?' })
    await shown(plain, 2)
    await world.carrier.write(plain, NUMBER, { text: 'bye' }, 'message-bye')
    await clock.pass(5_000)
    expect((await conversations()).map(({ in_progress, num_turns }) => [in_progress, num_turns])).toEqual([
      [true, 1],
      [false, 1],
    ])
    // The same id from another phone is another message.
    await world.carrier.write(rich, NUMBER, { text: 'hello?' }, 'message-bye')
    await shown(rich, 1)
  })

  it('to another number of the project is a conversation of its own, with a STOP of its own', async () => {
    const other = '+15005550007'
    const said = async (number: string, ...texts: string[]) => {
      for (const text of texts) await world.carrier.write(plain, number, { text })
    }
    await said(NUMBER, 'one')
    await said(other, 'two', 'STOP', 'three')
    await said(NUMBER, 'four')
    await shown(plain, 3)
    await said(other, 'START', 'five')
    await shown(plain, 5)
    expect(
      (await conversations())
        .map(({ to_number, turns }) => [to_number, turns?.map(({ user_input }) => user_input)])
        .toSorted(),
    ).toEqual([
      [NUMBER, ['one', 'four']],
      [other, ['two', 'five']],
    ])
  })

  it('that the carrier delivers twice at once is stored once', async () => {
    await Promise.all(
      Array.from({ length: 4 }, () => world.carrier.write(plain, NUMBER, { text: 'bye' }, 'message-twin')),
    )
    await shown(plain, 1)
    for (let round = 0; round < 5; round++) await clock.pass(1_000)
    expect((await conversations()).map(({ num_turns }) => num_turns)).toEqual([1])
  })

  it('to an unknown number is dropped', async () => {
    await world.carrier.write(plain, '+15005559999', { text: 'hello?' })
    expect(await conversations()).toEqual([])
  })
})

describe('an idle messaging conversation', () => {
  const DAY = 86_400_000

  it('gets a warning after 24 hours, continues if the user answers, and ends 10 minutes after the warning', async () => {
    await send({ user_number: plain, message: 'Hello' })
    await world.carrier.write(plain, NUMBER, { text: 'hi' })
    await shown(plain, 2)
    await clock.leap(DAY - 60_000)
    expect(world.carrier.screen(plain)).toHaveLength(3)
    await clock.leap(120_000)
    expect((await shown(plain, 3))[2]?.text).toContain('still there')
    await world.carrier.write(plain, NUMBER, { text: 'yes' })
    await shown(plain, 4)
    await clock.leap(DAY - 60_000)
    expect((await conversations('&in_progress=true')).length).toBe(1)
    await clock.leap(120_000)
    expect(await shown(plain, 5)).toHaveLength(5)
    await clock.leap(500_000)
    expect((await conversations('&in_progress=true')).length).toBe(1)
    await clock.leap(120_000)
    expect((await conversations('&in_progress=true')).length).toBe(0)
  })

  it.each([
    ['within the ten minutes', DAY + 300_000],
    ['after them', DAY + 660_000],
    ['days later', DAY * 3],
  ])(
    'gets its warning and 10 more minutes when the machine slept and woke up %s',
    async (_, late) => {
      await send({ user_number: plain, message: 'Hello' })
      await world.carrier.write(plain, NUMBER, { text: 'hi' })
      await shown(plain, 2)
      await clock.leap(late)
      expect((await shown(plain, 3))[2]?.text).toContain('still there')
      await clock.leap(580_000)
      expect((await conversations('&in_progress=true')).length).toBe(1)
      await clock.leap(30_000)
      expect((await conversations('&in_progress=true')).length).toBe(0)
      await clock.pass(5_000)
      expect(await shown(plain, 3)).toHaveLength(3)
    },
    60_000,
  )

  it('ends without a warning if the user never wrote', async () => {
    await send({ user_number: plain, message: 'Hello' })
    await shown(plain, 1)
    await clock.leap(DAY + 605_000)
    expect((await conversations())[0]?.in_progress).toBe(false)
    expect(world.carrier.screen(plain)).toHaveLength(1)
  })
})
