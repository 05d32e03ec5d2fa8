// Two projects in one runtime: neither their desks nor their visitors learn anything of the other.

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type HandClock, handClock } from './clock.ts'
import { createWorld } from './world.ts'

const SARAH = { id: 'sarah', name: 'Sarah' }
const QUEUED = 'EVENT_TYPE_HANDOFF_QUEUE_STATUS'

let clock: HandClock
let world: Awaited<ReturnType<typeof createWorld>>
const shop = () => world.desk
const cafe = () => world.runtime.desk('PROJECT-othr0001')
beforeAll(async () => {
  clock = handClock()
  world = await createWorld({ clock, settings: { deskWaitSeconds: 1_000 } })
})
afterAll(() => world.close())
beforeEach(async () => {
  for (const desk of [shop(), cafe()])
    for (const { id } of await desk.entries()) await world.runtime.expire(id)
})

/** A chat of one project that waits for a person; the queue has the same name in both projects. */
async function waiting(token: 'connector-secret' | 'other-secret') {
  await clock.pass(1)
  const { client, sessionId: id } = await world.chat([], { token, open: true })
  client.say('desk')
  const { payload: place } = await client.event(QUEUED)
  return { client, id, place }
}
const inShop = () => waiting('connector-secret')
const inCafe = () => waiting('other-secret')
const idsAt = async (desk: ReturnType<typeof cafe>) => (await desk.entries()).map(({ id }) => id)
/** Waits until everything that is on its way has arrived. */
async function settle(client: Awaited<ReturnType<typeof inShop>>['client']) {
  const echoes = () => client.events().filter(({ type }) => type === 'EVENT_TYPE_HEARTBEAT').length
  const before = echoes()
  client.send('EVENT_TYPE_HEARTBEAT')
  await client.until(() => echoes() > before)
}

describe('the desk of a project', () => {
  it('lists its own conversations, waiting and taken', async () => {
    const own = await inShop()
    const other = await inCafe()
    expect([await idsAt(shop()), await idsAt(cafe())]).toEqual([[own.id], [other.id]])
    expect(await shop().take(own.id, SARAH)).toBe(true)
    expect(await cafe().take(other.id, SARAH)).toBe(true)
    expect([await idsAt(shop()), await idsAt(cafe())]).toEqual([[own.id], [other.id]])
    expect(await idsAt(world.runtime.desk('PROJECT-twin0001'))).toEqual([])
  })

  it('reads the lines of its own conversations, notes included', async () => {
    const { id } = await inShop()
    expect(await shop().note(id, SARAH, 'A regular')).toBe(true)
    expect((await shop().lines(id)).map(({ from }) => from)).toContain('note')
    expect(await cafe().lines(id)).toEqual([])
  })

  it('takes only its own conversations', async () => {
    const { id } = await inShop()
    expect(await cafe().take(id, SARAH)).toBe(false)
    expect(await shop().entries()).toMatchObject([{ id, state: 'waiting' }])
  })

  it('writes notes only about its own conversations', async () => {
    const { id } = await inShop()
    expect(await cafe().note(id, SARAH, 'Mine')).toBe(false)
    expect((await shop().lines(id)).filter(({ from }) => from === 'note')).toEqual([])
  })

  it('acts only in its own conversations, though the live agent has the same id in both', async () => {
    const { client, id } = await inShop()
    await shop().take(id, SARAH)
    await client.event('EVENT_TYPE_LIVE_AGENT_JOINED')
    const before = await shop().lines(id)
    expect(await cafe().type(id, SARAH.id, true)).toBe(false)
    expect(await cafe().answer(id, SARAH.id, 'Hello')).toBe(false)
    expect(await cafe().transfer(id, SARAH.id, 'billing')).toBe(false)
    expect(await cafe().leave(id, SARAH.id, true)).toBe(false)
    await settle(client)
    expect(client.events().some(({ type }) => type === 'EVENT_TYPE_LIVE_AGENT_TYPING')).toBe(false)
    expect(await shop().lines(id)).toEqual(before)
    expect(await shop().entries()).toMatchObject([{ id, queue: 'support', state: 'taken' }])
  })

  it('has replies of its own: those of the other project neither show, nor change, nor fill its list', async () => {
    expect(await shop().saveReply({ name: 'hours', text: 'Nine to five' })).toBe(true)
    expect(await cafe().replies()).toEqual([])
    expect(await cafe().saveReply({ name: 'hours', text: 'Always' })).toBe(true)
    expect(await shop().replies()).toEqual([{ name: 'hours', text: 'Nine to five' }])
    await cafe().deleteReply('hours')
    expect(await shop().replies()).toEqual([{ name: 'hours', text: 'Nine to five' }])
    for (let n = 1; n < 500; n++) await shop().saveReply({ name: `full-${n}`, text: 'x' })
    expect(await shop().saveReply({ name: 'one-more', text: 'x' })).toBe(false)
    expect(await cafe().saveReply({ name: 'one-more', text: 'x' })).toBe(true)
  })

  it('hears of changes in its own queue alone', async () => {
    const heard = { shop: 0, cafe: 0 }
    const undo = [shop().watch(() => heard.shop++), cafe().watch(() => heard.cafe++)]
    /** What either desk has heard since it was asked last. */
    const changes = () => {
      const { shop, cafe } = heard
      Object.assign(heard, { shop: 0, cafe: 0 })
      return { shop: shop > 0, cafe: cafe > 0 }
    }
    // In the other project somebody waits all the time.
    const other = await inCafe()
    await clock.pass(1_000)
    changes()
    const { client, id } = await inShop()
    expect(changes()).toEqual({ shop: true, cafe: false })
    await shop().take(id, SARAH)
    expect(changes()).toEqual({ shop: true, cafe: false })
    await shop().transfer(id, SARAH.id, 'billing')
    expect(changes()).toEqual({ shop: true, cafe: false })
    await clock.pass(1_000)
    changes()
    client.socket.close()
    await vi.waitFor(async () => expect(await shop().entries()).toMatchObject([{ presence: 'gone' }]))
    await clock.pass(1_000)
    expect(changes()).toEqual({ shop: true, cafe: false })
    await world.runtime.expire(id)
    expect(changes()).toEqual({ shop: true, cafe: false })
    // The last visitor who left the list is a change too.
    await clock.pass(1_000)
    changes()
    other.client.send('EVENT_TYPE_USER_LEAVE_QUEUE')
    await other.client.event('EVENT_TYPE_HANDOFF_FAILED')
    expect(changes()).toEqual({ shop: false, cafe: true })
    for (const each of undo) each()
  })

  it('follows only its own conversations, from the first event on', async () => {
    const { client, id } = await inShop()
    const heard = { shop: [] as string[], cafe: [] as string[] }
    const undo = [
      shop().follow(id, (events) => heard.shop.push(...events.map(({ type }) => type))),
      cafe().follow(id, (events) => heard.cafe.push(...events.map(({ type }) => type))),
    ]
    client.send('EVENT_TYPE_USER_TYPING', { state: 'TYPING_STATE_STARTED' })
    client.say('Anybody?')
    await client.event('EVENT_TYPE_SYSTEM_MESSAGE')
    await shop().note(id, SARAH, 'A regular')
    for (const type of ['EVENT_TYPE_USER_TYPING', 'EVENT_TYPE_USER_MESSAGE', 'note'])
      expect(heard.shop).toContain(type)
    expect(heard.cafe).toEqual([])
    for (const each of undo) each()
  })
})

describe('a visitor who waits', () => {
  it('has a place among those of the same project', async () => {
    const first = await inShop()
    const second = await inShop()
    const other = await inCafe()
    expect([first, second, other].map(({ place }) => place.position_in_queue)).toEqual([1, 2, 1])
    await shop().take(first.id, SARAH)
    await second.client.event(QUEUED, ({ payload }) => payload.position_in_queue === 1)
    await settle(other.client)
    expect(other.client.events().filter(({ type }) => type === QUEUED)).toHaveLength(1)
  })

  it('is given an estimate by the waits of the same project', async () => {
    const { id } = await inShop()
    await clock.leap(300_000)
    await shop().take(id, SARAH)
    const seconds = async (begun: ReturnType<typeof inShop>) => (await begun).place.estimated_wait_seconds
    const [own, next, other] = [await seconds(inShop()), await seconds(inShop()), await seconds(inCafe())]
    expect(own).toBeGreaterThan(60)
    expect(next).toBeGreaterThan(Number(own))
    expect(other).toBeLessThanOrEqual(60)
  })

  it('gets the agent back after the longest wait, whichever the project', async () => {
    const both = [await inShop(), await inCafe()]
    await clock.leap(1_001_000)
    for (const { client } of both) await client.event('EVENT_TYPE_HANDOFF_TIMEOUT')
    expect([await idsAt(shop()), await idsAt(cafe())]).toEqual([[], []])
  })
})

it('a live agent at two projects has the chats of each counted there alone', async () => {
  const own = await inShop()
  for (const desk of [shop(), cafe()]) await desk.beat(SARAH)
  expect(await shop().take(own.id, SARAH)).toBe(true)
  expect((await shop().agents()).map(({ chats }) => chats)).toEqual([1])
  expect((await cafe().agents()).map(({ chats }) => chats)).toEqual([0])
})
