// A server in a process of its own, for the bench: `server.js <kind> [<database url>]`, where kind is `bare` (an echo of
// `ws`, nothing else), `pglite` or `postgres`. Told what to do by messages of its parent.

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocketServer } from 'ws'
import { createRuntime } from '../../src/runtime/index.ts'
import { agent, beginSessions, connector } from './service.ts'

export type Order = { begin: number; streaming: boolean } | 'cpu' | 'memory' | 'stop'
export type Memory = { rss: number; heap: number }

const [kind = 'bare', url = ''] = process.argv.slice(2)
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
    connectors: [connector],
    settings: { tokensPerMinute: 1_000_000 },
  })
  server.on('upgrade', runtime.upgrade)
  begin = (count, streaming) => beginSessions(runtime, count, streaming)
  stop = async () => {
    await runtime.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Milliseconds of the processor, PGlite's thread included. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

async function memory(): Promise<Memory> {
  // What was freed is no longer counted; twice, since the first frees what the second can.
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.()
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const { rss, heapUsed } = process.memoryUsage()
  return { rss, heap: heapUsed }
}

process.on('message', async (order: Order) => {
  if (order === 'cpu') return process.send?.(cpuMs())
  if (order === 'memory') return process.send?.(await memory())
  if (order === 'stop') {
    await stop()
    process.exit(0)
  }
  process.send?.(await begin(order.begin, order.streaming))
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
