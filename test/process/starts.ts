// Processes in a folder of their own, and a visitor without a browser who talks to one.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { WebSocket } from 'ws'
import { ONE_DOCUMENT, type Server, startServer } from '../browser/world.ts'
import { until } from './until.ts'

export const root = resolve(import.meta.dirname, '../..')
export const cli = join(root, 'dist/foyer-server/cli.js')

/** For each test, or for `all` of a group, a new folder. The processes that are started there end with it. */
export function useFolder(whose: 'each' | 'all' = 'each') {
  const [before, after] = whose === 'all' ? [beforeAll, afterAll] : [beforeEach, afterEach]
  let folder: string
  let servers: Server[]
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'foyer-process-'))
    servers = []
  })
  after(async () => {
    for (const server of servers) await server.stop('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  return {
    path: (name = '') => join(folder, name),
    async start(port: number, env: Record<string, string> = {}, args = ONE_DOCUMENT): Promise<Server> {
      const server = await startServer(port, folder, env, args)
      servers.push(server)
      return server
    },
  }
}

type Frame = {
  type: string
  id: string
  sequence: number | null
  payload: Record<string, unknown> & { events?: Frame[] }
}

/** A visitor without a browser: the BFF by cookie, the session by socket. `connector`: the one of the BFF, where it has several. */
export function visitor(origin: string, connector = '') {
  let cookie = ''
  let token = ''
  const json = { 'content-type': 'application/json' }
  return {
    /** `at`: the server that answers, if it is not the one at the origin. */
    async token(resume: boolean, at = origin) {
      const response = await fetch(`${at}/foyer/${connector && `${connector}/`}access-token`, {
        method: 'POST',
        headers: { ...json, origin, ...(cookie && { cookie }) },
        body: JSON.stringify(resume ? { resume } : {}),
      })
      cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
      const body = (await response.json()) as { access_token: string; resumed: boolean }
      token = body.access_token
      return body
    },
    async session(at = origin) {
      const response = await fetch(`${at}/api/v1/sessions`, {
        method: 'POST',
        headers: { ...json, authorization: `Bearer ${token}` },
        body: '{"streaming_enabled":true}',
      })
      return ((await response.json()) as { session_id: string }).session_id
    },
    async connect(session_id: string, cursor: number, at = origin) {
      const query = new URLSearchParams({ session_id, access_token: token, cursor: String(cursor) })
      const socket = new WebSocket(`${at.replace('http', 'ws')}/ws?${query}`)
      const events: Frame[] = []
      socket.on('error', () => {})
      socket.on('message', (data) => {
        const frame = JSON.parse(String(data)) as Frame
        events.push(...(frame.payload.events ?? [frame]))
      })
      await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
      return {
        socket,
        events,
        send: (type: string, payload = {}) => socket.send(JSON.stringify({ type, payload })),
        until: (what: string, test: () => boolean) =>
          until(
            () => `no ${what} came over the socket; it had ${events.map(({ type }) => type).join(' ')}`,
            test,
          ),
      }
    },
  }
}
