import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import * as api from '../../src/api/index.ts'
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

  it('and then, is answered at each address of the loopback alike', async () => {
    const [first] = await listen(0, '127.0.0.1')
    const { port = 0 } = (first?.address() ?? {}) as { port?: number }
    await new Promise((resolve) => first?.close(resolve))
    const servers = await listen(port, undefined, { headerPrefix: 'Acme' })
    try {
      // A machine may have no second address.
      expect(servers.length).toBe((await hasTwin()) ? 2 : 1)
      for (const server of servers)
        expect(await answerTo(server, REQUESTS.request)).toMatch(/^x-acme-correlation-id: /im)
      for (const server of servers) server.on('request', (_, response) => response.end('the real answer'))
      open(servers)
      for (const server of servers)
        expect(await answerTo(server, REQUESTS.request)).toMatch(/the real answer/)
      await expect(listen(port, undefined, { setting: 'FOYER_METRICS_PORT' })).rejects.toThrow(
        `choose another: FOYER_METRICS_PORT=${port + 1}`,
      )
      await expect(listen(port, '127.0.0.1')).rejects.toThrow(`choose another: PORT=${port + 1}`)
    } finally {
      for (const server of servers) {
        server.close()
        server.closeAllConnections()
      }
    }
  })
  const hasTwin = () =>
    listen(0, '::1').then(
      ([server]) => server?.close() !== undefined,
      () => false,
    )

  async function answerTo(server: Server, bytes: string): Promise<string> {
    const { port, address: host } = server.address() as AddressInfo
    const socket = connect(port, host)
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
    const [server] = await listen(0, '127.0.0.1', { limits })
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

/** Every endpoint of the API: its errors have the body that its 500 describes. */
const ROUTES = Object.values(api).filter(
  (each): each is api.Route => typeof each === 'object' && 'path' in each && 'responses' in each,
)
const FAMILIES = ROUTES.map(({ path, responses }) => ({
  path: path.replace(/\{\w+\}/g, 'OUT-1'),
  body: responses[500]?.schema ?? v.never(),
}))

describe('a request that no endpoint gets', () => {
  it('is tried at each endpoint of the API', () => expect(FAMILIES).toHaveLength(9))

  /** Requests that Node itself refuses, by the status of the answer. `end`: what follows the request line's path. */
  const UNREADABLE: [string, number, string][] = [
    ['has letters outside ASCII in its address', 400, '?query=Fahrräder HTTP/1.1\r\nHost: a\r\n'],
    ['has too large headers', 431, ` HTTP/1.1\r\nHost: a\r\nX-Large: ${'Fahrräder '.repeat(3_000)}\r\n`],
    ['has too long an address', 431, `?${'Fahrraeder'.repeat(3_000)} HTTP/1.1\r\nHost: a\r\n`],
    ['has a header that is none', 400, ' HTTP/1.1\r\nHost: a\r\nFahr räder\r\n'],
  ]
  const STARTING: [string, number, string] = ['comes too early', 503, '?query=1 HTTP/1.1\r\nHost: a\r\n']

  describe.each([STARTING, ...UNREADABLE])('because it %s', (_, status, end) => {
    it.each(FAMILIES)(
      'is answered in the error body of $path, with the correlation id that it gave',
      async ({ path, body }) => {
        const given = 'X-Svc-Correlation-Id: mine-1\r\n'
        const { head, text } = await ask(`GET ${path}${end}${given}\r\n`)
        expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
        const [, correlation = ''] = /^x-svc-correlation-id: (.*)$/im.exec(head) ?? []
        expect(correlation).toMatch(/^mine-1$/)
        const answer = JSON.parse(text) as object
        expect(v.parse(body as v.GenericSchema<object, object>, answer)).toEqual(answer)
        if ('error_id' in answer) expect(answer.error_id).toBe(correlation)
        expect(head).toMatch(new RegExp(`^content-length: ${text.length}$`, 'im'))
        expect(`${head}${text}`).not.toContain('Fahr')
      },
    )
  })

  it.each([
    ['is not well-formed', 'X-Svc-Correlation-Id: a b<script>\r\n', /^[\da-f-]{36}$/],
    ['is given in capitals', 'X-SVC-CORRELATION-ID:mine-2\r\n', /^mine-2$/],
    ['is missing', '', /^[\da-f-]{36}$/],
  ])('gets a correlation id, also where its own %s', async (_, given, expected) => {
    for (const target of ['/v3/a/b/conversations?q=ä', '/v3/a/b/conversations'])
      expect(correlationOf((await ask(`GET ${target} HTTP/1.1\r\nHost: a\r\n${given}\r\n`)).head)).toMatch(
        expected,
      )
  })

  it('has the word of the setting in the name of the header', async () => {
    for (const target of ['/v3/a/b/conversations?q=ä', '/v3/a/b/conversations']) {
      const request = `GET ${target} HTTP/1.1\r\nHost: a\r\nX-Acme-Correlation-Id: mine-4\r\n\r\n`
      expect((await ask(request, { headerPrefix: 'Acme' })).head).toMatch(/^x-acme-correlation-id: mine-4$/im)
    }
  })

  it.each(['\u0016\u0003\u0001 Fahrräder', 'Fahrräder\r\n\r\n', 'GET Fahrräder HTTP/1.1\r\n\r\n'])(
    'and shows no path is answered with {"error"}: %j',
    async (bytes) => {
      const { head, text } = await ask(bytes)
      expect(head).toMatch(/^HTTP\/1\.1 400 /)
      expect(JSON.parse(text)).toEqual({ error: expect.any(String) })
      expect(correlationOf(head)).toMatch(/^[\da-f-]{36}$/)
    },
  )

  it('has the family of its own address, not that of an earlier request of the connection', async () => {
    const first = 'GET /v3/a/b/conversations HTTP/1.1\r\nHost: a\r\nX-Svc-Correlation-Id: first\r\n\r\n'
    const second = 'GET /v1/outbound-sms?ä HTTP/1.1\r\nHost: a\r\nX-Svc-Correlation-Id: second\r\n\r\n'
    const { head, text } = await ask(second, { before: first })
    expect([correlationOf(head), JSON.parse(text)]).toEqual([
      'second',
      { detail: 'The address must be percent-encoded' },
    ])
  })

  it('does not end in the answer to an earlier request', async () => {
    const server = await opened()
    try {
      let asked = () => {}
      const arrived = new Promise<void>((resolve) => {
        asked = resolve
      })
      server.on('request', () => asked())
      const { socket, closed } = speak(server)
      socket.write('GET /v3/a/b/conversations HTTP/1.1\r\nHost: a\r\n\r\n')
      await arrived
      socket.write('GET /v3/a/b/conversations?ä HTTP/1.1\r\nHost: a\r\n\r\n')
      expect(await closed).toBe('')
    } finally {
      stop(server)
    }
  })

  it('does not end in the middle of an answer', async () => {
    const server = await opened()
    try {
      server.on('request', (_, response) => response.writeHead(200).write('half'))
      const { socket, closed, received } = speak(server)
      socket.write('POST /v1/outbound-sms HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n')
      await received(/half/)
      socket.write('no chunk\r\n')
      expect((await closed).match(/HTTP\/1\.1/g)).toHaveLength(1)
    } finally {
      stop(server)
    }
  })

  it('whose body cannot be read is answered in its family, with its correlation id', async () => {
    const server = await opened()
    try {
      server.on('request', (request) => request.on('error', () => {}).resume())
      const { socket, closed } = speak(server)
      socket.write(
        'POST /v1/outbound-sms HTTP/1.1\r\nHost: a\r\nX-Svc-Correlation-Id: mine-5\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n',
      )
      const [head = '', text = ''] = (await closed).split('\r\n\r\n')
      expect([correlationOf(head), JSON.parse(text)]).toEqual([
        'mine-5',
        { detail: 'The request is not valid HTTP' },
      ])
    } finally {
      stop(server)
    }
  })

  it('closes its connection, also where the client never does, and lets a client that still sends read the answer', async () => {
    const server = await opened()
    try {
      const { socket, closed, received } = speak(server, { allowHalfOpen: true })
      socket.write(`GET /v1/outbound-sms HTTP/1.1\r\nHost: a\r\nX-Large: ${'x'.repeat(2_000_000)}`)
      await received(/"detail"/)
      expect(await closed).toMatch(/^HTTP\/1\.1 431 /)
      await new Promise<void>((resolve) => server.close(() => resolve()))
    } finally {
      stop(server)
    }
  })

  const correlationOf = (head: string) => /^x-svc-correlation-id: (.*)$/im.exec(head)?.[1]
  const stop = (server: Server) => {
    server.close()
    server.closeAllConnections()
  }
  async function opened(): Promise<Server> {
    const [server] = await listen(0, '127.0.0.1')
    if (!server) throw new Error('there is no server')
    open([server])
    return server
  }

  /** The answer to a request, from a server that is starting. `before`: a request that is answered first on the same connection. */
  async function ask(bytes: string, { before = '', headerPrefix = 'Svc' } = {}) {
    const [server] = await listen(0, '127.0.0.1', { headerPrefix })
    if (!server) throw new Error('there is no server')
    try {
      const { socket, closed, received } = speak(server)
      if (before) {
        socket.write(before)
        await received(/\}$/)
      }
      const earlier = before ? (await received(/\}$/)).length : 0
      socket.write(bytes)
      // A connection that is kept open is closed here, once the answer is whole.
      void received(/\}$/, earlier + 1).then(() => socket.end())
      const text = (await closed).slice(earlier)
      const [head = '', body = ''] = text.split('\r\n\r\n')
      return { head: head.replaceAll('\r', ''), text: body }
    } finally {
      stop(server)
    }
  }

  function speak(server: Server, options: { allowHalfOpen?: boolean } = {}) {
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const socket = connect({ port, host: '127.0.0.1', ...options })
    let text = ''
    let look = () => {}
    socket.on('data', (data) => {
      text += data
      look()
    })
    socket.on('error', () => {})
    return {
      socket,
      /** Everything that was received, once the connection is closed. */
      closed: new Promise<string>((resolve) => {
        // A client that never closes learns of the end alone.
        socket.on(options.allowHalfOpen ? 'end' : 'close', () => resolve(text))
      }),
      /** What was received, once it has at least so many characters and matches. */
      received: (pattern: RegExp, least = 0) =>
        new Promise<string>((resolve) => {
          look = () => {
            if (text.length >= least && pattern.test(text)) resolve(text)
          }
          look()
        }),
    }
  }
})
