// Who answers a request of the public port, and who an upgrade: each by the same rules.

import { once } from 'node:events'
import { request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { listen, open } from '../../src/cli/listener.ts'
import { createProbes } from '../../src/cli/monitoring/index.ts'
import { createRequests, type RequestsOptions } from '../../src/cli/start/requests.ts'

async function startServer(more: Partial<RequestsOptions> = {}) {
  const [server] = (await listen(0, '127.0.0.1', { headerPrefix: 'Acme' })) as [Server]
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const answered =
    (who: string) =>
    async (asked: Request, { address }: { address: string }) =>
      new Response(`${who} ${new URL(asked.url).pathname} for ${address}`)
  const lines: string[] = []
  const requests = createRequests({
    probes: createProbes({ healthy: async () => true }),
    bff: { fetch: answered('bff') } as RequestsOptions['bff'],
    service: {
      fetch: answered('service'),
      upgrade: (_: unknown, socket: NodeJS.WritableStream) =>
        socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
    } as unknown as RequestsOptions['service'],
    answers: (hostname) => hostname === 'chat.example.com',
    trustedProxies: ['loopback'],
    headerPrefix: 'Acme',
    log: (line) => void lines.push(line),
    ...more,
  })
  server.on('request', requests.answer)
  server.on('upgrade', requests.upgrade)
  open([server])
  const { port } = server.address() as AddressInfo
  async function ask(path: string, headers: Record<string, string> = {}) {
    const asked = request({
      port,
      host: '127.0.0.1',
      path,
      headers: { host: 'chat.example.com', ...headers },
    })
    asked.end()
    const [event, response] = await Promise.race([
      once(asked, 'response').then(([response]) => ['response', response]),
      once(asked, 'upgrade').then(([response, socket]) => {
        socket.destroy()
        return ['upgrade', response]
      }),
    ])
    const { statusCode: status } = response
    return { status, headers: response.headers, text: event === 'upgrade' ? '' : await text(response) }
  }
  const upgrade = (headers: Record<string, string> = {}) =>
    ask('/ws', { connection: 'Upgrade', upgrade: 'websocket', ...headers })
  return { ask, upgrade, lines }
}

it('the BFF answers its script and its paths, the service the rest, for the visitor that the proxy tells', async () => {
  const { ask, upgrade } = await startServer()
  const forwarded = { 'x-forwarded-for': '192.0.2.7' }
  for (const [path, who] of [
    ['/foyer.js', 'bff'],
    ['/foyer/config', 'bff'],
    ['/foyer.json', 'service'],
    ['/v3/a/b/conversations', 'service'],
  ])
    expect((await ask(`${path}`, forwarded)).text).toBe(`${who} ${path} for 192.0.2.7`)
  expect((await upgrade()).status).toBe(101)
})

it('a foreign name reaches neither of them, by a request or by a socket; probes answer it', async () => {
  const { ask, upgrade } = await startServer()
  const foreign = { host: 'rebound.example.com', 'x-acme-correlation-id': 'mine-1' }
  for (const answer of [await ask('/foyer.js', foreign), await ask('/x', foreign), await upgrade(foreign)]) {
    expect([answer.status, answer.headers['x-acme-correlation-id']]).toEqual([403, 'mine-1'])
    expect(answer.text).toContain('does not answer requests to this host name')
  }
  expect((await ask('/live', foreign)).status).toBe(200)
  expect((await upgrade({ host: 'a b' })).status).toBe(403)
})

it('without a service of its own it has the BFF alone', async () => {
  const { ask, upgrade } = await startServer({ service: undefined })
  expect((await ask('/foyer.js')).text).toContain('bff /foyer.js')
  for (const answer of [await ask('/v3/a/b/conversations'), await upgrade()]) expect(answer.status).toBe(404)
})

it('what fails is answered with 500 each time, and the log has the cause without the answer', async () => {
  const fetch = () => Promise.reject(new Error('the disk is full'))
  const { ask, lines } = await startServer({ bff: { fetch } as unknown as RequestsOptions['bff'] })
  for (let round = 0; round < 2; round++) {
    const { status, text } = await ask('/foyer/config')
    expect(status).toBe(500)
    expect(text).not.toContain('disk')
  }
  expect(lines).toEqual(['a request failed: the disk is full', 'a request failed: the disk is full'])
})
