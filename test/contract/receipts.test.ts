// What a carrier says of a text after it took it, or cannot say; and carriers that take texts alone, or calls alone.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CallStatus, ConversationPage } from '../../src/api/index.ts'
import { isExplained } from '../../src/cli/start-error.ts'
import type { Carrier, InboundMessage, Receipt, SendOutcome, TextMessage } from '../../src/runtime/index.ts'
import { type HandClock, handClock } from './clock.ts'
import { newDatabase } from './store.ts'
import { createWorld, NUMBER, plainNumber, richNumber } from './world.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const GOOD = { ...JSON_TYPE, 'x-svc-auth-token': 'all-key', 'x-token-id': 'CON-test0001' }

const raise = (message: string): never => {
  throw new Error(message)
}

/** Counts of a meter, by name and labels. */
function recorder() {
  const counts: Record<string, number> = {}
  const count = (name: string, by: number, labels: Record<string, string> = {}) => {
    const key = [name.replace(/^foyer_/, ''), ...Object.values(labels)].join(' ')
    counts[key] = (counts[key] ?? 0) + by
  }
  return { counts, meter: { count, time() {}, gauge() {} } as never }
}

/** A telephone company whose answers the test gives, and which tells receipts when the test says. */
function company(answer: (message: TextMessage) => Promise<SendOutcome>) {
  const attempts: TextMessage[] = []
  let receive: (message: InboundMessage) => Promise<void> = async () => {}
  let report: (receipt: Receipt) => Promise<void> = async () => {}
  return {
    attempts,
    report: (receipt: unknown) => report(receipt as Receipt),
    write: (from: string, text: string, id: string) =>
      receive({ id, channel: 'sms', from, to: NUMBER, text }),
    carrier: {
      connect(to, reports) {
        receive = to
        report = reports
        return () => {}
      },
      send(message) {
        attempts.push(message)
        return answer(message)
      },
    } satisfies Carrier,
  }
}

const accepted = async (): Promise<SendOutcome> => ({ status: 'accepted', channel: 'sms' })

type World = Awaited<ReturnType<typeof createWorld>>
const textTo = (world: World, user_number: string, message = 'Hello') =>
  world.post('/v1/outbound-sms', GOOD, JSON.stringify({ user_number, message }))
async function conversationWith(world: World, number: string) {
  const page = await world.get('/v3/larkspur/shop/conversations?client_env=sandbox')
  const { conversations } = (await page.json()) as ConversationPage
  return conversations.find(({ from_number }) => from_number === number)
}
const metricsWith = async (world: World, number: string) =>
  (await conversationWith(world, number))?.metrics ?? {}
/** Lets what is due happen, second by second, until the test is true. */
async function passUntil(clock: HandClock, test: () => boolean | Promise<boolean>): Promise<void> {
  for (let round = 0; round < 200; round++) {
    if (await test()) return
    await clock.pass(1_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw new Error('it did not happen within 200 seconds of the clock')
}

describe('a message of which the carrier cannot say whether it took it', () => {
  it('is sent once, both logs say so, and the next message follows', async () => {
    const clock = handClock()
    const { counts, meter } = recorder()
    const { carrier, attempts, write } = company(async ({ text }) =>
      text === 'Hello' ? { status: 'unknown' } : accepted(),
    )
    const world = await createWorld({ clock, carrier, meter })
    const number = plainNumber(1)
    try {
      await textTo(world, number)
      await passUntil(clock, async () => (await metricsWith(world, number)).delivery_unknown !== undefined)
      expect((await metricsWith(world, number)).delivery_unknown).toBe(attempts[0]?.id)
      expect((await metricsWith(world, number)).undelivered).toBeUndefined()
      const said = world.log.filter((line) => line.includes('cannot say whether it took a message'))
      expect(said).toHaveLength(1)
      expect(said.join()).not.toContain(number)
      expect(counts['deliveries_total unknown']).toBe(1)
      await write(number, 'hi', 'one')
      await passUntil(clock, () => attempts.length === 2)
      await clock.leap(3_600_000)
      await clock.pass(5_000)
      expect(attempts.map(({ text }) => text)).toEqual(['Hello', 'You said hi\n• More'])
      expect(counts['deliveries_total retried']).toBeUndefined()
    } finally {
      await world.close()
    }
  })
})

describe('a carrier that answers with something else', () => {
  it.each([
    ['nothing', () => undefined],
    ['a promise of nothing', async () => undefined],
    ['a word', async () => 'accepted'],
    ['another status', async () => ({ status: 'queued' })],
    ['a status of another kind', async () => ({ status: 1 })],
  ])('than an outcome of send, such as %s, may have the message: it is not sent again', async (_, answer) => {
    const clock = handClock()
    const { carrier, attempts } = company(answer as never)
    const world = await createWorld({ clock, carrier })
    const number = plainNumber(1)
    try {
      await textTo(world, number)
      await passUntil(clock, async () => (await metricsWith(world, number)).delivery_unknown !== undefined)
      await clock.leap(120_000)
      await clock.pass(5_000)
      expect(attempts).toHaveLength(1)
      expect(await metricsWith(world, number)).toEqual({ delivery_unknown: attempts[0]?.id })
      expect(world.log.filter((line) => line.includes('answered send with no SendOutcome'))).toHaveLength(1)
    } finally {
      await world.close()
    }
  })

  it.each([
    [undefined, 'The carrier gave no reason.'],
    [7, 'The carrier gave no reason.'],
    ['No\0 such phone.', 'No such phone.'],
    ['x'.repeat(100_000), 'x'.repeat(500)],
    // A card that is cut would be known as one no longer.
    [`${'x'.repeat(489)} 4111 1111 1111 1111`, `${'x'.repeat(489)} •••• •••• `],
  ])('than a short reason is understood all the same, for texts and calls', async (reason, kept) => {
    const clock = handClock()
    const carrier = {
      send: async () => ({ status: 'refused', reason }),
      call: async () => ({ status: 'failed', reason }),
    } as never
    const world = await createWorld({ clock, carrier })
    const number = plainNumber(1)
    try {
      await textTo(world, number)
      await passUntil(clock, async () => (await metricsWith(world, number)).undelivered !== undefined)
      expect(await metricsWith(world, number)).toEqual({ undelivered: kept })
      expect(world.log.every((line) => line.length < 1_000)).toBe(true)
      expect(await called(world, clock)).toEqual({ status: 'failure', reason: kept })
    } finally {
      await world.close()
    }
  })

  it.each([[undefined], ['completed'], [{ status: 'busy' }]])(
    'than an outcome of call, such as %j, has not placed it',
    async (outcome) => {
      const clock = handClock()
      const world = await createWorld({ clock, carrier: { call: async () => outcome } as never })
      try {
        expect(await called(world, clock)).toEqual({
          status: 'failure',
          reason: 'The call could not be placed.',
        })
        expect(world.log.join()).toContain('call of the carrier resolved to no CallOutcome')
      } finally {
        await world.close()
      }
    },
  )

  it.each([[undefined], [{}], [Promise.resolve()]])(
    'than a function that undoes connect, such as %j, is refused',
    async (undo) => {
      const carrier = { connect: () => undo, send: accepted } as never
      await expect(createWorld({ clock: handClock(), carrier })).rejects.toThrow(
        'connect of the carrier must return a function, which undoes it',
      )
    },
  )

  it.each<[string, () => unknown, string]>([
    [
      'throws',
      () => raise('the port is taken\nat a line'),
      'connect of the carrier threw: the port is taken',
    ],
    ['rejects', () => Promise.reject(new Error('late')), 'must return a function'],
  ])('than a connect that %s ends the start in one sentence', async (_, connect, sentence) => {
    const carrier = { connect, send: accepted } as never
    const error = await createWorld({ clock: handClock(), carrier }).catch((reason: unknown) => reason)
    expect(isExplained(error)).toBe(true)
    expect(String(error)).toContain(sentence)
    expect(String(error)).not.toContain('at a line')
  })
})

describe('a receipt', () => {
  let clock: HandClock
  let world: World
  let phone: ReturnType<typeof company>
  let counts: Record<string, number>
  let answer = accepted
  let used = 20
  beforeAll(async () => {
    clock = handClock()
    phone = company(() => answer())
    const recorded = recorder()
    counts = recorded.counts
    world = await createWorld({ clock, carrier: phone.carrier, meter: recorded.meter })
  })
  afterAll(() => world.close())

  /** A message that the carrier has, with the number that it went to. */
  async function sent(): Promise<{ id: string; number: string }> {
    const number = plainNumber(++used)
    const before = phone.attempts.length
    await textTo(world, number)
    await passUntil(clock, () => phone.attempts.length > before)
    return { id: phone.attempts.at(-1)?.id ?? '', number }
  }

  const FAILED = { status: 'failed', reason: 'The phone is off.' }
  const DELIVERED = { status: 'delivered' }
  it.each([
    ['delivered', [DELIVERED], { delivery_delivered: true }],
    ['delivered, twice', [DELIVERED, DELIVERED], { delivery_delivered: true }],
    ['failed', [FAILED], { delivery_failed: true, undelivered: FAILED.reason }],
    ['failed, twice', [FAILED, FAILED], { delivery_failed: true, undelivered: FAILED.reason }],
    ['failed, without a reason', [{ status: 'failed' }], { delivery_failed: true }],
    ['failed after delivered, which stays', [DELIVERED, FAILED], { delivery_delivered: true }],
    [
      'delivered after failed',
      [FAILED, DELIVERED],
      { delivery_failed: true, undelivered: FAILED.reason, delivery_delivered: true },
    ],
  ])('shows the message in the metrics as %s', async (_, receipts, metrics) => {
    const { id, number } = await sent()
    for (const receipt of receipts) await phone.report({ id, ...receipt })
    expect(await metricsWith(world, number)).toEqual(
      Object.fromEntries(Object.entries(metrics).map(([name, value]) => [name, value === true ? id : value])),
    )
  })

  it('of each message of a conversation is kept', async () => {
    const { id, number } = await sent()
    await phone.write(number, 'hi', `of ${number}`)
    await passUntil(clock, () => phone.attempts.at(-1)?.id !== id)
    const second = phone.attempts.at(-1)?.id
    for (const each of [second, id]) await phone.report({ id: each, status: 'delivered' })
    expect((await metricsWith(world, number)).delivery_delivered).toEqual([second, id])
  })

  it('is counted where it says something new', async () => {
    const { id } = await sent()
    const before = { ...counts }
    for (const each of [FAILED, FAILED, DELIVERED, FAILED, DELIVERED]) await phone.report({ id, ...each })
    for (const status of ['delivered', 'failed'])
      expect((counts[`receipts_total ${status}`] ?? 0) - (before[`receipts_total ${status}`] ?? 0)).toBe(1)
  })

  it('comes once if several of one message come at once', async () => {
    const { id, number } = await sent()
    const { 'receipts_total delivered': before = 0 } = counts
    await Promise.all(Array.from({ length: 8 }, () => phone.report({ id, status: 'delivered' })))
    expect((await metricsWith(world, number)).delivery_delivered).toBe(id)
    expect(counts['receipts_total delivered']).toBe(before + 1)
  })

  it('for a message that nobody knows is ignored', async () => {
    await phone.report({ id: 'nobody', status: 'delivered' })
    expect(world.log.join()).not.toContain('nobody')
  })

  it('after the end of its conversation is kept, and the conversation stays ended', async () => {
    const { id, number } = await sent()
    const { id: conversation = '' } = (await conversationWith(world, number)) ?? {}
    expect(await world.runtime.expire(conversation)).toBe(true)
    const ended = await conversationWith(world, number)
    await phone.report({ id, status: 'delivered' })
    const after = await conversationWith(world, number)
    expect(after?.metrics?.delivery_delivered).toBe(id)
    expect({ ...after, metrics: {} }).toEqual({ ...ended, metrics: {} })
    expect(after?.in_progress).toBe(false)
  })

  it('is gone with its conversation', async () => {
    const { id, number } = await sent()
    const { id: conversation = '' } = (await conversationWith(world, number)) ?? {}
    await world.runtime.commands.eraseConversation(conversation)
    await phone.report({ id, status: 'delivered' })
    expect(await conversationWith(world, number)).toBeUndefined()
  })

  const LATE = {
    'is lost': () => Promise.reject(new Error('The answer is lost')),
    'refuses it': async () => ({ status: 'refused', reason: 'A second copy.' }),
    'says unknown': async () => ({ status: 'unknown' }),
    'accepts it': accepted,
  }
  it.each(
    Object.entries(LATE).flatMap(([then, late]) =>
      (['delivered', 'failed'] as const).map((status) => ({ status, then, late })),
    ),
  )(
    'as $status before the answer of send, which $then, ends the attempts, and the answer changes nothing',
    async ({ status, late }) => {
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      answer = () => released.then(late) as Promise<SendOutcome>
      const { id, number } = await sent()
      await phone.report({ id, status })
      answer = accepted
      release()
      const attempts = phone.attempts.length
      await clock.leap(120_000)
      for (let second = 0; second < 5; second++) await clock.pass(1_000)
      expect(phone.attempts).toHaveLength(attempts)
      expect(await metricsWith(world, number)).toEqual({ [`delivery_${status}`]: id })
    },
  )

  it('with a reason of any length is kept in short, without the numbers of cards', async () => {
    const { id, number } = await sent()
    await phone.report({ id, status: 'failed', reason: `4111 1111 1111 1111 ${'x'.repeat(100_000)}` })
    const { undelivered } = await metricsWith(world, number)
    expect(String(undelivered).length).toBeLessThanOrEqual(500)
    expect(undelivered).not.toContain('4111')
  })

  it.each([
    undefined,
    null,
    'delivered',
    {},
    { id: 7, status: 'delivered' },
    { id: 'a', status: 'queued' },
    { id: 'a'.repeat(10_000), status: 'delivered' },
    { id: 'a\0', status: 'delivered' },
    { id: 'a', status: 'failed', reason: 7 },
  ])('of another shape is refused: %j', async (receipt) => {
    await expect(phone.report(receipt)).rejects.toThrow(TypeError)
  })
})

it('a receipt is stored in whatever process it comes, also in one that did not send the message', async () => {
  const database = await newDatabase()
  const data = () => ({ database: { ...database, close: async () => {} } })
  const [clock, otherClock] = [handClock(), handClock()]
  const [phone, otherPhone] = [company(accepted), company(accepted)]
  const world = await createWorld({ clock, carrier: phone.carrier, data: data() })
  const other = await createWorld({ clock: otherClock, carrier: otherPhone.carrier, data: data() })
  try {
    const number = plainNumber(2)
    await textTo(world, number)
    await passUntil(clock, () => phone.attempts.length === 1)
    const [{ id } = { id: '' }] = phone.attempts
    await Promise.all([phone, otherPhone, otherPhone].map((each) => each.report({ id, status: 'delivered' })))
    expect((await metricsWith(other, number)).delivery_delivered).toBe(id)
    expect(otherPhone.attempts).toEqual([])
  } finally {
    await world.close()
    await other.close()
    await database.close()
  }
})

describe('a carrier without send', () => {
  it('places calls, takes texts in, and refuses texts like a runtime without a carrier', async () => {
    const clock = handClock()
    let receive: (message: InboundMessage) => Promise<void> = async () => {}
    const world = await createWorld({
      clock,
      carrier: {
        connect(to) {
          receive = to
          return () => {}
        },
        call: async () => ({ status: 'completed' }),
      },
    })
    try {
      const refused = await textTo(world, plainNumber(3))
      expect([refused.status, await refused.json()]).toEqual([
        500,
        { detail: 'No carrier is configured: the message cannot be sent' },
      ])
      expect(await called(world, clock)).toEqual({ status: 'success', reason: '' })
      await receive({ id: 'one', channel: 'sms', from: plainNumber(4), to: NUMBER, text: 'hello' })
      const conversation = await conversationWith(world, plainNumber(4))
      expect(conversation?.turns?.[0]?.user_input).toBe('hello')
    } finally {
      await world.close()
    }
  })
})

describe('a carrier without call', () => {
  it('sends texts, and calls fail like in a runtime without a carrier', async () => {
    const clock = handClock()
    const sent: string[] = []
    // As an instance whose methods need it.
    class Texts {
      texts = sent
      async send({ text }: TextMessage): Promise<SendOutcome> {
        this.texts.push(text)
        return { status: 'accepted', channel: 'sms' }
      }
    }
    const world = await createWorld({ clock, carrier: new Texts() })
    try {
      await textTo(world, richNumber(3))
      await passUntil(clock, () => sent.length === 1)
      expect(await called(world, clock)).toEqual({ status: 'failure', reason: 'No carrier is configured' })
    } finally {
      await world.close()
    }
  })
})

/** How a call ends. */
async function called(world: World, clock: HandClock): Promise<CallStatus> {
  const token = { 'x-svc-auth-token': 'calling-token' }
  const body = JSON.stringify({ to_number: '+15005550099' })
  const response = await world.post('/v1/outbound-calling', { ...JSON_TYPE, ...token }, body)
  const { call_sid } = (await response.json()) as { call_sid: string }
  const status = async () =>
    (await (await world.get(`/v1/outbound-calling/${call_sid}/status`, token)).json()) as CallStatus
  await passUntil(clock, async () => ['success', 'failure'].includes((await status()).status))
  return status()
}
