// Stands between the TCP proxy and the service: passes HTTP and frames on as they are, unless a test says otherwise.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type RawData, WebSocket, WebSocketServer } from 'ws'

export type Answer = { status?: number; headers?: Record<string, string>; body?: string } | 'stall' | 'lose'
/** Undefined: as it is. A list: these instead. */
type Change = string[] | undefined

export async function createGateway(upstream: string) {
  /** What answers a request instead of the service; `lose`: the service takes it, and its answer is lost. */
  let intercept: (method: string, path: string) => Answer | undefined = () => undefined
  let handshake: (path: string) => number | 'hang' | undefined = () => undefined
  let down: (frame: string, socket: WebSocket) => Change = () => undefined
  let up: (frame: string, socket: WebSocket) => Change = () => undefined
  const requests: { method: string; path: string; at: number; status: number }[] = []
  const sockets: { client: WebSocket; at: number; path: string }[] = []
  const upgraded = new Set<Duplex>()
  /** The service's ends of all sockets, and the pages' ends of those that are swallowed. */
  const inners = new Set<WebSocket>()
  const swallowed = new Set<WebSocket>()
  const struck: Record<string, number> = {}
  const strike = (name: string) => {
    struck[name] = (struck[name] ?? 0) + 1
  }

  const read = async (request: IncomingMessage) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    return Buffer.concat(parts)
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? 'GET'
    const path = request.url ?? '/'
    const entry = { method, path: path.split('?')[0] ?? '', at: performance.now(), status: 0 }
    requests.push(entry)
    const body = await read(request)
    const given = intercept(method, entry.path)
    if (given !== undefined) strike(typeof given === 'string' ? given : `answer ${given.status ?? 200}`)
    if (given === 'stall') return
    if (typeof given === 'object') {
      entry.status = given.status ?? 200
      response.writeHead(entry.status, {
        'access-control-allow-origin': '*',
        'access-control-allow-headers': '*',
        ...given.headers,
      })
      return void response.end(given.body ?? '')
    }
    const headers = Object.fromEntries(
      Object.entries(request.headers).flatMap(([name, value]) =>
        typeof value === 'string' && !/^(host|connection|content-length|transfer-encoding)$/.test(name)
          ? [[name, value]]
          : [],
      ),
    )
    const real = await fetch(upstream + path, {
      method,
      headers,
      redirect: 'manual',
      ...(method !== 'GET' && method !== 'HEAD' && { body }),
    })
    entry.status = real.status
    const text = Buffer.from(await real.arrayBuffer())
    if (given === 'lose') return void response.destroy()
    response.writeHead(
      real.status,
      [...real.headers].filter(
        // What is packed comes unpacked here, and so has another length.
        ([name]) => !/^(content-encoding|content-length|transfer-encoding|connection|keep-alive)$/.test(name),
      ),
    )
    response.end(text)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  const accepting = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => {})
    upgraded.add(socket)
    socket.on('close', () => upgraded.delete(socket))
    const path = request.url ?? ''
    const refused = handshake(path)
    if (refused !== undefined) strike(`handshake ${refused}`)
    if (refused === 'hang') return
    if (refused !== undefined) {
      socket.end(`HTTP/1.1 ${refused} No\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno`)
      return
    }
    const inner = new WebSocket(upstream.replace('http', 'ws') + path)
    inner.once('unexpected-response', (_, response) => {
      socket.end(`HTTP/1.1 ${response.statusCode} No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
      inner.terminate()
    })
    inner.on('error', () => {})
    inners.add(inner)
    inner.on('close', () => inners.delete(inner))
    const early: string[] = []
    inner.on('message', (data: RawData) => early.push(String(data)))
    inner.once('open', () =>
      accepting.handleUpgrade(request, socket, head, (client) => {
        sockets.push({ client, at: performance.now(), path })
        inner.removeAllListeners('message')
        const pass = (text: string) => {
          if (swallowed.has(client)) return
          const changed = down(text, client)
          if (changed) strike('down')
          for (const each of changed ?? [text]) if (client.readyState === 1) client.send(each)
        }
        for (const text of early) pass(text)
        inner.on('message', (data: RawData) => pass(String(data)))
        client.on('message', (data: RawData) => {
          if (swallowed.has(client)) return
          const changed = up(String(data), client)
          if (changed) strike('up')
          for (const each of changed ?? [String(data)]) if (inner.readyState === 1) inner.send(each)
        })
        client.on('error', () => {})
        client.on('close', () => swallowed.has(client) || inner.close())
        inner.on('close', (code) => {
          if (client.readyState === 1) client.close(code === 1005 || code === 1006 ? 1011 : code)
        })
      }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    port: (server.address() as AddressInfo).port,
    requests,
    sockets,
    struck,
    /** Nothing goes through any more, and the service does not hear that the page gives the connection up. */
    swallow(client: WebSocket) {
      swallowed.add(client)
      strike('swallow')
    },
    open: () => sockets.filter(({ client }) => client.readyState === 1).map(({ client }) => client),
    onRequest(fn: typeof intercept) {
      intercept = fn
    },
    onHandshake(fn: typeof handshake) {
      handshake = fn
    },
    onDown(fn: typeof down) {
      down = fn
    },
    onUp(fn: typeof up) {
      up = fn
    },
    calm() {
      intercept = handshake = () => undefined
      down = up = () => undefined
    },
    async close() {
      for (const socket of upgraded) socket.destroy()
      for (const inner of inners) inner.terminate()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type Gateway = Awaited<ReturnType<typeof createGateway>>
