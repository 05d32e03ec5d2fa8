// Messages between several processes on one database: the highest rate that crosses in 50 ms, the processor time of a message, and
// the bytes of an idle socket.

import type { WebSocket } from 'ws'
import type { DatabaseCpu } from '../database-cpu.ts'
import { atRate, type BenchServer, exchanges, openServer, percentile } from '../exchange.ts'

const RATES = [50, 100, 150, 200, 300, 400, 500, 600, 800, 1_000, 1_250, 1_500, 2_000]
const GOAL_MS = 50
const SESSIONS = 200
/** Messages a second and seconds, until the hot paths are compiled. */
const WARM_UP = [150, 8] as const

export type Rates = {
  processes: number
  /** The highest rate within 50 ms; 0: none. */
  highest: number
  p50: number
  p99: number
  /** Milliseconds of the processor for a message, at that rate: of all processes, and of PostgreSQL. */
  cpuMs: number
  databaseCpuMs: number | undefined
  /** Of all processes together, for each idle socket. */
  socketBytes: number
}

export async function measureRates(
  url: string,
  processes: number,
  { seconds, sockets: idle, databaseCpu }: { seconds: number; sockets: number; databaseCpu: DatabaseCpu },
): Promise<Rates> {
  const servers: BenchServer[] = []
  while (servers.length < processes) servers.push(await openServer('postgres', url))
  try {
    const socketBytes = await measureSockets(servers, idle)
    const queries = (await servers[0]?.begin(SESSIONS)) ?? []
    const speaking = await spread(servers, queries, 0)
    // Of each session, at the next process.
    const hearing = await spread(servers, queries, 1)
    const send = exchanges(speaking, hearing)
    await atRate(WARM_UP[0], WARM_UP[1], send)
    let best: Rates = { ...NONE, processes, socketBytes }
    for (const rate of RATES) {
      // A hiccup of the machine is not the end.
      const figures =
        (await within(servers, rate, seconds, send, databaseCpu)) ??
        (await within(servers, rate, seconds, send, databaseCpu))
      if (!figures) break
      best = { ...best, ...figures, highest: rate }
    }
    for (const socket of [...speaking, ...hearing]) socket.terminate()
    return best
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

const NONE = { highest: 0, p50: 0, p99: 0, cpuMs: 0, databaseCpuMs: undefined }

/** Undefined where the rate is too high. */
async function within(
  servers: readonly BenchServer[],
  rate: number,
  seconds: number,
  send: (index: number) => Promise<unknown>,
  databaseCpu: DatabaseCpu,
) {
  const [cpuBefore, databaseBefore] = [await cpuOf(servers), databaseCpu()]
  const times = await atRate(rate, seconds, send)
  const [cpuAfter, databaseAfter] = [await cpuOf(servers), databaseCpu()]
  const p99 = percentile(times, 0.99)
  if (p99 > GOAL_MS) return undefined
  return {
    p50: percentile(times, 0.5),
    p99,
    cpuMs: (cpuAfter - cpuBefore) / times.length,
    databaseCpuMs:
      databaseBefore === undefined || databaseAfter === undefined
        ? undefined
        : (databaseAfter - databaseBefore) / times.length,
  }
}

async function cpuOf(servers: readonly BenchServer[]): Promise<number> {
  const each = await Promise.all(servers.map((server) => server.cpuMs()))
  return each.reduce((sum, ms) => sum + ms, 0)
}

/** A socket for each query, at the servers in turn. */
export async function spread(
  servers: readonly BenchServer[],
  queries: readonly string[],
  first: number,
): Promise<WebSocket[]> {
  const sockets: WebSocket[] = []
  await Promise.all(
    servers.map(async (server, index) => {
      const own = queries.flatMap((query, at) =>
        (at + first) % servers.length === index ? [[at, query] as const] : [],
      )
      const connected = await server.connect(own.map(([, query]) => query))
      for (const [place, [at]] of own.entries()) {
        const socket = connected[place]
        if (socket) sockets[at] = socket
      }
    }),
  )
  return sockets
}

async function measureSockets(servers: readonly BenchServer[], count: number): Promise<number> {
  const [first] = servers
  if (!first) return 0
  const memory = async () => {
    const each = await Promise.all(servers.map((server) => server.memory()))
    return each.reduce((sum, { rss }) => sum + rss, 0)
  }
  // What the first ones make is made once.
  const warm = await spread(servers, await first.begin(SESSIONS), 0)
  const queries = await first.begin(count)
  const before = await memory()
  const sockets = await spread(servers, queries, 0)
  const after = await memory()
  for (const socket of [...warm, ...sockets]) socket.terminate()
  return (after - before) / count
}
