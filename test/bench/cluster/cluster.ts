// The part of the bench that measures several processes on one PostgreSQL, and one beside what it was before it could have company.

import { randomUUID } from 'node:crypto'
import { cpus } from 'node:os'
import { openPostgres } from '../../../src/runtime/index.ts'
import { administer } from '../../contract/store.ts'
import { databaseCpuOf } from '../database-cpu.ts'
import { type Keep, type Row, rounded } from '../table.ts'
import { measureBeside } from './beside.ts'
import { measureCrowd } from './crowd.ts'
import { measureRates } from './rates.ts'
import { simulateReconnects } from './reconnects.ts'

const PARTS = ['reconnects', 'alone', 'rates', 'crowd'] as const

export type ClusterOptions = {
  quick: boolean
  /** Undefined: all. */
  parts: readonly string[] | undefined
  postgres: { url: string; version: string }
  /** The server's program of the commit before processes could have company; a text says why there is none. */
  before: { program: string; commit: string } | string
  log(line: string): void
  keep: Keep
}

const SIZES = {
  full: { seconds: 6, idle: 2_000, crowd: 10_000, rounds: 12, roundSeconds: 5, simulated: 100_000 },
  quick: { seconds: 3, idle: 500, crowd: 1_500, rounds: 4, roundSeconds: 3, simulated: 100_000 },
}
/** One process alone may cost so much more than before. */
const GOAL_RATIO = 1.05
/** Seconds of the simulation that are printed one by one, and those that are published. */
const SHOWN_SECONDS = 12
const KEPT_SECONDS = [0, 1, 2, 3, 5, 10]

/** Returns what misses its goal, in words. */
export async function benchCluster(options: ClusterOptions): Promise<string[]> {
  const { quick, parts = PARTS, log } = options
  const size = quick ? SIZES.quick : SIZES.full
  log(`${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, Node ${process.versions.node}`)
  const unknown = parts.find((part) => !(PARTS as readonly string[]).includes(part))
  if (unknown) return [`there is no part ${unknown}; there are ${PARTS.join(', ')}`]
  const problems: string[] = []
  if (parts.includes('reconnects')) showReconnects(size.simulated, options)
  if (parts.includes('alone')) problems.push(...(await showBeside(options, size)))
  if (parts.includes('rates')) await showRates(options, size)
  if (parts.includes('crowd')) problems.push(...(await showCrowd(options, size.crowd)))
  return problems
}

type Size = (typeof SIZES)['full']

function showReconnects(clients: number, { log, keep }: ClusterOptions): void {
  const rows: Row[] = []
  const count = (value: number) => value.toLocaleString('en')
  const seconds = Array.from({ length: SHOWN_SECONDS }, (_, second) => second)
  log(
    `\n  | Attempts a second, simulated: ${count(clients)} clients lose their sockets at once | highest | in second | all back after s | attempts a client | ${seconds.join(' | ')} |`,
  )
  log(`  | :-- | --: | --: | --: | --: | ${seconds.map(() => '--:').join(' | ')} |`)
  for (const { name, attempts, backAfter } of simulateReconnects(clients)) {
    const highest = Math.max(...attempts)
    const all = attempts.reduce((sum, each) => sum + each, 0)
    const first = seconds.map((second) => count(attempts[second] ?? 0)).join(' | ')
    rows.push({
      name,
      cells: [...KEPT_SECONDS.map((second) => attempts[second] ?? 0), highest, rounded(backAfter / 1_000)],
    })
    log(
      `  | ${name} | ${count(highest)} | ${attempts.indexOf(highest)} | ${(backAfter / 1_000).toFixed(1)} | ${(all / clients).toFixed(1)} | ${first} |`,
    )
  }
  keep('reconnects', {
    columns: [...KEPT_SECONDS.map((second) => `second ${second}`), 'highest', 'all back after, s'],
    rows,
  })
}

async function showBeside({ postgres, before, log, keep }: ClusterOptions, size: Size): Promise<string[]> {
  if (typeof before === 'string') {
    log(`\n  One process beside the one before: not run, ${before}`)
    return [`one process was not measured beside the one before: ${before}`]
  }
  const [first, second] = [await newDatabase(postgres.url), await newDatabase(postgres.url)]
  try {
    const { rounds, ratio, ...figures } = await measureBeside({
      ...{ program: before.program, urls: [first.url, second.url] },
      ...{ rounds: size.rounds, seconds: size.roundSeconds, databaseCpu: first.databaseCpu },
    })
    log(
      `\n  | One process, medians of ${rounds} rounds in turns | p50 ms | p99 ms | CPU ms each | and of PostgreSQL |\n  | :-- | --: | --: | --: | --: |`,
    )
    for (const [name, { p50, p99, cpuMs, databaseCpuMs }] of [
      [`before (${before.commit})`, figures.before] as const,
      ['now', figures.now] as const,
    ])
      log(
        `  | ${name} | ${p50.toFixed(2)} | ${p99.toFixed(1)} | ${cpuMs.toFixed(3)} | ${databaseCpuMs?.toFixed(3) ?? ''} |`,
      )
    log(
      `  | now by before, median of the rounds | ${ratio.p50.toFixed(2)} | | ${ratio.cpu.toFixed(3)} | ${ratio.databaseCpu?.toFixed(3) ?? ''} |`,
    )
    const cells = (p50: number, cpu: number, databaseCpu = Number.NaN) => [p50, cpu, databaseCpu].map(rounded)
    keep('beside', {
      columns: ['median, ms', 'processor, ms a message', 'of PostgreSQL, ms a message'],
      rows: [
        {
          name: `commit ${before.commit}`,
          cells: cells(figures.before.p50, figures.before.cpuMs, figures.before.databaseCpuMs),
        },
        { name: 'now', cells: cells(figures.now.p50, figures.now.cpuMs, figures.now.databaseCpuMs) },
        { name: 'now by before', cells: cells(ratio.p50, ratio.cpu, ratio.databaseCpu) },
      ],
    })
    return ratio.cpu > GOAL_RATIO
      ? [
          `a message costs one process ${ratio.cpu.toFixed(3)} times what it did before, the goal is ${GOAL_RATIO}`,
        ]
      : []
  } finally {
    await first.drop()
    await second.drop()
  }
}

async function showRates({ postgres, log, keep }: ClusterOptions, { seconds, idle }: Size): Promise<void> {
  const rows: Row[] = []
  log(
    '\n  | Processes | Messages a second with p99 within 50 ms, to a second device at another process | p50 ms | p99 ms | CPU ms each | and of PostgreSQL | kB of an idle socket |\n  | --: | --: | --: | --: | --: | --: | --: |',
  )
  for (const processes of [1, 2, 3]) {
    const database = await newDatabase(postgres.url)
    try {
      const { highest, p50, p99, cpuMs, databaseCpuMs, socketBytes } = await measureRates(
        database.url,
        processes,
        { seconds, sockets: idle, databaseCpu: database.databaseCpu },
      )
      rows.push({
        name: processes === 1 ? '1 process' : `${processes} processes, the second device at the next`,
        cells: [highest, p50, cpuMs, databaseCpuMs ?? Number.NaN, socketBytes / 1_000].map(rounded),
      })
      const kilobytes = (socketBytes / 1_000).toFixed(1)
      log(
        `  | ${processes} | ${highest || 'none'} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${cpuMs.toFixed(2)} | ${databaseCpuMs?.toFixed(2) ?? ''} | ${kilobytes} |`,
      )
    } finally {
      await database.drop()
    }
  }
  keep('processes', {
    columns: [
      'messages a second with a p99 of 50 ms',
      'median, ms',
      'processor, ms a message',
      'of PostgreSQL, ms a message',
      'idle socket, kB',
    ],
    rows,
  })
}

async function showCrowd({ postgres, log, keep }: ClusterOptions, wanted: number): Promise<string[]> {
  const database = await newDatabase(postgres.url)
  try {
    const crowd = await measureCrowd(database.url, wanted)
    const what = `${wanted.toLocaleString('en')} sockets over three processes`
    if (typeof crowd === 'string') {
      log(`\n  ${what}: ${crowd}`)
      return [`${what}: ${crowd}`]
    }
    keep('crowd', {
      columns: [what],
      rows: [
        { name: 'sockets lost with one process', cells: [crowd.lost] },
        { name: 'half of them were back after, s', cells: [rounded(crowd.halfAfter)] },
        { name: 'all were back after, s', cells: [rounded(crowd.allAfter)] },
        { name: 'attempts', cells: [crowd.attempts] },
        { name: 'most handshakes a second at the other two', cells: [crowd.highestRate] },
      ],
    })
    log(
      `\n  ${what}, ${(crowd.bytes / 1_000).toFixed(1)} kB each; one process killed: ${crowd.lost.toLocaleString('en')} lost theirs, half were back after ${crowd.halfAfter.toFixed(1)} s, all after ${crowd.allAfter.toFixed(1)} s with ${crowd.attempts.toLocaleString('en')} attempts, at most ${crowd.highestRate.toLocaleString('en')} handshakes a second at the other two`,
    )
    return []
  } finally {
    await database.drop()
  }
}

async function newDatabase(server: string) {
  const name = `foyer_bench_${randomUUID().replaceAll('-', '')}`
  await administer(server, `CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const database = openPostgres(url.href)
  const databaseCpu = await databaseCpuOf(database)
  await database.close()
  return {
    url: url.href,
    databaseCpu,
    drop: () => administer(server, `DROP DATABASE ${name} WITH (FORCE)`),
  }
}
