// A call that one process placed and another one speaks in, as where a telephone company's webhooks reach any process.

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { CallStatus, ConversationPage } from '../../src/api/index.ts'
import { type Agent, type Carrier, createNotifyLink, type Database } from '../../src/runtime/index.ts'
import { type HandClock, handClock } from './clock.ts'
import { newDatabase, storeKind, urlOf } from './store.ts'
import { createWorld } from './world.ts'

const TOKEN = { 'x-svc-auth-token': 'calling-token' }
type World = Awaited<ReturnType<typeof createWorld>>

let database: Database
let clocks: HandClock[]
let placing: World
let other: World
let sid: string
let hangUp: () => void
let holds: Map<string, () => void>

/** Answers what is said to it; "hold" only once it is released, and "nothing" with nothing. */
const agent: Agent = {
  name: 'Echo',
  async *act({ text, trigger }) {
    if (text.startsWith('hold')) await new Promise<void>((resolve) => holds.set(text, resolve))
    if (text === 'nothing') return
    if (text === 'bye') yield { type: 'end' }
    else yield { type: 'text', text: trigger === 'join' ? 'Hello' : `You said *${text}*` }
  },
}

/** On PostgreSQL the processes hear of each other; without a bus they find out. */
function open(carrier?: Carrier): Promise<World> {
  const clock = handClock()
  clocks.push(clock)
  const bus =
    storeKind === 'postgres'
      ? createNotifyLink({ url: urlOf(database), db: database, log: () => {} })
      : undefined
  return createWorld({
    ...{ clock, agent, bus, settings: { callsAtOnce: 1 } },
    data: { database: { ...database, close: async () => {} } },
    ...(carrier && { carrier }),
  })
}

beforeEach(async () => {
  database = await newDatabase()
  clocks = []
  holds = new Map()
  let asked = false
  placing = await open({
    call: () =>
      new Promise((resolve) => {
        asked = true
        hangUp = () => resolve({ status: 'completed' })
      }),
  })
  sid = await placed()
  await vi.waitFor(() => expect(asked).toBe(true), { timeout: 30_000 })
  // The other process begins once the call is placed, so that it cannot be the one that placed it.
  other = await open()
})
afterEach(async () => {
  hangUp()
  for (const release of holds.values()) release()
  await placing.close()
  await other.close()
  await database.close()
})

/** Asks for a call. Returns its SID. */
async function placed(): Promise<string> {
  const headers = { ...TOKEN, 'content-type': 'application/json' }
  const body = JSON.stringify({ to_number: '+15005550099' })
  const response = await placing.post('/v1/outbound-calling', headers, body)
  return ((await response.json()) as { call_sid: string }).call_sid
}
const statusOf = async (world: World) =>
  (await (await world.get(`/v1/outbound-calling/${sid}/status`, TOKEN)).json()) as CallStatus
async function legOf(world: World) {
  const leg = await world.runtime.leg(sid)
  if (!leg) throw new Error('there is no such call')
  return leg
}
/** What a promise resolves to, while time goes by in both processes, or in those that live. */
async function inTime<T>(promise: Promise<T>, living = clocks): Promise<T> {
  let over = false
  const done = promise.finally(() => {
    over = true
  })
  for (let round = 0; !over && round < 2_000; round++) {
    for (const clock of living) await clock.pass(100)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  return done
}
/** The turns of the first call. */
async function turns() {
  const page = await other.get('/v3/larkspur/shop/conversations?client_env=sandbox&channel=voice')
  const conversation = ((await page.json()) as ConversationPage).conversations.at(-1)
  return conversation?.turns?.map((turn) => [turn.user_input, turn.agent_response])
}

it('the other process speaks in the call, and both sides are in its conversation', async () => {
  const leg = await legOf(other)
  expect(await inTime(leg.answered())).toEqual({ text: 'Hello', hangUp: false })
  expect(await inTime(leg.heard({ speech: 'hi' }))).toEqual({ text: 'You said hi', hangUp: false })
  expect(await inTime((await legOf(placing)).heard({ dtmf: '12#' }))).toEqual({
    text: 'You said 12#',
    hangUp: false,
  })
  expect(await inTime(leg.heard({ speech: 'nothing' }))).toEqual({ text: '', hangUp: false })
  expect(await inTime(leg.heard({ speech: 'bye' }))).toEqual({ text: '', hangUp: true })
  expect(await turns()).toEqual([
    ['', 'Hello'],
    ['hi', 'You said hi'],
    ['', 'You said 12#'],
    ['nothing', ''],
    ['bye', ''],
  ])
})

it('what is said in one process while the other answers is answered after it, and waited for', async () => {
  const [one, two] = [await legOf(placing), await legOf(other)]
  await inTime(one.answered())
  const first = one.heard({ speech: 'hold on' })
  await inTime(vi.waitFor(() => expect(holds.has('hold on')).toBe(true), { timeout: 30_000 }))
  let early = true
  const second = two.heard({ speech: 'and this' }).finally(() => {
    early = false
  })
  for (const clock of clocks) await clock.pass(10_000)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(early).toBe(true)
  holds.get('hold on')?.()
  expect((await inTime(first)).text).toContain('You said hold on')
  expect(await inTime(second)).toEqual({ text: 'You said hold on\nYou said and this', hangUp: false })
})

it.runIf(storeKind === 'postgres')(
  'hears at once that the other process has answered, by the bus',
  async () => {
    const [one, two] = [await legOf(placing), await legOf(other)]
    await inTime(one.answered())
    void one.heard({ speech: 'hold on' })
    await vi.waitFor(() => expect(holds.has('hold on')).toBe(true), { timeout: 30_000 })
    const second = two.heard({ speech: 'nothing' })
    await vi.waitFor(async () => expect((await turns())?.at(-1)).toEqual(['nothing', '']), {
      timeout: 30_000,
    })
    holds.get('hold on')?.()
    // No clock is turned: nobody looks by the time.
    expect((await second).hangUp).toBe(false)
  },
)

/** Answers of two processes to one caller: that of `placing` is held by the agent, and that of `other` waits for it. */
async function twoWait() {
  const [one, two] = [await legOf(placing), await legOf(other)]
  await inTime(one.answered())
  const first = one.heard({ speech: 'hold on' })
  await inTime(vi.waitFor(() => expect(holds.has('hold on')).toBe(true), { timeout: 30_000 }))
  const second = two.heard({ speech: 'and this' })
  await vi.waitFor(async () => expect(await turns()).toHaveLength(3), { timeout: 30_000 })
  return { first, second }
}

it('a process that closes waits no longer for the answer of another', async () => {
  const { first, second } = await twoWait()
  const closing = other.close()
  // No clock is turned: nobody looks by the time.
  expect((await second).hangUp).toBe(false)
  await inTime(closing)
  holds.get('hold on')?.()
  expect((await inTime(first)).text).toContain('You said hold on')
})

it('what was said before a call ended, and is not answered, is not waited for', async () => {
  const { first, second } = await twoWait()
  hangUp()
  for (const heard of [first, second]) expect(await inTime(heard)).toEqual({ text: '', hangUp: true })
})

it('a call whose process is killed is over in every other one, which waits no longer for its answer', async () => {
  const [one, two] = [await legOf(placing), await legOf(other)]
  await inTime(one.answered())
  void one.heard({ speech: 'hold on' })
  await inTime(vi.waitFor(() => expect(holds.has('hold on')).toBe(true), { timeout: 30_000 }))
  const living = clocks.slice(1)
  expect(await inTime(two.heard({ speech: 'and this' }), living)).toMatchObject({ hangUp: true })
  const isFailed = async () => expect((await statusOf(other)).status).toBe('failure')
  await inTime(vi.waitFor(isFailed, { timeout: 30_000 }), living)
  expect(await other.runtime.leg(sid)).toBeUndefined()
  expect(await inTime(two.heard({ speech: 'Still there?' }), living)).toEqual({ text: '', hangUp: true })
  const before = await turns()
  holds.get('hold on')?.()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(await turns()).toEqual(before)
})

it('there is no leg of a call that is unknown, waits in the queue, or is over', async () => {
  for (const unknown of ['OUT-nobody', '', 'OUT-\0', undefined as never])
    expect(await other.runtime.leg(unknown)).toBeUndefined()
  expect(await other.runtime.leg(await placed())).toBeUndefined()
  const leg = await legOf(other)
  await inTime(leg.answered())
  hangUp()
  await inTime(
    vi.waitFor(async () => expect((await statusOf(other)).status).toBe('success'), { timeout: 30_000 }),
  )
  expect(await other.runtime.leg(sid)).toBeUndefined()
  // One that was taken before says that the call is over, and stores nothing.
  expect(await inTime(leg.heard({ speech: 'Still there?' }))).toEqual({ text: '', hangUp: true })
  expect(await turns()).toEqual([['', 'Hello']])
})
