// A process gives its work to others before it ends: its sockets one after another, its turns when they end.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
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
/** True if a handshake gets no answer: a proxy then asks another process. */
const isLeftToOthers = (base: string, sessionId: string, token: string) =>
  new Promise<boolean>((resolve) => {
    const query = new URLSearchParams({ session_id: sessionId, access_token: token })
    const socket = new WebSocket(`${base.replace('http', 'ws')}/ws?${query}`)
    socket.once('open', () => resolve(false)).once('unexpected-response', () => resolve(false))
    socket.once('error', () => resolve(true))
  })

it('every socket is closed with 1001, one after another, in random order', async () => {
  const clock = handClock()
  const world = await open(clock)
  const token = await world.accessToken()
  const order: number[] = []
  const clients: { closed: () => Promise<unknown> }[] = []
  for (let index = 0; index < 20; index++) {
    const client = await world.connect(await world.session(token), token)
    client.socket.on('close', () => order.push(index))
    clients.push(client)
  }
  const drained = world.runtime.drain(25_000)
  await expect.poll(() => order.length).toBe(1)
  for (let passed = 0; passed < 25_000; passed += 200) await clock.pass(200)
  expect(await Promise.all(clients.map((client) => client.closed()))).toEqual(Array(20).fill(1001))
  await drained
  expect(order).not.toEqual(order.toSorted((one, other) => one - other))
  await world.close()
})

it('a process that drains refuses sockets, ends its turn, leaves new ones to another, and answers HTTP', async () => {
  const [one, other] = [await open(), await open()]
  const { sessionId, token, client } = await one.joined({ streaming_enabled: false })
  const elsewhere = await one.joined({ streaming_enabled: false })
  client.say('held answer')
  const release = await released('held answer')
  const drained = one.runtime.drain(60_000)
  let isDrained = false
  void drained.then(() => {
    isDrained = true
  })
  expect(await isLeftToOthers(one.base, sessionId, token)).toBe(true)
  expect((await one.get('/openapi.json')).status).toBe(200)
  // Whichever of the two sockets is still open.
  const reader = await other.connect(sessionId, token)
  reader.say('next', 'next-1')
  const second = await other.connect(elsewhere.sessionId, elsewhere.token)
  second.say('mine', 'mine-1')
  await second.event('EVENT_TYPE_POLY_AGENT_MESSAGE', ({ payload }) => payload.text === 'You said mine')
  // Its heart goes on beating: the other one does not take the turn.
  for (let passed = 0; passed < 30_000; passed += 5_000)
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
