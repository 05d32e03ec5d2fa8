import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { listen, open, REQUEST_LIMITS } from '../../src/cli/listener.ts'

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
