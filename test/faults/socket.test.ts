// Close codes, and what becomes of the bytes between.

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
const SLOW = 'agent: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, '
const opened = () => world.gateway.sockets.length
const isMessage = (frame: string, text: string) =>
  frame.includes('EVENT_TYPE_USER_MESSAGE') && frame.includes(JSON.stringify(text))

/** The message is there once, at the service and on the screen. */
async function delivered(page: Live, text: string, ms = 40_000) {
  await world.until(() => count(page.chat, `visitor: ${text}`) >= 1 && complete(page.chat), ms)
  await world.until(() => count(page.chat, `You said ${text}`) >= 1, ms)
  await world.rest(500)
  expect(count(page.chat, text)).toBe(2)
}

describe('a socket that is closed', () => {
  it.each(some([1000, 1001, 1005, 1011, 1008, 4401, 4403, 1012, 1013, 3000, 4999], 3))(
    'with %s is opened again once, for the same session',
    async (code) => {
      const page = await world.live()
      const first = page.chat.sessionId.value
      const before = opened()
      const closing = world.gateway.open()
      for (const socket of closing) code === 1005 ? socket.close() : socket.close(code, '<b>'.repeat(41))
      page.chat.send(`after ${code}`)
      expect(closing).toHaveLength(1)
      await delivered(page, `after ${code}`)
      expect(page.chat.sessionId.value).toBe(first)
      expect(opened() - before).toBe(1)
      expect(screen(page.chat).join()).not.toContain('<b>')
    },
  )

  it('without a word (1006) is opened again once, for the same session', async () => {
    const page = await world.live()
    const first = page.chat.sessionId.value
    world.proxy.reset()
    expect(world.proxy.struck.reset).toBeGreaterThanOrEqual(1)
    page.chat.send('after a reset')
    await delivered(page, 'after a reset')
    expect(page.chat.sessionId.value).toBe(first)
  })

  it('because a message is too large fails that message, and the next one goes out', async () => {
    const page = await world.live()
    let refused = 0
    world.gateway.onUp((frame, socket) => {
      if (!isMessage(frame, 'too large')) return undefined
      refused++
      socket.close(1009)
      return []
    })
    page.chat.send('too large')
    page.chat.send('small')
    await delivered(page, 'small', 80_000)
    expect(refused).toBe(1)
    expect(screen(page.chat).at(-1)).toBe('failed: too large')
  })

  it('since its session expired stays closed until the visitor types', async () => {
    const page = await world.live()
    const first = page.chat.sessionId.value ?? ''
    expect(await world.service.runtime.expire(first)).toBe(true)
    await world.until(() => page.chat.status.value === 'expired')
    const before = opened()
    await world.rest(5_000)
    expect(opened()).toBe(before)
    page.chat.typed()
    page.chat.send('back again')
    await delivered(page, 'back again')
    expect(page.chat.sessionId.value).not.toBe(first)
    expect(screen(page.chat)).toContain('--- expired')
  })
})

describe('a connection that goes silent', () => {
  it.each(some(['both', 'down', 'up'] as const, 3))('in direction %s is found within 20 s', async (way) => {
    const page = await world.live()
    const first = page.chat.sessionId.value
    const before = opened()
    world.proxy.mute(way)
    const at = world.now()
    await world.until(() => opened() > before, 30_000)
    expect(world.now() - at).toBeLessThanOrEqual(22_000)
    expect(world.proxy.struck[`mute ${way}`]).toBeGreaterThanOrEqual(1)
    await world.until(() => page.chat.status.value === 'live')
    expect(page.chat.sessionId.value).toBe(first)
  })

  it('is found within 3 s once somebody looks', async () => {
    const page = await world.live()
    await world.rest(4_000)
    const before = opened()
    world.proxy.mute('both')
    const at = world.now()
    page.chat.wake()
    await world.until(() => opened() > before, 10_000)
    expect(world.now() - at).toBeLessThanOrEqual(4_500)
    expect(world.proxy.struck['mute both']).toBeGreaterThanOrEqual(1)
    await world.until(() => page.chat.status.value === 'live')
  })

  it.each(['up', 'down', 'both'] as const)(
    'in direction %s with a message on its way delivers it once',
    async (way) => {
      const page = await world.live()
      world.proxy.mute(way)
      page.chat.send(`into silence ${way}`)
      await delivered(page, `into silence ${way}`, 60_000)
      expect(world.proxy.struck[`mute ${way}`]).toBeGreaterThanOrEqual(1)
    },
  )
})

describe('a reset', () => {
  it('before the service had the message delivers it once', async () => {
    const page = await world.live()
    let struck = 0
    world.gateway.onUp((frame) => {
      if (!isMessage(frame, 'before') || struck++ > 0) return undefined
      world.proxy.reset()
      return []
    })
    page.chat.send('before')
    await delivered(page, 'before')
    expect(world.proxy.struck.reset).toBeGreaterThanOrEqual(1)
  })

  it('after the service had the message delivers it once', async () => {
    const page = await world.live()
    let struck = 0
    world.gateway.onDown((frame) => {
      if (!isMessage(frame, 'afterwards') || struck++ > 0) return undefined
      world.proxy.reset()
      return []
    })
    page.chat.send('afterwards')
    await delivered(page, 'afterwards')
    expect(world.proxy.struck.reset).toBeGreaterThanOrEqual(1)
  })

  it.each(some([1, 20, 100], 3, 1))('at byte %s of the message delivers it once', async (bytes) => {
    const page = await world.live()
    world.proxy.cutAfter('up', bytes)
    page.chat.send(`cut at ${bytes}`)
    await delivered(page, `cut at ${bytes}`)
    expect(world.proxy.struck['reset up']).toBeGreaterThanOrEqual(1)
  })

  it.each(some([40, 700, 1_100, 1_500, 1_900, 2_300, 2_700, 3_100], 4, 1))(
    'at byte %s of an answer leaves it whole and once',
    async (bytes) => {
      const page = await world.live()
      world.proxy.cutAfter('down', bytes)
      page.chat.send('slow')
      await world.until(() => count(page.chat, SLOW.slice(0, -1)) === 1 && complete(page.chat))
      expect(world.proxy.struck['reset down']).toBeGreaterThanOrEqual(1)
      expect(screen(page.chat)).toEqual(['agent: Hello there', 'visitor: slow', SLOW])
    },
  )
})

describe('a bad line', () => {
  it.each([
    ['that passes single bytes', { slice: 1 }, 'slice'],
    ['of 56 kbit/s', { bandwidth: 7_000 }, 'bandwidth'],
    ['of 2 s there and back, give or take as much', { latency: 50, jitter: 1_950 }, 'latency'],
  ] as const)('%s carries all, and is not taken for dead', async (_, toxics, name) => {
    world.proxy.set(toxics)
    const page = await world.live()
    const before = opened()
    page.chat.send('slowly')
    await delivered(page, 'slowly', 60_000)
    await world.rest(15_000)
    expect(opened()).toBe(before)
    expect(world.proxy.struck[name]).toBeGreaterThanOrEqual(5)
  })

  it('that breaks every 300 ms is not stormed, and works once it holds', async () => {
    const page = await world.live()
    const before = opened()
    const end = world.now() + 20_000
    while (world.now() < end) {
      world.proxy.reset()
      await world.rest(300)
    }
    expect(world.proxy.struck.reset).toBeGreaterThanOrEqual(3)
    expect(opened() - before).toBeLessThanOrEqual(20)
    page.chat.send('at last')
    await delivered(page, 'at last')
  })

  it('that is closed when it rests for 30 s never rests', async () => {
    world.proxy.set({ idle: 30_000 })
    const page = await world.live()
    const before = opened()
    await world.rest(45_000)
    expect(world.proxy.open()).toBeGreaterThanOrEqual(1)
    expect(opened()).toBe(before)
    expect(page.chat.status.value).toBe('live')
  })

  it('that changes under way keeps the session', async () => {
    const page = await world.live()
    const first = page.chat.sessionId.value
    world.proxy.mute('both')
    page.chat.setOnline(false)
    await world.rest(500)
    page.chat.setOnline(true)
    page.chat.send('on another line')
    await delivered(page, 'on another line')
    expect(page.chat.sessionId.value).toBe(first)
    expect(opened()).toBeGreaterThanOrEqual(2)
  })
})

describe('what the browser says of its network', () => {
  it('is a hint: the visitor who sends is heard though it says offline', async () => {
    const page = await world.live()
    page.chat.setOnline(false)
    expect(page.chat.status.value).toBe('offline')
    page.chat.send('said offline')
    await delivered(page, 'said offline')
  })

  it('is a hint: it says online and the host does not answer', async () => {
    const page = await world.live()
    world.proxy.set({ meet: 'reset' })
    world.proxy.reset()
    page.chat.setOnline(true)
    page.chat.send('said online')
    await world.until(() => (world.proxy.struck.reset ?? 0) >= 3)
    expect(page.chat.status.value).toBe('reconnecting')
    world.proxy.set({})
    await delivered(page, 'said online')
  })
})

describe('a socket that was let go', () => {
  it('brings nothing in once another one is open', async () => {
    const page = await world.live()
    const [old] = world.gateway.open()
    world.proxy.mute('up')
    const before = opened()
    await world.until(() => opened() > before, 30_000)
    await world.until(() => page.chat.status.value === 'live')
    expect(old?.readyState).toBe(1)
    old?.send(
      JSON.stringify({
        type: 'EVENT_TYPE_POLY_AGENT_MESSAGE',
        id: 'late',
        sequence: 99,
        payload: { message_id: 'late', text: 'from an old socket' },
      }),
    )
    await world.rest(1_000)
    expect(count(page.chat, 'from an old socket')).toBe(0)
    page.chat.send('on the new one')
    await delivered(page, 'on the new one')
  })
})
