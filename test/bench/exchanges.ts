// The part of the bench that goes over sockets, each figure beside the same thing done bare in the same run.

import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Database } from '../../src/runtime/database/index.ts'
import { type DatabaseCpu, databaseCpuOf } from './database-cpu.ts'
import {
  type Kind,
  type Latency,
  measureEcho,
  measureIdle,
  measureInsert,
  measureStreams,
  openServer,
  SOCKETS_OF_A_BENCH,
} from './exchange.ts'
import type { FirstStart } from './memory.ts'
import { type Keep, type Row, rounded } from './table.ts'

export type ExchangesOptions = {
  quick: boolean
  /** `open` makes a new database for what is sent bare; `url` is that of the server's own. */
  stores: readonly { kind: Exclude<Kind, 'bare'>; url: string; open(): Promise<Database> }[]
  log(line: string): void
  keep: Keep
}

const NAMES = { pglite: 'PGlite', postgres: 'PostgreSQL' }
const RATES = [100, 200, 300, 500]
/** Messages a second and seconds, until the hot paths of the runtime and of PGlite are compiled. */
const WARM_UP = [200, 8] as const
const INSERT_SECONDS = 3
const MIB = 1024 * 1024
const GOAL = { seconds: 1.5, peak: 450, idle: 300, sockets: 2 }
/** The highest p99 in milliseconds at a rate. */
const GOAL_P99 = { pglite: { rate: 200, p99: 50 }, postgres: { rate: 500, p99: 25 } }
/** Files that a process with idle sockets opens beside them. */
const OTHER_FILES = 300
const MEMORY = fileURLToPath(new URL('./memory.js', import.meta.url))

/** Returns what misses its goal, in words. */
export async function benchExchanges({ quick, stores, log, keep }: ExchangesOptions): Promise<string[]> {
  const problems: string[] = []
  /** Of single figures, beside what is bare and the goal. */
  const single: Row[] = []
  const one = (name: string, ours: number, bare: number | null = null, goal: number | null = null) =>
    single.push({ name, cells: [rounded(ours), bare === null ? null : rounded(bare), goal] })
  const seconds = quick ? 3 : 5

  log('\n  | First start in a new folder | Seconds | Peak MiB | Idle MiB |\n  | :-- | --: | --: | --: |')
  const { seconds: took, peak = 0, idle } = await firstStart()
  const [most, rest] = [peak / MIB, idle / MIB]
  log(`  | Foyer | ${took.toFixed(2)} | ${most.toFixed(0)} | ${rest.toFixed(0)} |`)
  one('first start in a new folder, s', took, null, GOAL.seconds)
  one('peak memory of the first start, MiB', most, null, GOAL.peak)
  one('idle memory after the first start, MiB', rest, null, GOAL.idle)
  if (took > GOAL.seconds || most > GOAL.peak || rest > GOAL.idle)
    problems.push(
      `the first start takes ${took.toFixed(2)} s, ${most.toFixed(0)} MiB at its peak and ${rest.toFixed(0)} MiB idle; the goal is ${GOAL.seconds} s, ${GOAL.peak} and ${GOAL.idle} MiB`,
    )

  log('\n  | Idle sockets | kB each, process | kB each, heap |\n  | :-- | --: | --: |')
  // PGlite's own memory grows in the same process, by what is written.
  const own = stores.find(({ kind }) => kind === 'postgres') ?? stores[0]
  const files = Number(execFileSync('sh', ['-c', 'ulimit -Hn']).toString()) || Number.POSITIVE_INFINITY
  for (const count of quick ? [2_000] : [2_000, 10_000]) {
    if (files < count + OTHER_FILES) {
      log(`  | ${count.toLocaleString('en')}: not run, a process may open ${files} files | | |`)
      continue
    }
    const bare = await measureIdle('bare', '', count)
    const ours = await measureIdle(own?.kind ?? 'pglite', own?.url ?? '', count)
    for (const [name, { rss, heap }] of [['bare ws', bare] as const, [`Foyer, ${own?.kind}`, ours] as const])
      log(
        `  | ${count.toLocaleString('en')} × ${name} | ${(rss / 1000).toFixed(1)} | ${(heap / 1000).toFixed(1)} |`,
      )
    const [name, twice] = [`an idle socket of ${count.toLocaleString('en')}, kB`, bare.rss * GOAL.sockets]
    one(`${name} of the process`, ours.rss / 1000, bare.rss / 1000, rounded(twice / 1000))
    one(`${name} of the heap`, ours.heap / 1000, bare.heap / 1000)
    if (ours.rss > bare.rss * GOAL.sockets)
      problems.push(`an idle socket holds ${(ours.rss / bare.rss).toFixed(1)} times what a bare one does`)
  }

  log(
    '\n  | Messages a second | p50 ms | p99 ms | CPU ms each | and of PostgreSQL |\n  | :-- | --: | --: | --: | --: |',
  )
  const show = (name: string, { p50, p99, cpuMs, databaseCpuMs }: Latency) =>
    log(
      `  | ${name} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${cpuMs.toFixed(2)} | ${databaseCpuMs?.toFixed(2) ?? ''} |`,
    )
  const echoes = [...echoRows('bare `ws` echo', await benchEchoes('bare', '', seconds, show))]
  for (const { kind, url, open } of stores) {
    const bare = await open()
    const databaseCpu = kind === 'postgres' ? await databaseCpuOf(bare) : undefined
    try {
      const stored = await benchEchoes(kind, url, seconds, show, databaseCpu)
      echoes.push(...echoRows(`stored echo, ${NAMES[kind]}`, stored))
      const goal = GOAL_P99[kind]
      const slowest = stored.get(goal.rate)?.p99 ?? 0
      one(`p99 of a stored echo at ${goal.rate}/s on ${NAMES[kind]}, ms`, slowest, null, goal.p99)
      if (slowest > goal.p99)
        problems.push(
          `${kind}: a stored echo at ${goal.rate}/s has p99 ${slowest.toFixed(0)} ms, the goal is ${goal.p99}`,
        )
      const inserts = new Map<number, Latency>()
      for (const rate of RATES) {
        const insert = await measureInsert(bare, rate, INSERT_SECONDS, databaseCpu)
        inserts.set(rate, insert)
        show(`${rate}, bare INSERT of a row, ${kind}`, insert)
      }
      echoes.push(...echoRows(`bare \`INSERT\`, ${NAMES[kind]}`, inserts))
    } finally {
      await bare.close()
    }
    const server = await openServer(kind, url)
    try {
      const { seconds: took, cpuMs } = await measureStreams(server, 100)
      one(`100 streams of 200 chunks at once on ${NAMES[kind]}, s`, took)
      log(
        `  | 100 streams of 200 chunks at once, ${kind}: ${took.toFixed(1)} s | | | ${cpuMs.toFixed(2)} a chunk | |`,
      )
    } finally {
      await server.stop()
    }
  }
  keep('exchanges', { columns: ['Foyer', 'bare `ws`', 'goal'], rows: single })
  keep('echoes', { columns: RATES.map((rate) => `${rate}/s`), rows: echoes })
  return problems
}

/** A row for each kind of figure, with a cell for each rate. */
function echoRows(name: string, latencies: ReadonlyMap<number, Latency>): Row[] {
  const row = (what: string, read: (latency: Latency) => number | undefined): Row => ({
    name: `${name}: ${what}`,
    cells: RATES.map((rate) => {
      const latency = latencies.get(rate)
      const value = latency && read(latency)
      return value === undefined ? null : rounded(value)
    }),
  })
  return [
    row('median, ms', ({ p50 }) => p50),
    row('p99, ms', ({ p99 }) => p99),
    row('processor, ms each', ({ cpuMs }) => cpuMs),
    row('of PostgreSQL, ms each', ({ databaseCpuMs }) => databaseCpuMs),
  ].filter(({ cells }) => cells.some((cell) => cell !== null))
}

/** Echoes at every rate, each shown; the figures by rate. */
async function benchEchoes(
  kind: Kind,
  url: string,
  seconds: number,
  show: (name: string, latency: Latency) => void,
  databaseCpu?: DatabaseCpu,
): Promise<Map<number, Latency>> {
  const figures = new Map<number, Latency>()
  const server = await openServer(kind, url)
  try {
    const sockets = await server.connect(await server.begin(SOCKETS_OF_A_BENCH))
    await measureEcho(server, sockets, ...WARM_UP)
    for (const rate of RATES) {
      const figure = await measureEcho(server, sockets, rate, seconds, databaseCpu)
      figures.set(rate, figure)
      show(`${rate}, ${kind === 'bare' ? 'bare ws echo' : `stored echo, ${kind}`}`, figure)
    }
    for (const socket of sockets) socket.terminate()
  } finally {
    await server.stop()
  }
  return figures
}

async function firstStart(): Promise<FirstStart> {
  const folder = mkdtempSync(join(tmpdir(), 'foyer-bench-'))
  try {
    const child = fork(MEMORY, [join(folder, 'data')])
    const exit = once(child, 'exit')
    const [took] = (await once(child, 'message')) as [FirstStart]
    await exit
    return took
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
