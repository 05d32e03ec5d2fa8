// The BFF inside of other servers, real ones, whose body parsers may read a request before the BFF.

import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import fastify from 'fastify'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createBff } from '../../src/bff/index.ts'

const PARSED = 'POST /foyer/access-token failed: something has read the body of the request before the BFF'

let log: string[] = []
const open: Server[] = []
afterEach(() => {
  log = []
  for (const server of open.splice(0)) server.close()
})

/** A listener of Node with the BFF, as the docs have it. `handOver`: what it says of the parsed body. */
function listenerOf(handOver: (incoming: IncomingMessage) => unknown = () => undefined) {
  let count = 0
  const bff = createBff({
    connectorToken: 'canary-connector-token',
    connectorHost: 'shop.example.com',
    chatUrl: 'https://service.example.com',
    cookieSecrets: ['a-cookie-secret-of-thirty-two-chars!'],
    log: (line) => log.push(line),
    fetch: async () =>
      Response.json({ access_token: `token-${++count}`, expires_in: 3_600, token_type: 'Bearer' }),
  })
  return getRequestListener((request, { incoming }) =>
    bff.fetch(request, { address: '192.0.2.1', body: handOver(incoming as IncomingMessage) }),
  )
}
const bodyOf = (incoming: IncomingMessage) => (incoming as { body?: unknown }).body

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** What a page does: begins, is loaded again, and asks for its token. */
async function reloaded(origin: string, body: BodyInit = '{"resume":true}') {
  const ask = (text: BodyInit, cookie = '') =>
    fetch(`${origin}/foyer/access-token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin, cookie },
      body: text,
      // A stream goes out without a length.
      ...(typeof text !== 'string' && { duplex: 'half' }),
    })
  const first = await ask('{"sealed":false}')
  const cookie = first.headers.get('set-cookie')?.split(';')[0]
  const second = await ask(body, cookie)
  return { status: second.status, answer: (await second.json()) as Record<string, unknown> }
}
const streamed = () => new Blob(['{"resume":true}']).stream()

const kept = { status: 200, answer: expect.objectContaining({ access_token: 'token-1', resumed: true }) }
const lost = { status: 500, answer: { error: 'The BFF failed; its log has the reason' } }

const parsers = [
  { made: 'an object', parser: express.json() },
  { made: 'a text', parser: express.text({ type: '*/*' }) },
  { made: 'bytes', parser: express.raw({ type: '*/*' }) },
]

describe('behind a body parser of Express', () => {
  it.each(parsers)(
    'that makes $made, a conversation goes on where the body is handed over',
    async ({ parser }) => {
      const origin = await serve(express().use(parser).use(listenerOf(bodyOf)))
      expect(await reloaded(origin)).toEqual(kept)
      expect(await reloaded(origin, streamed())).toEqual({
        status: 200,
        answer: expect.objectContaining({ resumed: true }),
      })
      expect(log).toEqual([])
    },
  )

  it.each(parsers)(
    'that makes $made, a request fails and the log says why where it is not',
    async ({ parser }) => {
      const origin = await serve(express().use(parser).use(listenerOf()))
      expect(await reloaded(origin)).toEqual(lost)
      expect(await reloaded(origin, streamed())).toEqual(lost)
      expect(log).toEqual(Array(4).fill(expect.stringContaining(PARSED)))
    },
  )

  it('that leaves the body alone, a conversation goes on', async () => {
    const origin = await serve(express().use(express.urlencoded()).use(listenerOf(bodyOf)))
    expect(await reloaded(origin)).toEqual(kept)
  })

  it('a body of more than 4096 bytes is refused as elsewhere', async () => {
    const origin = await serve(express().use(express.json()).use(listenerOf(bodyOf)))
    expect(await reloaded(origin, JSON.stringify({ resume: true, x: 'x'.repeat(5_000) }))).toMatchObject({
      status: 413,
    })
  })

  it('a body that is no object is refused as elsewhere', async () => {
    const origin = await serve(express().use(express.json()).use(listenerOf(bodyOf)))
    expect(await reloaded(origin, '[]')).toMatchObject({ status: 400 })
  })
})

describe('in Fastify', () => {
  it('whose parsers read the body, a request fails and the log says why', async () => {
    const listener = listenerOf()
    const app = fastify()
    app.all('/foyer/*', (request, reply) => {
      reply.hijack()
      void listener(request.raw, reply.raw)
    })
    await app.ready()
    const origin = await serve((request, response) => app.routing(request, response))
    expect(await reloaded(origin)).toEqual(lost)
    expect(log).toEqual([expect.stringContaining(PARSED), expect.stringContaining(PARSED)])
    await app.close()
  })
})

it('a request whose body a handler before the BFF has read fails, and the log says why', async () => {
  const bff = createBff({
    connectorToken: 'canary-connector-token',
    connectorHost: 'shop.example.com',
    cookieSecrets: ['a-cookie-secret-of-thirty-two-chars!'],
    log: (line) => log.push(line),
  })
  const origin = 'https://chat.example.com'
  const request = new Request(`${origin}/foyer/access-token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': '2', origin },
    body: '{}',
  })
  await request.text()
  expect((await bff.fetch(request, { address: '192.0.2.1' })).status).toBe(500)
  expect(log).toEqual([expect.stringContaining(PARSED)])
})

it('a request without a body begins a new conversation', async () => {
  const origin = await serve(listenerOf())
  const response = await fetch(`${origin}/foyer/access-token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
  })
  expect(await response.json()).toMatchObject({ resumed: false })
  expect(log).toEqual([])
})

// An error's message may repeat a secret, a host's own TypeError too.
it.each([
  ['an Error', Error],
  ['a TypeError', TypeError],
] as const)(
  'a BFF without a log writes to the console that %s came, without its message',
  async (_, Kind) => {
    const written = vi.spyOn(console, 'error').mockImplementation(() => {})
    const bff = createBff({
      connectorToken: 'canary-connector-token',
      connectorHost: 'shop.example.com',
      cookieSecrets: ['a-cookie-secret-of-thirty-two-chars!'],
      assets: () => Promise.reject(new Kind('canary')),
    })
    const { status } = await bff.fetch(new Request('https://chat.example.com/foyer/assets/first.js'), {
      address: '192.0.2.1',
    })
    expect([status, written.mock.calls]).toEqual([500, [[`GET /foyer/assets/first.js failed: ${Kind.name}`]]])
    written.mockRestore()
  },
)
