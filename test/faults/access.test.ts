// The token endpoint, the session and the handshake: refused, slow, cut short, answered for by somebody else.
// Each test of this folder counts that its fault struck.

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { some } from '../long.ts'
import { count, createFaultWorld, type FaultWorld, screen } from './world.ts'

let world: FaultWorld
beforeAll(async () => {
  world = await createFaultWorld()
})
afterEach(() => world.calm())
afterAll(() => world.close())

const TOKEN = '/foyer/access-token'
const SESSIONS = '/api/v1/sessions'
const tokenRequests = () => world.bffGateway.requests.filter(({ method }) => method === 'POST').length
const made = () =>
  world.gateway.requests.filter(
    (each) => each.path === SESSIONS && each.method === 'POST' && each.status === 200,
  ).length
const failBff = (status: number, body = '{"error":"no"}', headers: Record<string, string> = {}) =>
  world.bffGateway.onRequest((_, path) => (path === TOKEN ? { status, body, headers } : undefined))

/** A page that was opened into a fault. */
function opened() {
  const page = world.createBrowser().page()
  page.chat.open()
  page.chat.setShown(true)
  return page
}
/** All is well again, the visitor asks for it, and a message is delivered once. */
async function recovers(page: ReturnType<typeof opened>, ms = 40_000) {
  world.bffGateway.calm()
  world.bffProxy.set({})
  world.gateway.calm()
  world.proxy.set({})
  if (page.chat.status.value === 'unavailable') page.chat.open()
  await world.until(() => page.chat.status.value === 'live', ms)
  page.chat.send('after the fault')
  await world.until(() => count(page.chat, 'You said after the fault') === 1, 20_000)
  expect(count(page.chat, 'visitor: after the fault')).toBe(1)
}

describe('the token endpoint', () => {
  it.each(some([401, 403], 2))(
    'that refuses with %s is not asked for ever, and asked again when the visitor does',
    async (status) => {
      failBff(status)
      const before = tokenRequests()
      const page = opened()
      await world.until(() => page.chat.status.value === 'unavailable', 60_000)
      // One slow attempt follows by itself, and no other.
      await world.rest(60_000)
      expect(world.bffGateway.struck[`answer ${status}`]).toBe(2)
      expect(tokenRequests() - before).toBe(2)
      expect(page.chat.status.value).toBe('unavailable')
      await recovers(page)
    },
  )

  it.each([
    ['in seconds', () => '15'],
    ['as a date', () => new Date(1_800_000_000_000 + world.now() + 15_000).toUTCString()],
    ['of a billion', () => '1000000000'],
  ])('that asks for time %s is left in peace for it', async (_, after) => {
    failBff(429, '{"error":"slow down"}', { 'retry-after': after() })
    const before = tokenRequests()
    const page = opened()
    await world.until(() => world.bffGateway.struck['answer 429'])
    await world.rest(9_000)
    page.chat.wake()
    await world.rest(1_500)
    expect(tokenRequests() - before).toBe(1)
    expect(page.chat.status.value).toBe('connecting')
  })

  it('that asks for time without saying how much is asked with growing pauses', async () => {
    failBff(429)
    const before = tokenRequests()
    const page = opened()
    await world.rest(10_000)
    expect(world.bffGateway.struck['answer 429']).toBe(tokenRequests() - before)
    expect(tokenRequests() - before).toBeLessThanOrEqual(12)
    await recovers(page)
  })

  it.each(some([500, 502, 503, 504], 4))(
    'that answers %s is asked again, and what was written waits',
    async (status) => {
      failBff(status, '<h1>Bad gateway</h1>')
      const page = opened()
      page.chat.send('written meanwhile')
      await world.until(() => (world.bffGateway.struck[`answer ${status}`] ?? 0) >= 2)
      expect(screen(page.chat)).toEqual(['queued: written meanwhile'])
      await recovers(page)
      expect(count(page.chat, 'visitor: written meanwhile')).toBe(1)
    },
  )

  it('that stalls is given up after 10 s and asked again', async () => {
    world.bffGateway.onRequest((_, path) => (path === TOKEN ? 'stall' : undefined))
    const page = opened()
    await world.until(() => (world.bffGateway.struck.stall ?? 0) >= 2, 30_000)
    await recovers(page)
  })

  it('that stops in the middle of its answer is given up', async () => {
    const page = opened()
    world.bffProxy.set({ mute: 'down' })
    await world.until(() => world.bffProxy.struck['mute down'], 5_000)
    await world.until(() => world.bffProxy.accepted() >= 2, 30_000)
    await recovers(page)
  })

  it.each(
    some(
      [
        ['with a captive portal', '<html><script>top.location="/"</script>'],
        ['with half an object', '{"access_token": "t'],
        ['without a token', '{"expires_in": 60, "chat_url": "http://127.0.0.1:1"}'],
        ['with an empty token', '{"access_token":"","expires_in":60,"chat_url":"http://127.0.0.1:1"}'],
        ['with a list for a token', '{"access_token":["t"],"expires_in":60,"chat_url":"http://127.0.0.1:1"}'],
        ['with a list', '[]'],
        [
          'with 10 MiB',
          `{"access_token":"${'t'.repeat(10 * 2 ** 20)}","expires_in":60,"chat_url":"http://127.0.0.1:1"}`,
        ],
        ['with a token that is over', '{"access_token":"t","expires_in":0,"chat_url":"http://127.0.0.1:1"}'],
        ['with a token without an end', '{"access_token":"t","chat_url":"http://127.0.0.1:1"}'],
      ],
      2,
    ),
  )('%s counts as failing, never as an answer', async (_, body) => {
    failBff(200, body)
    const page = opened()
    await world.until(() => (world.bffGateway.struck['answer 200'] ?? 0) >= 2, 20_000)
    expect(page.chat.status.value).toBe('connecting')
    expect(JSON.stringify(page.wire)).not.toContain('<html>')
    await recovers(page)
  })

  it('with a token that is over in a second is asked once more', async () => {
    let first = true
    world.bffGateway.onRequest((_, path) => {
      if (path !== TOKEN || !first) return undefined
      first = false
      return { body: JSON.stringify({ access_token: 'short', expires_in: 1, chat_url: world.chatUrl }) }
    })
    const before = tokenRequests()
    const page = opened()
    await recovers(page)
    expect(tokenRequests() - before).toBeLessThanOrEqual(3)
  })

  it.each(['reset', 'hang'] as const)(
    'that cannot be reached (%s) is asked again as one that fails',
    async (meet) => {
      world.bffProxy.set({ meet })
      const page = opened()
      await world.until(() => (world.bffProxy.struck[meet] ?? 0) >= 2, 30_000)
      await recovers(page)
    },
  )

  it('that sends elsewhere is not followed', async () => {
    failBff(307, '', { location: `${world.chatUrl}/stolen` })
    const page = opened()
    await world.until(() => (world.bffGateway.struck['answer 307'] ?? 0) >= 2, 30_000)
    expect(world.gateway.requests.filter(({ path }) => path === '/stolen')).toEqual([])
    await recovers(page)
  })

  it('is asked once by a chat that is opened ten times at once', async () => {
    const [tokens, sessions] = [tokenRequests(), made()]
    const page = opened()
    for (let times = 0; times < 9; times++) page.chat.open()
    await world.until(() => page.chat.status.value === 'live')
    expect([tokenRequests() - tokens, made() - sessions]).toEqual([1, 1])
  })

  it('never passes on what the service says, which may hold the connector token', async () => {
    world.gateway.onRequest((_, path) =>
      path === '/api/v1/access-token'
        ? { status: 500, body: '{"error":"connector-secret is wrong"}' }
        : undefined,
    )
    const page = opened()
    await world.until(() => (world.gateway.struck['answer 500'] ?? 0) >= 1)
    const answer = await fetch(`${world.origin}${TOKEN}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: world.origin },
      body: '{}',
    })
    expect(answer.status).toBe(502)
    expect(await answer.text()).not.toContain('connector-secret')
    expect(world.log.join('\n')).not.toContain('connector-secret')
    await recovers(page)
  })

  it('whose connector token is no longer good fails closed, and works again once it is', async () => {
    world.gateway.onRequest((_, path) =>
      path === '/api/v1/access-token'
        ? { status: 401, body: '{"error":"Connector token does not exist"}' }
        : undefined,
    )
    const page = opened()
    await world.until(() => (world.gateway.struck['answer 401'] ?? 0) >= 1)
    expect(page.chat.status.value).not.toBe('live')
    await recovers(page)
  })
})

describe('the session', () => {
  it.each(some([400, 404, 409, 410], 4))(
    'that is refused with %s is not asked for in a loop',
    async (status) => {
      world.gateway.onRequest((_, path) =>
        path === SESSIONS ? { status, body: '{"error":"no"}' } : undefined,
      )
      const page = opened()
      await world.until(() => world.gateway.struck[`answer ${status}`])
      await world.rest(20_000)
      expect(world.gateway.struck[`answer ${status}`]).toBeLessThanOrEqual(8)
      await recovers(page, 60_000)
    },
  )

  it('whose answer was lost is made again, and a message goes into one alone', async () => {
    let lost = 0
    world.gateway.onRequest((method, path) =>
      path === SESSIONS && method === 'POST' && lost++ === 0 ? 'lose' : undefined,
    )
    const page = opened()
    await world.until(() => page.chat.status.value === 'live')
    expect(world.gateway.struck.lose).toBe(1)
    await recovers(page)
  })
})

/** The service answers so to the question how a session stands. */
const statusIs = (status: number, body: string) =>
  world.gateway.onRequest((method, path) =>
    method === 'GET' && path.startsWith(`${SESSIONS}/`) ? { status, body } : undefined,
  )

describe('the handshake', () => {
  it('that finds its token over gets another, a bounded number of times', async () => {
    const page = await world.live()
    const [tokens, handshakes] = [tokenRequests(), world.gateway.struck['handshake 401'] ?? 0]
    const first = page.chat.sessionId.value ?? ''
    world.gateway.onHandshake((path) => (path.includes(first) ? 401 : undefined))
    statusIs(401, '{"error":"Invalid access token"}')
    for (const socket of world.gateway.open()) socket.close(1011)
    await world.until(() => page.chat.status.value === 'live' && page.chat.sessionId.value !== first, 120_000)
    expect((world.gateway.struck['handshake 401'] ?? 0) - handshakes).toBeLessThanOrEqual(6)
    expect(tokenRequests() - tokens).toBeLessThanOrEqual(4)
    await recovers(page)
  })

  it.each(some([403, 404, 410], 3, 1))(
    'that is refused with %s for a session that is gone leads to a new one below the old transcript',
    async (status) => {
      const page = await world.live()
      page.chat.send('before')
      await world.until(() => count(page.chat, 'You said before') === 1)
      const first = page.chat.sessionId.value ?? ''
      world.gateway.onHandshake((path) => (path.includes(first) ? status : undefined))
      statusIs(200, '{"state":"unknown"}')
      for (const socket of world.gateway.open()) socket.close(1011)
      await world.until(
        () => page.chat.status.value === 'live' && page.chat.sessionId.value !== first,
        120_000,
      )
      expect(world.gateway.struck[`handshake ${status}`]).toBeLessThanOrEqual(6)
      expect(screen(page.chat).slice(0, 4)).toEqual([
        'agent: Hello there',
        'visitor: before',
        'agent: You said before',
        '--- lost',
      ])
      await recovers(page)
    },
  )

  it.each(some([2, 9], 2, 1))(
    'that fails %i times without a reason anybody can read keeps the session',
    async (times) => {
      const page = await world.live()
      const first = page.chat.sessionId.value
      let refused = 0
      world.gateway.onHandshake(() => (refused++ < times ? 429 : undefined))
      for (const socket of world.gateway.open()) socket.terminate()
      await world.until(() => refused > times && page.chat.status.value === 'live', 180_000)
      expect(page.chat.sessionId.value).toBe(first)
      await recovers(page)
    },
  )

  it('that is never answered is given up after 10 s, and says nothing about the session', async () => {
    const page = await world.live()
    const first = page.chat.sessionId.value
    world.gateway.onHandshake(() => 'hang')
    for (const socket of world.gateway.open()) socket.close(1011)
    // The service is there, and would begin a new session.
    await world.until(() => (world.gateway.struck['handshake hang'] ?? 0) >= 6, 180_000)
    world.gateway.calm()
    await world.until(() => page.chat.status.value === 'live', 60_000)
    expect(page.chat.sessionId.value).toBe(first)
  })

  it('that is followed by an immediate close is tried with growing pauses', async () => {
    const page = await world.live()
    const before = world.gateway.sockets.length
    let closed = 0
    world.gateway.onDown((_, socket) => {
      closed++
      socket.terminate()
      return []
    })
    for (const socket of world.gateway.open()) socket.terminate()
    await world.rest(30_000)
    expect(closed).toBeGreaterThanOrEqual(3)
    expect(world.gateway.sockets.length - before).toBeLessThanOrEqual(20)
    await recovers(page)
  })

  it('that a proxy answers with a page is a failure as any other', async () => {
    const page = await world.live()
    const first = page.chat.sessionId.value
    let answered = 0
    world.gateway.onHandshake(() => (answered++ < 2 ? 200 : undefined))
    for (const socket of world.gateway.open()) socket.terminate()
    await world.until(() => answered >= 3 && page.chat.status.value === 'live', 60_000)
    expect(page.chat.sessionId.value).toBe(first)
  })

  it('after which nothing comes is given up, and the next waits longer', async () => {
    const page = await world.live()
    let muted = 0
    world.gateway.onDown(() => {
      muted++
      return []
    })
    const before = world.gateway.sockets.length
    for (const socket of world.gateway.open()) socket.terminate()
    await world.until(() => world.gateway.sockets.length - before >= 2, 40_000)
    expect(muted).toBeGreaterThan(0)
    expect(page.chat.status.value).not.toBe('live')
    await recovers(page)
  })
})
