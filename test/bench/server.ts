// A server in a process of its own, for the bench: `server.js <kind> [<database url>]`, where kind is `bare` (an echo of
// `ws`, nothing else), `pglite` or `postgres`. Told what to do by messages of its parent.

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocketServer } from 'ws'
import { type Agent, createRuntime } from '../../src/runtime/index.ts'

export type Order = { begin: number; streaming: boolean } | 'usage' | 'stop'
export type Usage = { cpuMs: number; rss: number; heap: number }

const [kind = 'bare', url = ''] = process.argv.slice(2)
const WORDS = 200
/** Sessions that one access token may begin in a minute. */
const SESSIONS_A_TOKEN = 50

const agent: Agent = {
  name: 'Bench',
  async *act(turn) {
    if (turn.cause === 'join') return
    if (turn.text !== 'stream') return yield { type: 'text', text: 'Understood.' }
    for (let word = 0; word < WORDS; word++) {
      yield { type: 'text', text: `word${word} ` }
      await turn.sleep(10)
    }
  },
}

const server = createServer()
let stop = async () => {}
let begin = async (count: number, _: boolean): Promise<string[]> => Array<string>(count).fill('')
if (kind === 'bare') {
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(String(data))))
} else {
  const folder = mkdtempSync(join(tmpdir(), 'foyer-bench-'))
  const runtime = await createRuntime({
    data: kind === 'pglite' ? { folder } : { databaseUrl: url },
    agent,
    connectors: [
      {
        id: 'CON-bench001',
        token: 'bench-connector-token',
        host: 'localhost',
        accountId: 'ws-bench001',
        projectId: 'PROJECT-main0001',
        environment: 'live',
      },
    ],
    settings: { tokensPerMinute: 1_000_000 },
  })
  server.on('upgrade', runtime.upgrade)
  const post = async (path: string, headers: Record<string, string>, body: object) => {
    const all = { 'content-type': 'application/json', ...headers }
    const request = new Request(`http://localhost${path}`, {
      method: 'POST',
      headers: all,
      body: JSON.stringify(body),
    })
    const response = await runtime.fetch(request, { address: 'bench' })
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}`)
    return (await response.json()) as Record<string, string>
  }
  begin = async (count, streaming) => {
    const queries: string[] = []
    let token = ''
    for (let made = 0; made < count; made++) {
      if (made % SESSIONS_A_TOKEN === 0) {
        const headers = { 'x-token': 'bench-connector-token', 'x-host': 'localhost' }
        token = (await post('/api/v1/access-token', headers, {})).access_token ?? ''
      }
      const headers = { authorization: `Bearer ${token}` }
      const { session_id = '' } = await post('/api/v1/sessions', headers, { streaming_enabled: streaming })
      queries.push(`?${new URLSearchParams({ session_id, access_token: token })}`)
    }
    return queries
  }
  stop = async () => {
    await runtime.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function usage(): Promise<Usage> {
  // What was freed is no longer counted; twice, since the first frees what the second can.
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.()
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  return { cpuMs: (user + system) / 1000, rss, heap: heapUsed }
}

process.on('message', async (order: Order) => {
  if (order === 'usage') return process.send?.(await usage())
  if (order === 'stop') {
    await stop()
    process.exit(0)
  }
  process.send?.(await begin(order.begin, order.streaming))
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
