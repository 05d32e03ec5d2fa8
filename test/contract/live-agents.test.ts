// Nobody waits for a live agent who is gone, for one who does not answer, or for nobody.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Agent } from '../../src/runtime/index.ts'
import { until } from '../process/until.ts'
import { type HandClock, handClock } from './clock.ts'
import { interposed } from './interposed.ts'
import { newDatabase, storeKind } from './store.ts'
import { createWorld, echoAgent, PROJECTS } from './world.ts'

const SARAH = { id: 'sarah', name: 'Sarah' }
const OMAR = { id: 'omar', name: 'Omar' }
const MINUTE = 60_000
const PROJECT = PROJECTS[0] as (typeof PROJECTS)[number]

/** Hands over at the word `person`, and says what it knows of the desk at `desk`. */
const agent: Agent = {
  name: 'Echo',
  async *act(turn) {
    if (turn.text === 'desk') return yield { type: 'text', text: JSON.stringify(turn.desk ?? 'unknown') }
    if (turn.text !== 'person') return yield* echoAgent.act(turn)
    yield { type: 'text', text: 'I ask around.' }
    yield { type: 'handoff', queueName: 'support' }
  },
}

let clock: HandClock
let between: ReturnType<typeof interposed>
let world: Awaited<ReturnType<typeof createWorld>>
/** Live agents who are heard every 20 s, with whether they are away. */
let atDesk: Map<typeof SARAH, boolean>
let chats: Chat[]
beforeEach(async () => {
  clock = handClock()
  between = interposed(await newDatabase())
  world = await createWorld({
    ...{ clock, agent, data: { database: between.database } },
    settings: { deskWaitSeconds: 600 },
  })
  atDesk = new Map()
  chats = []
})
afterEach(() => world.close())

/** Time goes by, in which live agents and visitors are heard every 20 s. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 20_000) {
    for (const [who, away] of atDesk) await world.desk.beat(who, away)
    for (const { client } of chats) client.send('EVENT_TYPE_HEARTBEAT')
    await clock.leap(Math.min(left, 20_000))
  }
  await clock.pass(1_000)
}
async function come(who: typeof SARAH, away = false): Promise<void> {
  atDesk.set(who, away)
  await world.desk.beat(who, away)
}
/** A visitor in the queue. */
async function waiting() {
  const chat = await world.chat([], { open: true })
  chats.push(chat)
  chat.client.say('person')
  await chat.client.event('EVENT_TYPE_HANDOFF_QUEUE_STATUS')
  await clock.pass(1_000)
  return chat
}
type Chat = Awaited<ReturnType<typeof world.chat>>
const payloads = ({ client }: Chat, type: string) =>
  client.events().flatMap((event) => (event.type === type ? [event.payload] : []))
const ids = async () => (await world.desk.entries()).map(({ id, state }) => `${state} ${id}`)
const entry = async ({ sessionId }: Chat) => (await world.desk.entries()).find(({ id }) => id === sessionId)

describe('a live agent who is gone', () => {
  it('was silent for a minute: what she had is first in its queue, its visitor is told once, and the agent answers after the queue’s own time', async () => {
    await come(SARAH)
    const first = await waiting()
    const second = await waiting()
    expect(await world.desk.take(first.sessionId, SARAH)).toBe(true)
    await world.desk.answer(first.sessionId, SARAH.id, 'Hello')
    atDesk.clear()
    await pass(55_000)
    expect((await entry(first))?.state).toBe('taken')
    await pass(6_000)
    expect(await ids()).toEqual([`waiting ${first.sessionId}`, `waiting ${second.sessionId}`])
    expect((await entry(first))?.lost).toBe('gone')
    await pass(MINUTE)
    expect(payloads(first, 'EVENT_TYPE_LIVE_AGENT_LEFT')).toEqual([
      { agent_id: 'sarah', agent_name: 'Sarah', reason: 'gone' },
    ])
    expect(payloads(first, 'EVENT_TYPE_HANDOFF_QUEUE_STATUS').at(-1)).toMatchObject({
      queue_name: 'support',
      position_in_queue: 1,
    })
    expect(payloads(second, 'EVENT_TYPE_HANDOFF_QUEUE_STATUS').map((told) => told.position_in_queue)).toEqual(
      [2, 1, 2],
    )
    await pass(10 * MINUTE)
    expect(payloads(first, 'EVENT_TYPE_HANDOFF_TIMEOUT')).toHaveLength(1)
    first.client.say('still there?')
    await first.client.event(
      'EVENT_TYPE_POLY_AGENT_MESSAGE',
      ({ payload }) => payload.text === 'You said still there?',
    )
  })

  it('leaves what she had in the order in which it came, before all that wait', async () => {
    await come(SARAH)
    const all = [await waiting(), await waiting(), await waiting(), await waiting()].map(
      ({ sessionId }) => sessionId,
    )
    // She has passed the first one over.
    const [waits, ...taken] = all
    for (const id of taken) await world.desk.take(id, SARAH)
    atDesk.clear()
    await pass(62_000)
    expect(await ids()).toEqual([...taken, waits].map((id) => `waiting ${id}`))
  })

  it('comes back to what nobody has taken meanwhile, as to any other chat', async () => {
    await come(SARAH)
    const chat = await waiting()
    await world.desk.take(chat.sessionId, SARAH)
    atDesk.clear()
    await pass(62_000)
    expect(await world.desk.answer(chat.sessionId, SARAH.id, 'Here I am')).toBe(false)
    await come(SARAH)
    expect(await world.desk.take(chat.sessionId, SARAH)).toBe(true)
    expect((await entry(chat))?.lost).toBeUndefined()
    expect(await world.desk.answer(chat.sessionId, SARAH.id, 'Here I am')).toBe(true)
  })

  it('is nobody who takes a conversation: that is a sign of life', async () => {
    await come(SARAH)
    const chat = await waiting()
    atDesk.clear()
    await pass(62_000)
    expect(await world.desk.take(chat.sessionId, SARAH)).toBe(true)
    await pass(30_000)
    expect((await entry(chat))?.state).toBe('taken')
    expect(payloads(chat, 'EVENT_TYPE_LIVE_AGENT_LEFT')).toEqual([])
  })

  it('is nobody who was never heard: a desk that tells nothing of its people keeps what they have', async () => {
    const chat = await waiting()
    await world.desk.take(chat.sessionId, SARAH)
    await pass(30 * MINUTE)
    expect((await entry(chat))?.state).toBe('taken')
  })

  it('is nobody as long as one of her windows is heard, at whatever process', async () => {
    await come(SARAH)
    const chat = await waiting()
    await world.desk.take(chat.sessionId, SARAH)
    await world.desk.answer(chat.sessionId, SARAH.id, 'Hello')
    await pass(10 * MINUTE)
    expect((await entry(chat))?.state).toBe('taken')
    expect(await world.desk.agents()).toEqual([{ id: 'sarah', name: 'Sarah', state: 'here', chats: 1 }])
  })

  it('is nobody who is heard again as what she had is put back', async () => {
    await come(SARAH)
    const chat = await waiting()
    await world.desk.take(chat.sessionId, SARAH)
    await world.desk.answer(chat.sessionId, SARAH.id, 'Hello')
    atDesk.clear()
    const heard = between.after(/ORDER BY h\.taken_at LIMIT/, () => world.desk.beat(SARAH))
    await pass(62_000)
    await heard
    expect((await entry(chat))?.state).toBe('taken')
    expect(payloads(chat, 'EVENT_TYPE_LIVE_AGENT_LEFT')).toEqual([])
  })

  it('is nobody whose heartbeat is stored late, after a newer one', async () => {
    await come(SARAH)
    const chat = await waiting()
    await world.desk.take(chat.sessionId, SARAH)
    await world.desk.answer(chat.sessionId, SARAH.id, 'Hello')
    atDesk.clear()
    const late = between.before(/INSERT INTO foyer\.live_agent/, async () => {
      await pass(50_000)
      await world.desk.beat(SARAH)
    })
    await world.desk.beat(SARAH)
    await late
    await pass(50_000)
    expect((await entry(chat))?.state).toBe('taken')
    await pass(10_000)
    expect((await entry(chat))?.lost).toBe('gone')
  })
})

describe('a live agent who does not answer', () => {
  it('loses each conversation in its time, and the one that came first stays first', async () => {
    await come(SARAH)
    const [first, second, third] = [await waiting(), await waiting(), await waiting()]
    await world.desk.take(first.sessionId, SARAH)
    await pass(MINUTE)
    await world.desk.take(second.sessionId, SARAH)
    await pass(5 * MINUTE + 2_000)
    expect(await ids()).toEqual([first, second, third].map(({ sessionId }) => `waiting ${sessionId}`))
  })

  it('for five minutes after she took it loses the conversation to the next', async () => {
    await come(SARAH)
    const chat = await waiting()
    await world.desk.take(chat.sessionId, SARAH)
    await pass(4 * MINUTE)
    expect((await entry(chat))?.state).toBe('taken')
    await pass(MINUTE + 2_000)
    expect(await entry(chat)).toMatchObject({ state: 'waiting', lost: 'unanswered', agent: undefined })
    expect(payloads(chat, 'EVENT_TYPE_LIVE_AGENT_LEFT')).toMatchObject([{ reason: 'unanswered' }])
  })

  it('is one to whom the visitor wrote: since the first of the messages, and not where she has answered it', async () => {
    await come(SARAH)
    const chat = await waiting()
    await world.desk.take(chat.sessionId, SARAH)
    await world.desk.answer(chat.sessionId, SARAH.id, 'Hello')
    await pass(20 * MINUTE)
    expect((await entry(chat))?.state).toBe('taken')
    for (const text of ['one', 'two']) {
      chat.client.say(text)
      await chat.client.event('EVENT_TYPE_USER_MESSAGE', ({ payload }) => payload.text === text)
      await pass(2 * MINUTE)
    }
    await pass(MINUTE + 2_000)
    expect((await entry(chat))?.lost).toBe('unanswered')
  })
})

describe('a live agent', () => {
  it('has at most four conversations', async () => {
    await come(SARAH)
    for (let n = 0; n < 5; n++) await waiting()
    for (const { sessionId } of chats.slice(0, 4)) expect(await world.desk.take(sessionId, SARAH)).toBe(true)
    const fifth = chats[4]?.sessionId ?? ''
    await expect(world.desk.take(fifth, SARAH)).rejects.toMatchObject({ code: 'full' })
    await world.desk.leave(chats[0]?.sessionId ?? '', SARAH.id, true)
    expect(await world.desk.take(fifth, SARAH)).toBe(true)
  })

  it('has at most four, where she takes several at once', async () => {
    await come(SARAH)
    for (let n = 0; n < 6; n++) await waiting()
    const taken = await Promise.allSettled(chats.map(({ sessionId }) => world.desk.take(sessionId, SARAH)))
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
  })

  // The embedded database runs one transaction after another.
  it.runIf(storeKind === 'postgres')(
    'has none of the conversations that another takes at the same moment, at another process',
    async () => {
      const { database } = between
      const other = await createWorld({
        clock,
        agent,
        data: { database: { ...database, close: async () => {} } },
      })
      for (const who of [SARAH, OMAR]) await come(who)
      const [one, two] = [(await waiting()).sessionId, (await waiting()).sessionId]
      const takes: Promise<boolean>[] = []
      const stuck = () =>
        database.query(
          "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        )
      // All are in the middle of it before any is done. Each live agent begins with another one: neither may wait for what the other has locked.
      await database.transaction(async (tx) => {
        await tx.query('SELECT 1 FROM foyer.live_agent FOR UPDATE')
        takes.push(...[one, two].map((id) => world.desk.take(id, SARAH)))
        takes.push(...[two, one].map((id) => other.desk.take(id, OMAR)))
        await until(
          () => 'the takes do not wait for each other',
          async () => (await stuck()).length === takes.length,
        )
      })
      expect((await Promise.all(takes)).filter(Boolean)).toHaveLength(2)
      for (const { client } of chats) {
        const joined = () => client.events().filter(({ type }) => type === 'EVENT_TYPE_LIVE_AGENT_JOINED')
        // What the other process stored comes with the next look at the store.
        await until(
          () => 'no live agent joined',
          async () => {
            await pass(1_000)
            return joined().length > 0
          },
        )
        expect(joined()).toHaveLength(1)
      }
      await other.close()
    },
  )

  it('who is away takes nothing new, and keeps what she has', async () => {
    await come(SARAH)
    const [one, two] = [await waiting(), await waiting()]
    await world.desk.take(one.sessionId, SARAH)
    await world.desk.answer(one.sessionId, SARAH.id, 'Hello')
    await come(SARAH, true)
    await expect(world.desk.take(two.sessionId, SARAH)).rejects.toMatchObject({ code: 'away' })
    await pass(2 * MINUTE)
    expect((await entry(one))?.state).toBe('taken')
    await come(SARAH)
    expect(await world.desk.take(two.sessionId, SARAH)).toBe(true)
  })

  it('who comes, leaves or goes away is seen at every desk at once', async () => {
    let told = 0
    const undo = world.desk.watch(() => told++)
    for (const away of [false, true, false]) {
      const before = told
      await come(SARAH, away)
      await clock.pass(1)
      expect(told).toBe(before + 1)
    }
    const before = told
    await world.desk.beat(SARAH)
    await clock.pass(1)
    expect(told).toBe(before)
    undo()
  })
})

describe('a handoff', () => {
  /** Says something, and resolves to what the agent says. */
  async function answered({ client }: Chat, text: string): Promise<string> {
    const before = client.events().filter(({ type }) => type === 'EVENT_TYPE_POLY_AGENT_MESSAGE').length
    client.say(text)
    await client.until(
      () => client.events().filter(({ type }) => type === 'EVENT_TYPE_POLY_AGENT_MESSAGE').length > before,
    )
    await clock.pass(1_000)
    return payloads({ client } as Chat, 'EVENT_TYPE_POLY_AGENT_MESSAGE')
      .slice(before)
      .map((message) => message.text)
      .join(' | ')
  }

  /** Asks for a person, and resolves once the refusal has come, which follows what the agent says itself. */
  async function refused({ client }: Chat, words: string): Promise<void> {
    client.say('person')
    await client.event('EVENT_TYPE_POLY_AGENT_MESSAGE', ({ payload }) => String(payload.text).includes(words))
  }

  it.each([
    ['is gone', async () => pass(62_000)],
    ['is away', async () => come(SARAH, true)],
  ])(
    'is refused at once where the only live agent %s, and the agent keeps the conversation',
    async (_, leaves) => {
      await world.desk.beat(SARAH)
      await leaves()
      const chat = await world.chat([], { open: true })
      await refused(chat, 'Nobody is here at the moment')
      expect(payloads(chat, 'EVENT_TYPE_HANDOFF_ACCEPTED')).toEqual([])
      expect(await answered(chat, 'go on')).toBe('You said go on')
      expect(await ids()).toEqual([])
    },
  )

  it('waits all the same where the project says so', async () => {
    await world.desk.beat(SARAH)
    await world.runtime.commands.saveProject({ ...PROJECT, desk: { refuse: false } })
    await pass(62_000)
    const chat = await waiting()
    expect(await ids()).toEqual([`waiting ${chat.sessionId}`])
  })

  it('is refused in the words of the project', async () => {
    await world.desk.beat(SARAH, true)
    await world.runtime.commands.saveProject({ ...PROJECT, desk: { nobody: 'We are back on Monday.' } })
    const chat = await world.chat([], { open: true })
    await refused(chat, 'We are back on Monday.')
  })

  it('is told to the agent before: how many are here, and how long one waits', async () => {
    const chat = await world.chat([], { open: true })
    expect(await answered(chat, 'desk')).toBe('"unknown"')
    await come(SARAH)
    await come(OMAR, true)
    await pass(6_000)
    expect(JSON.parse(await answered(chat, 'desk'))).toEqual({ here: 1, waitSeconds: 60, refuses: false })
  })
})

it('what was lost once and is then passed on stands at the end of the other queue', async () => {
  await come(SARAH)
  const lost = await waiting()
  await world.desk.take(lost.sessionId, SARAH)
  atDesk.clear()
  await pass(62_000)
  await come(OMAR)
  const other = await waiting()
  expect(await world.desk.take(lost.sessionId, OMAR)).toBe(true)
  expect(await world.desk.transfer(lost.sessionId, OMAR.id, 'support')).toBe(true)
  expect(await ids()).toEqual([`waiting ${other.sessionId}`, `waiting ${lost.sessionId}`])
})
