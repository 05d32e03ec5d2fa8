// The part of the bench that goes over sockets, each figure beside the same thing done bare in the same run.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Database } from '../../src/runtime/database/index.ts'
import {
  type Kind,
  type Latency,
  measureEcho,
  measureFlood,
  measureIdle,
  measureInsert,
  measureStreams,
  openServer,
  SOCKETS_OF_A_BENCH,
} from './exchange.ts'
import type { FirstStart } from './memory.ts'

export type ExchangesOptions = {
  quick: boolean
  /** Opens each store for the bare INSERT; a url for the server's own. */
  stores: readonly { kind: Exclude<Kind, 'bare'>; url: string; open(): Promise<Database> }[]
  log(line: string): void
}

const RATES = [100, 200, 300, 500]
const MIB = 1024 * 1024
const GOAL = { seconds: 1.5, peak: 450, idle: 300, sockets: 2 }
const MEMORY = fileURLToPath(new URL('./memory.js', import.meta.url))

/** Returns what misses its goal, in words. */
export async function benchExchanges({ quick, stores, log }: ExchangesOptions): Promise<string[]> {
  const problems: string[] = []
  const seconds = quick ? 3 : 10

  log('\n  | First start in a new folder | Seconds | Peak MiB | Idle MiB |\n  | :-- | --: | --: | --: |')
  for (const kind of ['pglite', 'runtime']) {
    const { seconds: took, peak = 0, idle } = await firstStart(kind)
    const [most, rest] = [peak / MIB, idle / MIB]
    log(
      `  | ${kind === 'pglite' ? 'bare PGlite' : 'Foyer'} | ${took.toFixed(2)} | ${most.toFixed(0)} | ${rest.toFixed(0)} |`,
    )
    if (kind === 'runtime' && (took > GOAL.seconds || most > GOAL.peak || rest > GOAL.idle))
      problems.push(
        `the first start takes ${took.toFixed(2)} s, ${most.toFixed(0)} MiB at its peak and ${rest.toFixed(0)} MiB idle; the goal is ${GOAL.seconds} s, ${GOAL.peak} and ${GOAL.idle} MiB`,
      )
  }

  log('\n  | Idle sockets | kB each, process | kB each, heap |\n  | :-- | --: | --: |')
  // PGlite's own memory grows in the same process, by what is written.
  const own = stores.find(({ kind }) => kind === 'postgres') ?? stores[0]
  for (const count of quick ? [2_000] : [2_000, 10_000]) {
    const bare = await measureIdle('bare', '', count)
    const ours = await measureIdle(own?.kind ?? 'pglite', own?.url ?? '', count)
    for (const [name, { rss, heap }] of [['bare ws', bare] as const, [`Foyer, ${own?.kind}`, ours] as const])
      log(
        `  | ${count.toLocaleString('en')} × ${name} | ${(rss / 1000).toFixed(1)} | ${(heap / 1000).toFixed(1)} |`,
      )
    if (ours.rss > bare.rss * GOAL.sockets)
      problems.push(`an idle socket holds ${(ours.rss / bare.rss).toFixed(1)} times what a bare one does`)
  }

  log('\n  | Messages a second | p50 ms | p99 ms | CPU ms each |\n  | :-- | --: | --: | --: |')
  const show = (name: string, { p50, p99, cpuMs }: Latency) =>
    log(`  | ${name} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${cpuMs.toFixed(2)} |`)
  for (const { kind, url, open } of [{ kind: 'bare' as const, url: '', open: undefined }, ...stores]) {
    const server = await openServer(kind, url)
    try {
      const sockets = await server.connect(await server.begin(SOCKETS_OF_A_BENCH))
      await measureEcho(server, sockets, 50, 1)
      for (const rate of RATES)
        show(
          `${rate}, ${kind === 'bare' ? 'bare ws echo' : `stored echo, ${kind}`}`,
          await measureEcho(server, sockets, rate, seconds),
        )
      for (const socket of sockets) socket.terminate()
      if (kind !== 'bare') {
        const { seconds: took, cpuMs } = await measureStreams(server, 100)
        log(
          `  | 100 streams of 200 chunks at once, ${kind}: ${took.toFixed(1)} s | | | ${cpuMs.toFixed(2)} |`,
        )
        const { alone, beside } = await measureFlood(server)
        show(`an echo alone, ${kind}`, alone)
        show(`an echo beside 100,000 frames of another client, ${kind}`, beside)
      }
    } finally {
      await server.stop()
    }
    const database = await open?.()
    if (!database) continue
    try {
      for (const rate of RATES)
        show(`${rate}, bare INSERT of a row, ${kind}`, await measureInsert(database, rate, seconds))
    } finally {
      await database.close()
    }
  }
  return problems
}

async function firstStart(kind: string): Promise<FirstStart> {
  const folder = mkdtempSync(join(tmpdir(), 'foyer-bench-'))
  try {
    const child = fork(MEMORY, [kind, join(folder, 'data')])
    const exit = once(child, 'exit')
    const [took] = (await once(child, 'message')) as [FirstStart]
    await exit
    return took
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
