// What the nginx of the docs writes down about visitors, and how long they wait for a process that stands still.

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createPort, type Server, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { freePort } from '../browser/world.ts'
import { lacks } from '../needs.ts'
import { snippetWith } from './docs.ts'
import { runNginx, startNginx } from './nginx.ts'
import { useFolder, visitor } from './starts.ts'
import { until } from './until.ts'

const folder = useFolder()

const withNginx = it.skipIf(lacks('nginx'))

withNginx(
  'the documented nginx writes no access token into a log, whether the server answers or not',
  async () => {
    const [port, front] = [await freePort(), await freePort()]
    const origin = `http://127.0.0.1:${front}`
    const server = await folder.start(port, { FOYER_DATA: 'memory', FOYER_PUBLIC_ORIGIN: origin })
    const proxy = await startNginx(front, port, folder.path())
    try {
      const person = visitor(origin)
      const { access_token } = await person.token(false)
      const client = await person.connect(await person.session(), 0)
      client.send('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN')
      await client.until('greeting', () => client.events.some((event) => event.payload.is_complete === true))
      client.socket.close()
      await fetch(`${origin}/foyer/health`)
      await server.stop()
      await expect(person.connect('any', 0)).rejects.toThrow()
      await fetch(`${origin}/foyer/health`)

      const read = (name: string) => readFileSync(folder.path(name), 'utf8')
      // Both logs are kept, and what matters to operators is in them.
      await until(
        () => `the logs lack the other requests: ${read('access.log')}${read('error.log')}`,
        () => read('access.log').includes('/foyer/health') && read('error.log').includes('/foyer/health'),
      )
      const logs = read('access.log') + read('error.log')
      expect(access_token.length).toBeGreaterThan(100)
      expect(logs).not.toContain(access_token)
      expect(logs).not.toMatch(/access_token=/)
    } finally {
      await proxy.stop()
    }
  },
)

withNginx(
  'of two processes behind the documented nginx one may stand still: a question waits for the time that is set, a socket as long as its client',
  async () => {
    // The machine takes the connections of a process that stands still, and nobody answers.
    const held: Socket[] = []
    const still = createPort((socket) => void held.push(socket.on('error', () => {})))
    const lively = createServer((_, response) => response.end('here'))
    const sockets = new WebSocketServer({ server: lively })
    const portOf = async (server: Server) => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return String((server.address() as AddressInfo).port)
    }
    const block = snippetWith('nginx', 'upstream foyer')
    const text = block
      .replaceAll('4701', await portOf(still))
      .replaceAll('4702', await portOf(lively))
      .replace('proxy_read_timeout 20s', 'proxy_read_timeout 1s')
    expect(text).toContain('proxy_read_timeout 1s')
    const front = await freePort()
    const proxy = await runNginx(front, text, folder.path())
    try {
      for (let asked = 0; asked < 4; asked++)
        expect(await (await fetch(`http://127.0.0.1:${front}/foyer/health`)).text()).toBe('here')
      const reached = held.length
      expect(reached).toBeGreaterThan(0)
      // nginx sends a request that changes something to one process alone, also where that process does not answer.
      const posts = []
      for (let asked = 0; asked < 2; asked++)
        posts.push((await fetch(`http://127.0.0.1:${front}/api/v1/sessions`, { method: 'POST' })).status)
      expect(posts.toSorted()).toEqual([200, 504])
      const opened = (handshakeTimeout: number) =>
        new Promise<boolean>((resolve) => {
          const socket = new WebSocket(`ws://127.0.0.1:${front}/ws`, { handshakeTimeout })
          socket.once('open', () => resolve(true)).once('error', () => resolve(false))
        })
      // Longer than a question waits: nothing but the client ends a handshake.
      const handshakes = [await opened(3_000), await opened(3_000)]
      expect(handshakes.toSorted()).toEqual([false, true])
    } finally {
      await proxy.stop()
      for (const socket of held) socket.destroy()
      for (const client of sockets.clients) client.terminate()
      still.close()
      lively.close()
    }
  },
)
