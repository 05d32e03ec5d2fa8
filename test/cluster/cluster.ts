// Several processes on a database of their own, behind one address.

import { randomUUID } from 'node:crypto'
import { startPostgres } from '../../scripts/postgres.mjs'
import { type Database, openPostgres } from '../../src/runtime/index.ts'
import { freePort } from '../browser/world.ts'
import { administer } from '../contract/store.ts'
import { openFront } from './front.ts'
import { buildPrograms, createProcess, type Lines, openLines, type Process } from './processes.ts'
import type { ServerSettings } from './server.ts'

export type ClusterOptions = {
  processes: number
  settings?: Partial<ServerSettings>
  /** Opens what stands before the processes, and listens at the port. Default: a round robin of connections. */
  openFront?: (ports: readonly number[]) => Promise<{ port: number; close(): Promise<unknown> }>
}

export type Cluster = {
  origin: string
  processes: readonly Process[]
  database: Database
  /** Undefined where the server is not ours. */
  restartPostgres: ((mode: 'fast' | 'immediate') => Promise<unknown>) | undefined
  /** Gives each process a line of its own to the database, which can be cut: one process after the other starts again. */
  openLines(): Promise<Lines>
  close(): Promise<void>
}

export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const undo: (() => unknown)[] = []
  const close = async () => {
    for (const each of undo.splice(0).reverse()) await each()
  }
  try {
    // What is committed stays, also where the server is killed.
    const postgres = await startPostgres({ settings: { synchronous_commit: 'on' } })
    if (!postgres) throw new Error('PostgreSQL is not there: install it, or set FOYER_DATABASE_URL')
    undo.push(postgres.stop)
    const name = `foyer_${randomUUID().replaceAll('-', '')}`
    await administer(postgres.url, `CREATE DATABASE ${name}`)
    undo.push(() => administer(postgres.url, `DROP DATABASE ${name} WITH (FORCE)`))
    const url = new URL(postgres.url)
    url.pathname = `/${name}`
    const database = openPostgres(url.href)
    undo.push(database.close)

    const programs = await buildPrograms()
    undo.push(programs.remove)
    const processes: Process[] = []
    undo.push(() => Promise.all(processes.map((process) => process.stop('SIGKILL'))))
    while (processes.length < options.processes) {
      const settings = { ...options.settings, port: await freePort(), databaseUrl: url.href }
      processes.push(createProcess(programs.path('server'), settings))
    }
    await Promise.all(processes.map((process) => process.start()))
    const front = await (options.openFront ?? openFront)(processes.map(({ port }) => port))
    undo.push(front.close)
    return {
      origin: `http://127.0.0.1:${front.port}`,
      processes,
      database,
      restartPostgres: postgres.restart,
      async openLines() {
        const lines = await openLines(programs.path('line'), url.href, processes.length)
        undo.push(lines.close)
        for (const [index, process] of processes.entries()) {
          await process.stop('SIGTERM')
          await process.start({ databaseUrl: lines.urls[index] ?? '' })
        }
        return lines
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
