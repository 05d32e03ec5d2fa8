import type { Server } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { listen, open, REQUEST_LIMITS } from '../../src/cli/listener.ts'

describe('before the server is ready', () => {
  const REQUESTS = {
    request: 'POST /foyer/access-token HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}',
    socket:
      'GET /ws?x=1 HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
  }

  it.each(Object.entries(REQUESTS))('a %s is answered with 503 and the time to wait', async (_, bytes) => {
    const [server] = await listen(0, '127.0.0.1')
    if (!server) throw new Error('there is no server')
    try {
      const head = await answerTo(server, bytes)
      expect(head).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/)
      expect(head).toMatch(/^Retry-After: 1\r$/m)
      expect(head).toMatch(/\{"error":"The server is starting[^"]*"\}$/)
      server.on('request', (_request, response) => response.end('the real answer'))
      server.on('upgrade', (_request, socket) => socket.end('the real answer'))
      open([server])
      expect(await answerTo(server, bytes)).toMatch(/the real answer/)
    } finally {
      server.close()
      server.closeAllConnections()
    }
  })

  async function answerTo(server: Server, bytes: string): Promise<string> {
    const address = server.address()
    const socket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1')
    let text = ''
    const whole = /\}$|the real answer/
    await new Promise<void>((resolve, reject) => {
      socket.on('error', reject)
      socket.on('close', () => resolve())
      socket.on('data', (data) => {
        text += data
        if (whole.test(text)) resolve()
      })
      socket.write(bytes)
    })
    socket.destroy()
    return text
  }
})

describe('a request', () => {
  it('may take 30 s in total, including the time until the next check', () => {
    const { headersTimeout, requestTimeout, connectionsCheckingInterval } = REQUEST_LIMITS
    expect(Math.max(headersTimeout, requestTimeout) + connectionsCheckingInterval).toBeLessThanOrEqual(30_000)
  })

  it.each([
    ['headers', 'POST / HTTP/1.1\r\nHost: a\r\nX-Slow: '],
    ['body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n'],
  ])('whose %s never end is cut, however slowly they come', async (_, beginning) => {
    const limits = { headersTimeout: 100, requestTimeout: 100, connectionsCheckingInterval: 20 }
    const [server] = await listen(0, '127.0.0.1', limits)
    if (!server) throw new Error('there is no server')
    try {
      open([server])
      server.on('request', (request) => request.resume())
      const address = server.address()
      const socket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1')
      socket.on('error', () => {})
      socket.write(beginning)
      const drip = setInterval(() => socket.write('x'), 10)
      const answer = await new Promise<string>((resolve) => {
        let text = ''
        socket.on('data', (data) => {
          text += data
        })
        socket.on('close', () => resolve(text))
      })
      clearInterval(drip)
      expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    } finally {
      server.close()
      server.closeAllConnections()
    }
  })

  it('has the default limits', async () => {
    const [server] = await listen(0, '127.0.0.1')
    expect([server?.headersTimeout, server?.requestTimeout]).toEqual([25_000, 25_000])
    server?.close()
  })
})
