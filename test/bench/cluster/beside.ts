// One process alone beside one of an earlier commit, in turns, so that whatever else the machine does weighs on both.

import type { DatabaseCpu } from '../database-cpu.ts'
import { type Latency, measureEcho, openServer, SOCKETS_OF_A_BENCH } from '../exchange.ts'
import { median } from '../rounds.ts'

const RATE = 200
const WARM_UP_SECONDS = 10

export type Beside = {
  rounds: number
  before: Middle
  now: Middle
  /** The median of what the rounds say: now by before. */
  ratio: { cpu: number; databaseCpu: number | undefined; p50: number }
}
type Middle = { cpuMs: number; databaseCpuMs: number | undefined; p50: number; p99: number }

export type BesideOptions = {
  /** The server's program of the earlier commit. */
  program: string
  /** A database for each. */
  urls: readonly [string, string]
  rounds: number
  seconds: number
  databaseCpu: DatabaseCpu
}

export async function measureBeside(options: BesideOptions): Promise<Beside> {
  const { program, urls, rounds, seconds, databaseCpu } = options
  const servers = [await openServer('postgres', urls[0], program), await openServer('postgres', urls[1])]
  try {
    const both = []
    for (const server of servers) {
      const sockets = await server.connect(await server.begin(SOCKETS_OF_A_BENCH))
      await measureEcho(server, sockets, RATE, WARM_UP_SECONDS)
      both.push({ server, sockets, figures: [] as Latency[] })
    }
    for (let round = 0; round < rounds; round++)
      // Each goes first in every second round.
      for (const { server, sockets, figures } of round % 2 === 0 ? both : both.toReversed())
        figures.push(await measureEcho(server, sockets, RATE, seconds, databaseCpu))
    const [before = [], now = []] = both.map(({ figures }) => figures)
    const ratioOf = (of: (figure: Latency) => number) =>
      median(now.map((figure, round) => of(figure) / of(before[round] ?? figure)))
    const hasDatabase = now[0]?.databaseCpuMs !== undefined
    return {
      ...{ rounds, before: middleOf(before), now: middleOf(now) },
      ratio: {
        cpu: ratioOf(({ cpuMs }) => cpuMs),
        databaseCpu: hasDatabase ? ratioOf(({ databaseCpuMs = 0 }) => databaseCpuMs) : undefined,
        p50: ratioOf(({ p50 }) => p50),
      },
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

function middleOf(figures: readonly Latency[]): Middle {
  const of = (read: (figure: Latency) => number) => median(figures.map(read))
  return {
    cpuMs: of(({ cpuMs }) => cpuMs),
    databaseCpuMs:
      figures[0]?.databaseCpuMs === undefined ? undefined : of(({ databaseCpuMs = 0 }) => databaseCpuMs),
    p50: of(({ p50 }) => p50),
    p99: of(({ p99 }) => p99),
  }
}
