// Thousands of sockets over three processes, one of which is killed: how fast all are back at the others, by the engine's own waits.

import { execFileSync } from 'node:child_process'
import { freemem } from 'node:os'
import { WebSocket } from 'ws'
import { type BenchServer, openServer, percentile } from '../exchange.ts'
import { createPolicy } from './policy.ts'

const PROCESSES = 3
const SAMPLE = 500
const HANDSHAKE_MS = 10_000
/** Files that a process opens beside its sockets. */
const OTHER_FILES = 300
const PATIENCE_MS = 300_000

export type Crowd = {
  sockets: number
  /** Bytes of a socket: of the processes, and of the clients here. */
  bytes: number
  clientBytes: number
  /** How many lost their socket, seconds until half and until all were back, and how many attempts that took. */
  lost: number
  halfAfter: number
  allAfter: number
  attempts: number
  /** The most handshakes that the other processes finished in one second. */
  highestRate: number
}

/** A text says why it cannot be measured. */
export async function measureCrowd(url: string, wanted: number): Promise<Crowd | string> {
  const files = Number(execFileSync('sh', ['-c', 'ulimit -Hn']).toString()) || Number.POSITIVE_INFINITY
  if (files < wanted + OTHER_FILES) return `a process may open ${files} files`
  const servers: BenchServer[] = []
  while (servers.length < PROCESSES) servers.push(await openServer('postgres', url))
  const clients: Client[] = []
  const opened: number[] = []
  let attempts = 0
  let next = 0
  let dead: BenchServer | undefined
  /** As a balancer that knows who is there. */
  const pick = () => {
    const alive = servers.filter((server) => server !== dead)
    return alive[next++ % alive.length]?.port ?? 0
  }
  const join = async (queries: readonly string[]) => {
    // Not all at once: a queue of connections is no part of what is measured here.
    for (let at = 0; at < queries.length; at += 50)
      await Promise.all(
        queries.slice(at, at + 50).map((query) => {
          const client = createClient(query, pick, {
            attempt: () => void attempts++,
            live: () => void opened.push(performance.now()),
          })
          clients.push(client)
          return client.first
        }),
      )
  }
  const memory = async () => {
    const each = await Promise.all(servers.map((server) => server.memory()))
    return each.reduce((sum, { rss }) => sum + rss, 0)
  }
  try {
    // The memory of some tells whether there is enough for all.
    await join((await servers[0]?.begin(SAMPLE)) ?? [])
    const queries = (await servers[0]?.begin(SAMPLE)) ?? []
    const [before, own] = [await memory(), process.memoryUsage().rss]
    await join(queries)
    const bytes = ((await memory()) - before) / SAMPLE
    const clientBytes = (process.memoryUsage().rss - own) / SAMPLE
    const needed = (bytes + clientBytes) * wanted
    if (needed > freemem() / 2)
      return `${wanted} sockets need ${Math.round(needed / 1e6)} MB, half of what is free`
    while (clients.length < wanted)
      await join((await servers[0]?.begin(Math.min(1_000, wanted - clients.length))) ?? [])

    dead = servers[0]
    opened.length = 0
    attempts = 0
    const begun = performance.now()
    dead?.kill()
    const lost = Math.ceil(wanted / PROCESSES)
    // The first notices are on their way.
    await new Promise((resolve) => setTimeout(resolve, 500))
    while (!clients.every((client) => client.isLive())) {
      if (performance.now() - begun > PATIENCE_MS)
        return `${clients.filter((client) => !client.isLive()).length} of ${wanted} were not back after ${PATIENCE_MS / 1_000} s`
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    const times = opened.map((at) => at - begun)
    return {
      ...{ sockets: wanted, bytes, clientBytes, lost, attempts },
      halfAfter: percentile(times, 0.5) / 1_000,
      allAfter: Math.max(...times) / 1_000,
      highestRate: highestOf(times),
    }
  } finally {
    for (const client of clients) client.close()
    await Promise.all(servers.filter((server) => server !== dead).map((server) => server.stop()))
  }
}

/** The most of them within one second. */
function highestOf(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b)
  let first = 0
  return sorted.reduce((highest, time, last) => {
    while ((sorted[first] ?? 0) < time - 1_000) first++
    return Math.max(highest, last - first + 1)
  }, 0)
}

type Client = { first: Promise<void>; isLive(): boolean; close(): void }

function createClient(query: string, pick: () => number, tell: { attempt(): void; live(): void }): Client {
  const policy = createPolicy()
  let socket: WebSocket
  let isLive = false
  let closed = false
  let done = () => {}
  const first = new Promise<void>((resolve) => {
    done = resolve
  })
  function connect(): void {
    tell.attempt()
    socket = new WebSocket(`ws://127.0.0.1:${pick()}/ws${query}`, {
      perMessageDeflate: false,
      handshakeTimeout: HANDSHAKE_MS,
    })
    socket.on('error', () => {})
    socket.once('message', () => {
      isLive = true
      policy.live(performance.now())
      tell.live()
      done()
    })
    socket.on('close', (code) => {
      isLive = false
      if (closed) return
      const now = performance.now()
      setTimeout(() => {
        if (closed) return
        policy.attempt(performance.now())
        connect()
      }, policy.lost(now, code) - now)
    })
  }
  connect()
  return {
    first,
    isLive: () => isLive,
    close() {
      closed = true
      socket.terminate()
    },
  }
}
