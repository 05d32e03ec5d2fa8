// The simulated phones, two of each: what one does, hears or fails at is nothing to another.

import { beforeEach, describe, expect, it } from 'vitest'
import { createSimulatedCarrier, type SimulatedCarrier } from '../../src/carriers/index.ts'
import type { InboundMessage, TextMessage } from '../../src/runtime/index.ts'
import { type HandClock, handClock } from '../contract/clock.ts'

const PHONE = '+15005550100'
const ANOTHER = '+15005550101'
const RCS = '+15005550020'
const NUMBER = '+15005550200'
const SECOND_NUMBER = '+15005550201'
const RICH: TextMessage['rich'] = {
  sender: 'shop',
  text: 'rich',
  cards: [],
  suggestions: [],
  callActions: [],
}

let clock: HandClock
let carrier: SimulatedCarrier
beforeEach(() => {
  clock = handClock()
  carrier = createSimulatedCarrier({ clock, delayMs: 0, uuid: () => 'made' })
})

const text = (id: string, more: Partial<TextMessage> = {}): TextMessage => ({
  ...{ id, to: PHONE, from: NUMBER, text: `text ${id}` },
  ...more,
})
const textsOf = (number: string) => carrier.screen(number).map(({ text }) => text)
/** Passes time, and lets what follows happen. */
async function pass(ms: number): Promise<void> {
  await clock.pass(ms)
  await new Promise((resolve) => setImmediate(resolve))
}

describe('a message', () => {
  it('fails as often as it was told to, each time anew', async () => {
    for (const count of [2, 1]) {
      carrier.failNext(count)
      for (let n = 0; n < count; n++)
        await expect(carrier.send(text('a'))).rejects.toThrow('The network is down')
      await expect(carrier.send(text(`after ${count}`))).resolves.toEqual({
        status: 'accepted',
        channel: 'sms',
      })
    }
    expect(textsOf(PHONE)).toEqual(['text after 2', 'text after 1'])
  })

  it('is shown once, however often it is sent and though both copies are on their way', async () => {
    carrier = createSimulatedCarrier({ clock, delayMs: 300 })
    const copies = [carrier.send(text('a')), carrier.send(text('a')), carrier.send(text('b'))]
    await pass(300)
    expect(await Promise.all(copies)).toEqual(Array(3).fill({ status: 'accepted', channel: 'sms' }))
    expect(textsOf(PHONE)).toEqual(['text a', 'text b'])
    expect(carrier.outbox().map(({ id }) => id)).toEqual(['a', 'b'])
  })

  it('is on the screen of its own phone, with the time at which it came', async () => {
    await carrier.send(text('a'))
    await clock.pass(5_000)
    await carrier.send(text('b', { to: ANOTHER, from: SECOND_NUMBER }))
    expect([...carrier.screen(PHONE), ...carrier.screen(ANOTHER)]).toMatchObject([
      { id: 'a', with: NUMBER, at: clock.now() - 5_000 },
      { id: 'b', with: SECOND_NUMBER, at: clock.now() },
    ])
  })

  it('is rich on a phone with RCS alone, and plain where it has no rich form', async () => {
    const channels = []
    for (const [id, to, rich] of [
      ['a', RCS, RICH],
      ['b', RCS, undefined],
      ['c', PHONE, RICH],
    ] as const)
      channels.push(await carrier.send(text(id, { to, ...(rich && { rich }) })))
    expect(channels).toMatchObject([{ channel: 'rcs' }, { channel: 'sms' }, { channel: 'sms' }])
    expect([textsOf(RCS), textsOf(PHONE)]).toEqual([['rich', 'text b'], ['text c']])
  })
})

describe('what is kept', () => {
  it('is the last 200 messages of a phone, and the last 200 that were sent', async () => {
    for (let n = 0; n < 201; n++) await carrier.send(text(String(n), { to: n < 150 ? PHONE : ANOTHER }))
    expect([carrier.screen(PHONE).length, carrier.screen(ANOTHER).length]).toEqual([150, 51])
    expect([carrier.outbox().length, carrier.outbox()[0]?.id]).toEqual([200, '1'])
    for (let n = 201; n < 252; n++) await carrier.send(text(String(n)))
    expect([carrier.screen(PHONE).length, textsOf(PHONE)[0]]).toEqual([200, 'text 1'])
  })

  it('is the screens of the thousand phones that were used last', async () => {
    const numbers = Array.from({ length: 1_000 }, (_, n) => `+1500556${1_000 + n}`)
    const [first = '', second = ''] = numbers
    for (const to of [...numbers, first, PHONE])
      await carrier.send(text(`${to} ${carrier.outbox().length}`, { to }))
    expect([first, second, PHONE].map((number) => carrier.screen(number).length)).toEqual([2, 0, 1])
  })

  it('is watched by several, of whom each ends it alone', async () => {
    const seen: string[] = []
    const undo = carrier.watch((number) => seen.push(`one ${number}`))
    carrier.watch((number) => seen.push(`two ${number}`))
    await carrier.send(text('a'))
    undo()
    await carrier.send(text('b', { to: ANOTHER }))
    expect(seen).toEqual([`one ${PHONE}`, `two ${PHONE}`, `two ${ANOTHER}`])
  })
})

describe('what the owner of a phone writes', () => {
  let received: InboundMessage[]
  beforeEach(() => {
    received = []
    carrier.connect(async (message) => void received.push(message))
  })

  it('goes by RCS where the last message with that number came so, whatever came with another number', async () => {
    await carrier.send(text('a', { to: RCS, rich: RICH }))
    await carrier.send(text('b', { to: RCS, from: SECOND_NUMBER }))
    await carrier.write(RCS, NUMBER, { text: 'one' })
    await carrier.write(RCS, SECOND_NUMBER, { text: 'two' })
    await carrier.send(text('c', { to: RCS }))
    await carrier.write(RCS, NUMBER, { text: 'three' })
    expect(received.map(({ channel, to }) => [channel, to])).toEqual([
      ['rcs', NUMBER],
      ['sms', SECOND_NUMBER],
      ['sms', NUMBER],
    ])
  })

  it('has the id of its copy, else a new one', async () => {
    await carrier.write(PHONE, NUMBER, { text: 'hi' }, 'given')
    await carrier.write(PHONE, NUMBER, { text: 'hi' })
    expect(received.map(({ id }) => id)).toEqual(['given', 'made'])
  })

  it('is answered by the carrier where it is a keyword, and shown as what it is where it has no text', async () => {
    await carrier.write(PHONE, NUMBER, { text: 'stop' })
    await carrier.write(PHONE, NUMBER, { text: 'start' })
    await carrier.write(PHONE, NUMBER, { button: { payload: 'p', text: 'Yes', type: 'reply' } })
    await carrier.write(PHONE, NUMBER, { media: [{ content_type: 'image/png', url: 'https://a.example/1' }] })
    expect(received.map(({ keyword }) => keyword)).toEqual(['STOP', 'START', undefined, undefined])
    expect(textsOf(PHONE)).toEqual([
      'stop',
      expect.stringMatching(/^You will get no more/),
      'start',
      expect.stringMatching(/^You will get messages .* again/),
      'Yes',
      'https://a.example/1',
    ])
  })

  it('reaches the runtime that connected last, though an earlier one ends later', async () => {
    const others: string[] = []
    const undoFirst = carrier.connect(async ({ text }) => void others.push(`first ${text}`))
    const undoSecond = carrier.connect(async ({ text }) => void others.push(`second ${text}`))
    undoFirst()
    await carrier.write(PHONE, NUMBER, { text: 'hi' })
    undoSecond()
    await carrier.write(PHONE, NUMBER, { text: 'nobody' })
    expect([others, received]).toEqual([['second hi'], []])
  })
})

describe('a call', () => {
  /** Places a call, and tells how it ended. */
  function place(to: string, hangUpAfter = Number.POSITIVE_INFINITY) {
    const heard: (string | undefined)[] = []
    const answer = () => ({ text: 'Yes?', hangUp: heard.length >= hangUpAfter })
    const stop = new AbortController()
    const ended: unknown[] = []
    const call = { sid: 'OUT-1', to, from: NUMBER, metadata: {}, encryption: 'TLS/SRTP' }
    const line = {
      answered: async () => answer(),
      heard: async ({ speech }: { speech?: string }) => {
        heard.push(speech)
        return answer()
      },
    }
    carrier.call(call, line, stop.signal).then(
      (outcome) => ended.push(outcome),
      (error: Error) => ended.push(error.message),
    )
    return { heard, ended, stop: () => stop.abort() }
  }
  beforeEach(() => {
    carrier = createSimulatedCarrier({
      clock,
      delayMs: 100,
      ringMs: 2_000,
      devices: { [ANOTHER]: { script: ['one', 'two'] } },
    })
  })

  it.each([
    ['+15005550011', 2_000, { status: 'failed', reason: 'The call was not answered.' }],
    ['+15005550012', 0, { status: 'failed', reason: 'The line is busy.' }],
    ['+15005550013', 2_000, { status: 'completed' }],
    ['+15005550014', 0, { status: 'failed', reason: 'The number cannot be reached.' }],
  ])('to %s ends after it rang %i ms, and nothing is said', async (number, ringMs, outcome) => {
    const call = place(number)
    await pass(99)
    if (ringMs) await pass(1)
    await pass(ringMs && ringMs - 1)
    expect(call.ended).toEqual([])
    await pass(1)
    expect([call.ended, call.heard]).toEqual([[outcome], []])
  })

  it('says what the owner of its phone has to say, until the agent hangs up', async () => {
    const calls = [place(PHONE), place(ANOTHER), place(ANOTHER, 1), place(ANOTHER, 0)]
    for (const ms of [100, 2_000, 100, 100, 100]) await pass(ms)
    expect(calls.map(({ heard }) => heard)).toEqual([
      ['Hello, who is there?', '', 'Thank you, goodbye.'],
      ['one', 'two'],
      ['one'],
      [],
    ])
    expect(calls.map(({ ended }) => ended)).toEqual(Array(4).fill([{ status: 'completed' }]))
  })

  it('that the runtime ends is over where a network takes no time too', async () => {
    carrier = createSimulatedCarrier({ clock, delayMs: 0, ringMs: 0 })
    const [call, other] = [place(PHONE), place(PHONE)]
    call.stop()
    await pass(0)
    expect([call.ended, other.ended]).toEqual([['The call was ended'], [{ status: 'completed' }]])
  })

  it.each([
    ['before it is placed', []],
    ['while it is placed', [50]],
    ['while it rings', [100, 500]],
    ['while it lasts', [100, 2_000, 50]],
  ])('that the runtime ends %s is over at once, and another goes on', async (_, waits) => {
    const other = place(ANOTHER)
    const call = place(ANOTHER)
    for (const ms of waits) await pass(ms)
    call.stop()
    await pass(0)
    expect([call.ended, call.heard, other.ended]).toEqual([['The call was ended'], [], []])
    for (const ms of [100, 2_000, 100, 100]) await pass(ms)
    expect(other.heard).toEqual(['one', 'two'])
  })
})
