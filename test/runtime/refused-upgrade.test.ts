// Sockets that are refused: what their clients do afterwards never harms the process, and never holds a socket open.

import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { expect, it } from 'vitest'
import { noMeter } from '../../src/api/index.ts'
import { endWithProblem, refusedRequest } from '../../src/runtime/index.ts'
import { createSockets, type SocketsOptions } from '../../src/runtime/sessions/socket/socket.ts'

const UPGRADE =
  'GET /v1/outbound-sms HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Svc-Correlation-Id: mine-1\r\n\r\n'

/** There is no socket at the address, so they need nothing else. */
const sockets = createSockets({ headerPrefix: 'Svc', meter: noMeter } as SocketsOptions)
const REFUSALS: Readonly<Record<string, (request: IncomingMessage, socket: Duplex) => void>> = {
  'by the server': (request, socket) =>
    endWithProblem(
      socket,
      { status: 404, code: 'NOT_FOUND', text: 'nothing' },
      refusedRequest(request, 'Svc'),
    ),
  'as a handshake': (request, socket) => sockets.upgrade(request, socket, Buffer.alloc(0)),
}

/** A server that refuses each upgrade, and a client that has asked for one. `end`: what the client does at the end of the answer. */
async function refused(how: string, end: 'closes' | 'stays') {
  const server = createServer()
  const client: Socket = await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      resolve(connect({ port, host: '127.0.0.1', allowHalfOpen: end === 'stays' }))
    })
  })
  client.on('error', () => {})
  client.write(UPGRADE)
  const [request, socket] = (await once(server, 'upgrade')) as [IncomingMessage, Duplex]
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return {
    client,
    socket,
    closed,
    refuse: () => REFUSALS[how]?.(request, socket),
    stop: () => server.close(),
  }
}

it.each(Object.keys(REFUSALS))(
  'a client that resets its socket, refused %s, ends no process',
  async (how) => {
    const uncaught: Error[] = []
    const hear = (error: Error) => uncaught.push(error)
    process.on('uncaughtExceptionMonitor', hear)
    const { client, socket, closed, refuse, stop } = await refused(how, 'closes')
    try {
      refuse()
      client.resetAndDestroy()
      await closed
      await new Promise((resolve) => setImmediate(resolve))
      expect(uncaught).toEqual([])
      expect(socket.errored).toMatchObject({ code: 'ECONNRESET' })
    } finally {
      process.off('uncaughtExceptionMonitor', hear)
      stop()
    }
  },
)

it.each(Object.keys(REFUSALS))(
  'a client that goes on sending and never closes, refused %s, gets the whole answer and is gone soon',
  async (how) => {
    const { client, closed, refuse, stop } = await refused(how, 'stays')
    let received = ''
    client.on('data', (data) => {
      received += data
    })
    try {
      refuse()
      client.write('x'.repeat(1_000_000))
      await closed
      expect(received).toMatch(/^HTTP\/1\.1 404 Not Found\r\n[\s\S]*\r\n\r\n\{.+\}$/)
    } finally {
      client.destroy()
      stop()
    }
  },
)

it('a refused handshake has the error body of chats and the given correlation id, whatever its address', async () => {
  const { client, refuse, stop } = await refused('as a handshake', 'closes')
  let received = ''
  client.on('data', (data) => {
    received += data
  })
  refuse()
  await once(client, 'close')
  stop()
  const [head = '', body] = received.split('\r\n\r\n')
  expect(head.split('\r\n').sort()).toEqual([
    'Cache-Control: no-store',
    'Connection: close',
    'Content-Length: 46',
    'Content-Type: application/json',
    'HTTP/1.1 404 Not Found',
    'X-Content-Type-Options: nosniff',
    'X-Svc-Correlation-Id: mine-1',
  ])
  expect(body).toBe('{"error":"there is no socket at this address"}')
})
