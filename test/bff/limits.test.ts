// The limits of token requests: counted in this process, or in a store that several processes share.

import { beforeEach, expect, it } from 'vitest'
import { type CountRequest, createBff } from '../../src/bff/index.ts'

const OWN = 'https://chat.example.com'
let lines: string[]
beforeEach(() => {
  lines = []
})

const bff = (store: CountRequest | undefined, limits: { address?: number; connector?: number } = {}) =>
  createBff({
    connectorToken: 'token',
    connectorHost: 'shop.example.com',
    chatUrl: 'https://service.example.com',
    cookieSecrets: ['a-cookie-secret-of-thirty-two-chars!'],
    assets: () => undefined,
    limits: { ...limits, store },
    log: (line) => lines.push(line),
    fetch: async () => Response.json({ access_token: 'a', expires_in: 3_600, token_type: 'Bearer' }),
  })
async function ask(handler: ReturnType<typeof bff>, address = '192.0.2.1') {
  const response = await handler.fetch(
    new Request(`${OWN}/foyer/access-token`, {
      method: 'POST',
      headers: { origin: OWN, 'content-type': 'application/json' },
      body: '{}',
    }),
    { address },
  )
  return [response.status, response.headers.get('retry-after')]
}
/** A store that counts for all its processes. */
function createStore(): CountRequest & { keys: Map<string, number> } {
  const keys = new Map<string, number>()
  const count: CountRequest = async (key, seconds) => {
    keys.set(key, (keys.get(key) ?? 0) + 1)
    return { count: keys.get(key) ?? 0, wait: seconds / 2 }
  }
  return Object.assign(count, { keys })
}

it('processes with one store share each limit, and say how long to wait', async () => {
  const store = createStore()
  const [one, two] = [bff(store, { address: 2 }), bff(store, { address: 2 })]
  expect([await ask(one), await ask(two), await ask(one)]).toEqual([
    [200, null],
    [200, null],
    [429, '30'],
  ])
  expect(await ask(two, '192.0.2.2')).toEqual([200, null])
})

it.each([
  [0, '1'],
  [0.2, '1'],
  [29.2, '30'],
])('a store that says to wait %d seconds makes visitors wait for %s', async (wait, seconds) => {
  expect(await ask(bff(async () => ({ count: 61, wait })))).toEqual([429, seconds])
})

it('a request over the address’s limit is not counted against its connector', async () => {
  const store = createStore()
  const handler = bff(store, { address: 1, connector: 2 })
  await ask(handler)
  await ask(handler)
  expect([...store.keys]).toEqual([
    ['address  192.0.2.1', 2],
    ['connector ', 1],
  ])
})

it('while the store is away, each process counts for itself, says so once, and goes back to it', async () => {
  const shared = createStore()
  let away = false
  const store: CountRequest = (key, seconds) =>
    away ? Promise.reject(new Error('redis://:secret@host')) : shared(key, seconds)
  const handler = bff(store, { address: 2 })
  await ask(handler)
  away = true
  expect([await ask(handler), await ask(handler), await ask(handler)].map(([status]) => status)).toEqual([
    200, 200, 429,
  ])
  expect(lines).toEqual(['access-token: the store of the limits is away, so this process counts for itself'])
  away = false
  expect(await ask(handler)).toEqual([200, null])
  expect(lines.slice(1)).toEqual(['access-token: the limits are shared between processes again'])
  away = true
  // Each address has a count of its own here too.
  expect((await ask(handler, '192.0.2.2'))[0]).toBe(200)
  away = false
  await ask(handler, '192.0.2.2')
  expect(lines.slice(2)).toEqual(lines.slice(0, 2))
})

it('a store that does not answer keeps nobody waiting for it', async () => {
  const handler = bff(() => new Promise(() => {}), { address: 1 })
  expect(await ask(handler)).toEqual([200, null])
  expect((await ask(handler))[0]).toBe(429)
})
