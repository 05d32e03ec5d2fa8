// The page and its machine, the lives of session and token, and the service: what else may stop or stand still.

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { some } from '../long.ts'
import { complete, count, createFaultWorld, type FaultWorld, screen } from './world.ts'

let world: FaultWorld
beforeAll(async () => {
  world = await createFaultWorld()
})
afterEach(() => world.calm())
afterAll(() => world.close())

type Live = Awaited<ReturnType<FaultWorld['live']>>
const DAY = 86_400_000
const opened = () => world.gateway.sockets.length

async function delivered(page: Pick<Live, 'chat'>, text: string, ms = 40_000) {
  await world.until(() => count(page.chat, `You said ${text}`) >= 1 && complete(page.chat), ms)
  await world.until(() => count(page.chat, `visitor: ${text}`) >= 1, ms)
  expect(count(page.chat, text)).toBe(2)
}

describe('a machine', () => {
  it.each(some([DAY, 1_000, -DAY, -1_000], 2))(
    'whose clock is set by %s ms keeps its connection',
    async (ms) => {
      const page = await world.live()
      const before = opened()
      const at = world.now()
      world.stepWall(ms)
      page.chat.send('what time is it')
      await delivered(page, 'what time is it')
      await world.rest(5_000)
      expect(page.chat.status.value).toBe('live')
      // A jump between the clocks may be a sleep: one look at the connection is fine, a storm is not.
      expect(opened() - before).toBeLessThanOrEqual(1)
      expect(world.now() - at).toBeLessThan(60_000)
    },
  )

  it('that is offline for 5 s tries nothing meanwhile, and is back soon after', async () => {
    const page = await world.live()
    const first = page.chat.sessionId.value
    world.proxy.set({ meet: 'reset' })
    world.proxy.reset()
    page.chat.setOnline(false)
    const before = world.proxy.accepted()
    await world.rest(5_000)
    expect(world.proxy.accepted() - before).toBeLessThanOrEqual(1)
    page.chat.send('written offline')
    world.proxy.set({})
    page.chat.setOnline(true)
    await delivered(page, 'written offline', 10_000)
    expect(page.chat.sessionId.value).toBe(first)
    expect(world.proxy.struck.reset).toBeGreaterThanOrEqual(1)
  })

  it('that goes on and off quickly makes no storm', async () => {
    const page = await world.live()
    const before = opened()
    for (let times = 0; times < 30; times++) {
      page.chat.setOnline(times % 2 === 1)
      await world.rest(100)
    }
    page.chat.setOnline(true)
    await world.until(() => page.chat.status.value === 'live')
    expect(opened() - before).toBeLessThanOrEqual(15)
    page.chat.send('steady')
    await delivered(page, 'steady')
  })
})

describe('a page', () => {
  it('that is hidden counts what comes, and makes no storm when it is seen again', async () => {
    const page = await world.live()
    page.chat.setVisible(false)
    page.chat.setShown(false)
    const first = page.chat.sessionId.value ?? ''
    const before = opened()
    await world.rest(20_000)
    page.chat.setVisible(true)
    page.chat.wake()
    await world.rest(3_000)
    expect(page.chat.sessionId.value).toBe(first)
    expect(opened() - before).toBeLessThanOrEqual(1)
    page.chat.send('seen again')
    await delivered(page, 'seen again')
    expect(page.chat.unread.value).toBe(1)
  })

  it('whose socket is dead after each of five times in the background is back each time', async () => {
    const page = await world.live()
    const first = page.chat.sessionId.value
    for (let times = 0; times < 5; times++) {
      page.chat.setVisible(false)
      await world.rest(2_500)
      world.proxy.mute('both')
      const before = opened()
      page.chat.setVisible(true)
      page.chat.wake()
      await world.until(() => opened() > before && page.chat.status.value === 'live', 15_000)
    }
    expect(world.proxy.struck['mute both']).toBeGreaterThanOrEqual(5)
    expect(page.chat.sessionId.value).toBe(first)
    page.chat.send('in front')
    await delivered(page, 'in front')
  })

  it('whose stores hold anything drops what it cannot read', async () => {
    const browser = world.createBrowser()
    browser.session.set('session', '{"id":5,"at":"yesterday"')
    const outbox = new Map([['outbox', '{"items":[null,{"id":"a"},5]}']])
    const page = browser.page(outbox)
    page.chat.open()
    await world.until(() => page.chat.status.value === 'live')
    page.chat.send('fresh')
    await delivered(page, 'fresh')
  })

  it('whose stores keep nothing works in memory', async () => {
    let tried = 0
    const none = { get: () => undefined, set: () => void tried++, remove: () => {} }
    const page = world.createBrowser().page(new Map(), { sessionStore: none, outboxStore: none })
    page.chat.open()
    page.chat.send('kept nowhere')
    await delivered(page, 'kept nowhere')
    expect(tried).toBeGreaterThanOrEqual(1)
  })

  it.each(['before', 'after'])(
    'that is reloaded %s the service had its message delivers it once',
    async (when) => {
      const page = await world.live()
      let struck = 0
      const swallow = (frame: string) => {
        if (!frame.includes('USER_MESSAGE') || frame.includes('EVENT_BATCH')) return undefined
        struck++
        return []
      }
      if (when === 'before') world.gateway.onUp(swallow)
      else world.gateway.onDown(swallow)
      page.chat.send('through the reload')
      await world.until(() => struck >= 1, 5_000)
      page.chat.dispose()
      world.gateway.calm()
      const next = page.browser.page(page.stores.outbox)
      next.chat.open()
      await delivered(next, 'through the reload')
      expect(next.chat.sessionId.value).toBe(page.chat.sessionId.value)
    },
  )

  it('that is reloaded in the middle of an answer shows all of it', async () => {
    const page = await world.live()
    page.chat.send('slow')
    await world.until(() => count(page.chat, '2, ') === 1, 5_000)
    page.chat.dispose()
    const next = page.browser.page(page.stores.outbox)
    next.chat.open()
    await world.until(() => count(next.chat, '10, ') === 1 && complete(next.chat))
    expect(screen(next.chat)).toEqual([
      'agent: Hello there',
      'visitor: slow',
      'agent: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ',
    ])
  })

  it('that mounts and unmounts 30 times leaves no socket', async () => {
    const browser = world.createBrowser()
    const before = opened()
    for (let times = 0; times < 30; times++) {
      const page = browser.page()
      page.chat.open()
      await world.rest(times * 40)
      page.chat.dispose()
    }
    await world.rest(2_000)
    await world.until(() => world.gateway.open().length === 0, 10_000)
    expect(opened()).toBeGreaterThan(before)
  })
})

describe('a session', () => {
  it('whose token ends while it is connected goes on, and ends its token at the next handshake', async () => {
    const page = await world.live()
    page.browser.loseCookie()
    page.chat.send('still connected')
    await delivered(page, 'still connected')
    page.chat.dispose()
    const next = page.browser.page(page.stores.outbox)
    next.chat.open()
    await world.until(() => next.chat.status.value === 'live')
    next.chat.send('with another token')
    await delivered(next, 'with another token')
    expect(next.chat.sessionId.value).not.toBe(page.chat.sessionId.value)
  })

  it.each([-200, 0, 200])(
    'that expires %s ms from Enter has the message in one session, once',
    async (ms) => {
      const page = await world.live()
      const first = page.chat.sessionId.value ?? ''
      const text = `at the end ${ms}`
      const expire = () => world.service.runtime.expire(first)
      if (ms > 0) setTimeout(() => page.chat.send(text), ms)
      const over = expire()
      if (ms === 0) page.chat.send(text)
      if (ms < 0) page.chat.send(text)
      expect(await over).toBe(true)
      await delivered(page, text)
      expect(screen(page.chat).filter((line) => line === '--- expired').length).toBeLessThanOrEqual(1)
    },
  )

  it('that expires in the middle of an answer leaves what was said', async () => {
    const page = await world.live()
    page.chat.send('slow')
    await world.until(() => count(page.chat, '2, ') === 1, 5_000)
    expect(await world.service.runtime.expire(page.chat.sessionId.value ?? '')).toBe(true)
    await world.until(() => page.chat.status.value === 'expired')
    expect(count(page.chat, 'agent: 1, 2, ')).toBe(1)
    expect(complete(page.chat)).toBe(true)
  })

  it('that cannot be made again keeps what was written, and takes it once it can', async () => {
    const page = await world.live()
    expect(await world.service.runtime.expire(page.chat.sessionId.value ?? '')).toBe(true)
    await world.until(() => page.chat.status.value === 'expired')
    world.gateway.onRequest((_, path) => (path === '/api/v1/sessions' ? { status: 503 } : undefined))
    page.chat.send('into the next one')
    await world.until(() => (world.gateway.struck['answer 503'] ?? 0) >= 3)
    expect(count(page.chat, 'into the next one')).toBe(1)
    world.gateway.calm()
    page.chat.wake()
    await delivered(page, 'into the next one')
  })
})

describe('the service', () => {
  it('that was put back to an earlier day answers a cursor ahead of it with the whole history', async () => {
    const { token, sessionId, client } = await world.service.joined()
    const highest = Math.max(...client.events().map(({ sequence }) => sequence ?? 0))
    const again = await world.service.connect(sessionId, token, String(highest + 1_000))
    await again.event('EVENT_TYPE_SESSION_START')
    expect(again.events().map(({ sequence }) => sequence)).toContain(highest)
  })

  it('that stands still for 5 s is waited for', async () => {
    const page = await world.live()
    const first = page.chat.sessionId.value
    page.chat.send('slow')
    await world.rest(200)
    const before = world.now()
    world.leap(5_000)
    expect(world.now() - before).toBeGreaterThanOrEqual(5_000)
    await world.until(() => count(page.chat, '10, ') === 1 && complete(page.chat))
    expect(page.chat.sessionId.value).toBe(first)
    expect(count(page.chat, 'agent: 1, 2,')).toBe(1)
  })

  it('whose agent breaks in the middle of an answer leaves what it said, and says so', async () => {
    const page = await world.live()
    page.chat.send('fail')
    await world.until(() => count(page.chat, 'Half of') === 1 && count(page.chat, '* error') === 1)
    expect(complete(page.chat)).toBe(true)
    page.chat.send('and now')
    await delivered(page, 'and now')
  })

  it('that is written to by two pages at once keeps one order for both', async () => {
    const page = await world.live()
    const second = page.browser.page()
    second.chat.open()
    await world.until(() => second.chat.status.value === 'live')
    expect(second.chat.sessionId.value).toBe(page.chat.sessionId.value)
    for (let count = 0; count < 5; count++) {
      page.chat.send(`one ${count}`)
      second.chat.send(`two ${count}`)
    }
    const said = (of: Pick<Live, 'chat'>) => screen(of.chat).filter((line) => line.startsWith('visitor: '))
    await world.until(() => said(page).length === 10 && said(second).length === 10)
    expect(said(second)).toEqual(said(page))
    for (const name of ['one', 'two'])
      expect(said(page).filter((line) => line.includes(name))).toEqual(
        [0, 1, 2, 3, 4].map((count) => `visitor: ${name} ${count}`),
      )
  })
})
