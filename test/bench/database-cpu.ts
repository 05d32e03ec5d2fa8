// Reads how much processor time a PostgreSQL server on this machine has used, all its processes together.

import { readdirSync, readFileSync } from 'node:fs'
import type { Database } from '../../src/runtime/database/index.ts'

/** Milliseconds so far; undefined where the server is on another machine, or this one is not Linux. */
export type DatabaseCpu = () => number | undefined

/** The kernel counts in hundredths of a second. */
const TICK_MS = 10

export async function databaseCpuOf(database: Database): Promise<DatabaseCpu> {
  const [row] = await database.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const backend = row && statOf(row.pid)
  if (backend?.name !== 'postgres') return () => undefined
  const postmaster = backend.parent
  return () => {
    const all = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => ({ pid: Number(name), stat: statOf(Number(name)) }))
    // The postmaster's own count includes its processes that have ended.
    return all.reduce((sum, { pid, stat }) => {
      if (pid === postmaster) return sum + (stat?.ownMs ?? 0) + (stat?.endedMs ?? 0)
      return stat?.parent === postmaster ? sum + stat.ownMs : sum
    }, 0)
  }
}

function statOf(pid: number) {
  try {
    const [, name = '', rest = ''] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    const fields = rest.split(' ').map(Number)
    const ms = (index: number) => (fields[index] ?? 0) * TICK_MS
    return { name, parent: fields[1] ?? 0, ownMs: ms(11) + ms(12), endedMs: ms(13) + ms(14) }
  } catch {
    return undefined
  }
}
