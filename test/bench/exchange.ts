// Exchanges over sockets: how long an echo takes and costs, what idle sockets hold, how long streams take.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import type { Database } from '../../src/runtime/database/index.ts'
import type { DatabaseCpu } from './database-cpu.ts'
import type { Memory, Order } from './server.ts'

const SERVER = fileURLToPath(new URL('./server.js', import.meta.url))
const SOCKETS = 100

export type Kind = 'bare' | 'pglite' | 'postgres'
/** Times in milliseconds. `cpuMs`: of the server's process for one; `databaseCpuMs`: of PostgreSQL's processes. */
export type Latency = { p50: number; p99: number; cpuMs: number; databaseCpuMs: number | undefined }

/** The value below which a share of all lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** `program`: the file of the server, which may be of another commit. */
export async function openServer(kind: Kind, url = '', program = SERVER) {
  const child: ChildProcess = fork(program, [kind, url], { execArgv: ['--expose-gc'] })
  const [port] = (await once(child, 'message')) as [number]
  async function ask<T>(order: Order): Promise<T> {
    child.send(order)
    return (await once(child, 'message'))[0] as T
  }
  /** Sessions, as what a socket of each asks with. */
  const begin = (count: number, streaming = false) => ask<string[]>({ begin: count, streaming })
  async function connect(queries: readonly string[]): Promise<WebSocket[]> {
    const sockets: WebSocket[] = []
    // Not all at once: a queue of connections is no part of what is measured.
    for (let at = 0; at < queries.length; at += 50)
      sockets.push(
        ...(await Promise.all(
          queries.slice(at, at + 50).map(async (query) => {
            const socket = new WebSocket(`ws://127.0.0.1:${port}/ws${query}`, { perMessageDeflate: false })
            await once(socket, query === '' ? 'open' : 'message')
            return socket
          }),
        )),
      )
    return sockets
  }
  return {
    port,
    begin,
    connect,
    cpuMs: () => ask<number>('cpu'),
    memory: () => ask<Memory>('memory'),
    async stop() {
      const gone = once(child, 'exit')
      child.send('stop')
      await gone
    },
    kill: () => void child.kill('SIGKILL'),
  }
}
export type BenchServer = Awaited<ReturnType<typeof openServer>>

/** Sends at fixed times, whatever the answers do; the time of each is from when it was due. */
export async function atRate(
  rate: number,
  seconds: number,
  send: (index: number) => Promise<unknown>,
): Promise<number[]> {
  const begun = performance.now()
  const times: Promise<number>[] = []
  for (let index = 0; index < rate * seconds; index++) {
    const due = begun + (index * 1000) / rate
    const early = due - performance.now()
    if (early > 1) await new Promise((resolve) => setTimeout(resolve, early))
    times.push(send(index).then(() => performance.now() - due))
  }
  return Promise.all(times)
}

/** Sends a message and waits for its echo, told by its id, on the socket itself or on the other one of its session that hears it. */
export function exchanges(sockets: readonly WebSocket[], hearing = sockets) {
  const waiting = new Map<string, () => void>()
  for (const socket of hearing)
    socket.on('message', (data) => {
      const id = /"local_id":"([^"]+)"/.exec(String(data))?.[1]
      if (id === undefined) return
      waiting.get(id)?.()
      waiting.delete(id)
    })
  let count = 0
  return (index: number): Promise<void> => {
    const id = `m${++count}`
    const done = new Promise<void>((resolve) => waiting.set(id, resolve))
    const frame = {
      type: 'EVENT_TYPE_USER_MESSAGE',
      payload: { text: 'How late are you open?' },
      metadata: { custom: { local_id: id } },
    }
    sockets[index % sockets.length]?.send(JSON.stringify(frame))
    return done
  }
}

/** Echoes at a rate. */
export async function measureEcho(
  server: BenchServer,
  sockets: readonly WebSocket[],
  rate: number,
  seconds: number,
  databaseCpu?: DatabaseCpu,
): Promise<Latency> {
  const figure = await latencyOf(() => atRate(rate, seconds, exchanges(sockets)), server.cpuMs, databaseCpu)
  // The next measurement listens anew.
  for (const socket of sockets) socket.removeAllListeners('message')
  return figure
}

async function latencyOf(
  run: () => Promise<number[]>,
  cpuMs: () => number | Promise<number>,
  databaseCpu: DatabaseCpu = () => undefined,
): Promise<Latency> {
  const [cpuBefore, databaseBefore] = [await cpuMs(), databaseCpu()]
  const times = await run()
  const [cpuAfter, databaseAfter] = [await cpuMs(), databaseCpu()]
  return {
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    cpuMs: (cpuAfter - cpuBefore) / times.length,
    databaseCpuMs:
      databaseBefore === undefined || databaseAfter === undefined
        ? undefined
        : (databaseAfter - databaseBefore) / times.length,
  }
}

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** One row at a rate, by nothing but the driver. */
export async function measureInsert(
  database: Database,
  rate: number,
  seconds: number,
  databaseCpu?: DatabaseCpu,
): Promise<Latency> {
  await database.query(
    'CREATE TABLE IF NOT EXISTS bench_row (id integer GENERATED ALWAYS AS IDENTITY, text text)',
  )
  const insert = () =>
    database.query('INSERT INTO bench_row (text) VALUES ($1)', ['How late are you open?'], { prepared: true })
  return latencyOf(() => atRate(rate, seconds, insert), ownCpuMs, databaseCpu)
}

/** Bytes of the server's process for each idle socket. */
export async function measureIdle(
  kind: Kind,
  url: string,
  count: number,
): Promise<{ rss: number; heap: number }> {
  const server = await openServer(kind, url)
  try {
    // What the first ones make is made once.
    await server.connect(await server.begin(SOCKETS))
    const queries = await server.begin(count)
    const before = await server.memory()
    const sockets = await server.connect(queries)
    const after = await server.memory()
    for (const socket of sockets) socket.terminate()
    return { rss: (after.rss - before.rss) / count, heap: (after.heap - before.heap) / count }
  } finally {
    await server.stop()
  }
}

/** One answer of 200 chunks in each of so many sessions at once: seconds until the last is whole. */
export async function measureStreams(server: BenchServer, count: number) {
  const sockets = await server.connect(await server.begin(count, true))
  const before = await server.cpuMs()
  const begun = performance.now()
  await Promise.all(
    sockets.map(async (socket) => {
      const whole = new Promise<void>((resolve) =>
        socket.on('message', (data) => String(data).includes('"is_complete":true') && resolve()),
      )
      socket.send(JSON.stringify({ type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: 'stream' } }))
      await whole
    }),
  )
  const seconds = (performance.now() - begun) / 1000
  const after = await server.cpuMs()
  for (const socket of sockets) socket.terminate()
  return { seconds, cpuMs: (after - before) / (count * 200) }
}

export const SOCKETS_OF_A_BENCH = SOCKETS
