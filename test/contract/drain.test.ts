// A process gives its work to others before it ends: its sockets one after another, its turns when they end.

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Agent, Database } from '../../src/runtime/index.ts'
import { type HandClock, handClock } from './clock.ts'
import { newDatabase } from './store.ts'
import { createWorld, isWhole } from './world.ts'

let shared: Database
beforeAll(async () => {
  shared = await newDatabase()
})
afterAll(() => shared.close())

/** Each answer waits until it is released. */
const releases = new Map<string, () => void>()
const asked: string[] = []
const agent: Agent = {
  name: 'Echo',
  async *act(turn) {
    asked.push(turn.text)
    if (turn.text.startsWith('held'))
      await new Promise<void>((resolve) => releases.set(turn.text, () => resolve()))
    yield { type: 'text', text: turn.trigger === 'join' ? 'Hello' : `You said ${turn.text}` }
  },
}
const open = (clock: HandClock = handClock()) =>
  createWorld({ data: { database: { ...shared, close: async () => {} } }, agent, clock })
const released = async (text: string): Promise<() => void> => {
  for (;;) {
    const release = releases.get(text)
    if (release) return release
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
const refused = { status: 503, error: 'the service is stopping' }

it.each([
  { sockets: 50, within: 25_000, most: 5, last: 12_000 },
  { sockets: 4, within: 25_000, most: 1, last: 4_000 },
  // The deadline comes before the rule.
  { sockets: 20, within: 2_000, most: 10, last: 2_000 },
])('$sockets sockets are closed with 1001, at most $most in a second, within $last ms', async (given) => {
  const clock = handClock()
  const world = await open(clock)
  const token = await world.accessToken()
  const closedAt: number[] = []
  const codes: unknown[] = []
  const order: number[] = []
  const clients: { closed: () => Promise<unknown> }[] = []
  for (let index = 0; index < given.sockets; index++) {
    const client = await world.connect(await world.session(token), token)
    client.socket.on('close', (code) => {
      closedAt.push(clock.now())
      codes.push(code)
      order.push(index)
    })
    clients.push(client)
  }
  const begun = clock.now()
  const drained = world.runtime.drain(given.within)
  const settled = () => new Promise((resolve) => setTimeout(resolve, 3))
  for (let passed = 0; closedAt.length < given.sockets && passed <= given.within; passed += 100) {
    await settled()
    await clock.pass(100)
  }
  await Promise.all(clients.map((client) => client.closed()))
  await drained
  expect(codes).toEqual(Array(given.sockets).fill(1001))
  for (const from of closedAt)
    expect(closedAt.filter((at) => at >= from && at < from + 1_000).length).toBeLessThanOrEqual(given.most)
  expect(Math.max(...closedAt) - begun).toBeLessThanOrEqual(given.last)
  if (given.sockets > 10) expect(order).not.toEqual(order.toSorted((one, other) => one - other))
  await world.close()
})

it('a process that drains refuses sockets, ends its turn, leaves new ones to another, and answers HTTP', async () => {
  const [one, other] = [await open(), await open()]
  const { sessionId, token, client } = await one.joined({ streaming_enabled: false })
  const elsewhere = await one.joined({ streaming_enabled: false })
  client.say('held answer')
  const release = await released('held answer')
  const drained = one.runtime.drain(25_000)
  let isDrained = false
  void drained.then(() => {
    isDrained = true
  })
  expect(await one.refusal({ session_id: sessionId, access_token: token })).toMatchObject(refused)
  expect((await one.get('/openapi.json')).status).toBe(200)
  // Whichever of the two sockets is still open.
  const reader = await other.connect(sessionId, token)
  reader.say('next', 'next-1')
  const second = await other.connect(elsewhere.sessionId, elsewhere.token)
  second.say('mine', 'mine-1')
  await second.event('EVENT_TYPE_POLY_AGENT_MESSAGE', ({ payload }) => payload.text === 'You said mine')
  for (const clock of [one.clock, other.clock] as HandClock[]) await clock.pass(5_000)
  for (const each of [client, elsewhere.client]) expect(await each.closed()).toBe(1001)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(isDrained).toBe(false)
  release()
  await drained
  for (let done = false; !done; ) {
    await (other.clock as HandClock).pass(5_000)
    const again = await other.connect(sessionId, token, '0')
    await again.until(() => again.frames.length > 0)
    done = again.events().some(({ payload }) => payload.text === 'You said next')
    if (done)
      expect(again.events().flatMap((event) => (isWhole(event) ? [event.payload.text] : []))).toEqual([
        ...['Hello', 'You said held answer', 'You said next'],
      ])
    again.socket.close()
  }
  expect(asked.filter((text) => text === 'held answer' || text === 'next')).toHaveLength(2)
  for (const world of [one, other]) await world.close()
})

it('a turn that does not end in time is given back, and answered once by another process', async () => {
  const [one, other] = [await open(), await open()]
  const { sessionId, token, client } = await one.joined({ streaming_enabled: false })
  client.say('held too long')
  await released('held too long')
  releases.delete('held too long')
  const drained = one.runtime.drain(10_000)
  await (one.clock as HandClock).pass(10_000)
  await drained
  await one.close()
  const reader = await other.connect(sessionId, token)
  await (other.clock as HandClock).pass(5_000)
  ;(await released('held too long'))()
  await reader.event('EVENT_TYPE_POLY_AGENT_MESSAGE', ({ payload }) => payload.text !== 'Hello')
  const messages = reader.events().filter((event) => isWhole(event) || /SYSTEM/.test(event.type))
  expect(messages.map(({ payload }) => payload.text)).toEqual(['Hello', 'You said held too long'])
  expect(asked.filter((text) => text === 'held too long')).toHaveLength(2)
  await other.close()
})
