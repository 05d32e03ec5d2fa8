// The service as the client meets it: a real server on this machine that answers from a script, and a clock that
// is turned by hand.

import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../../src/api/index.ts'

export type Recorded = {
  method: string
  path: string
  query: URLSearchParams
  /** The address as it was written. */
  url: string
  headers: IncomingHttpHeaders
  body: string
  /** Resolves when the client has hung up before the answer. */
  gone: Promise<void>
}

/** `cut`: the connection ends without an answer; `cut in the body`: within it; `silence`: it stays open. */
export type Answer =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | 'cut'
  | 'cut in the body'
  | 'silence'

export type Service = {
  url: string
  requests: Recorded[]
  /** The next answers, in this order. A request that finds none is answered with 418. */
  script(...answers: Answer[]): void
  /** Resolves when so many requests have come. */
  arrived(count: number): Promise<void>
  close(): Promise<void>
}

export async function startService(): Promise<Service> {
  const requests: Recorded[] = []
  const answers: Answer[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const url = new URL(request.url ?? '', 'http://service')
      requests.push({
        method: request.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(parts).toString(),
        gone: new Promise((resolve) => response.on('close', () => !response.writableEnded && resolve())),
      })
      const answer = answers.shift() ?? { status: 418 }
      if (answer === 'cut') response.destroy()
      else if (answer === 'cut in the body') {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
        response.write('{"conv', () => response.destroy())
      } else if (answer !== 'silence') {
        const isRaw = typeof answer.body === 'string' || answer.body instanceof Uint8Array
        response.writeHead(answer.status, {
          ...(answer.body !== undefined && !isRaw && { 'content-type': 'application/json' }),
          ...answer.headers,
        })
        response.end(
          answer.body === undefined || isRaw ? (answer.body as string) : JSON.stringify(answer.body),
        )
      }
      for (const one of waiting) if (one.count <= requests.length) one.resolve()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    script: (...more) => void answers.push(...more),
    arrived: (count) =>
      requests.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => void waiting.push({ count, resolve })),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export type HandClock = Clock & {
  /** Milliseconds of what is waited for now. */
  pending(): number[]
  /** Resolves when somebody waits for exactly `ms`. */
  waited(ms: number): Promise<void>
  /** The same, and then turns the clock to it. */
  pass(ms: number): Promise<void>
  /** Resolves when nobody waits for anything: every request has its answer. */
  idle(): Promise<void>
}

export function createHandClock(start = Date.parse('2026-11-20T10:00:00Z')): HandClock {
  let now = start
  const timers = new Set<{ ms: number; at: number; fn: () => void }>()
  const watchers = new Set<{ met: () => boolean; resolve: () => void }>()
  const changed = () => {
    for (const watcher of watchers)
      if (watcher.met()) {
        watchers.delete(watcher)
        watcher.resolve()
      }
  }
  const until = (met: () => boolean) =>
    new Promise<void>((resolve) => {
      watchers.add({ met, resolve })
      changed()
    })
  const find = (ms: number) => [...timers].find((timer) => timer.ms === ms)
  const waited = (ms: number) => until(() => find(ms) !== undefined)
  return {
    now: () => now,
    after(ms, fn) {
      const timer = { ms, at: now + ms, fn }
      timers.add(timer)
      changed()
      return () => {
        timers.delete(timer)
        changed()
      }
    },
    pending: () => [...timers].map(({ ms }) => ms),
    waited,
    async pass(ms) {
      await waited(ms)
      now = find(ms)?.at ?? now
      for (const timer of [...timers])
        if (timer.at <= now) {
          timers.delete(timer)
          timer.fn()
        }
      changed()
    },
    idle: () => until(() => timers.size === 0),
  }
}
