// The processes of a cluster: started, killed, paused and started again on the same port.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { bundle } from '../../scripts/bundle.mjs'
import type { LineOrder } from './line.ts'
import { DROPPED } from './lossy-bus.ts'
import { openDesk, type RemoteDesk } from './remote-desk.ts'
import type { ServerSettings } from './server.ts'

const CACHE = resolve(import.meta.dirname, '../../node_modules/.cache')

/** Builds the programs of this folder. */
export async function buildPrograms() {
  mkdirSync(CACHE, { recursive: true })
  const folder = mkdtempSync(join(CACHE, 'foyer-cluster-'))
  await bundle(folder, ['test/cluster/server', 'test/cluster/line'])
  return {
    path: (name: 'server' | 'line') => join(folder, `${name}.js`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export type Process = {
  readonly port: number
  /** What it said, over all its lives. */
  readonly said: string[]
  /** How many texts of the bus it has lost, where that is lossy. */
  readonly dropped: number
  /** The desk at this process; undefined while it does not run. */
  readonly desk: RemoteDesk | undefined
  /** Resolves once it answers. `change`: of its settings, from now on. */
  start(change?: Partial<ServerSettings>): Promise<void>
  /** Resolves to its exit code once it has ended. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
  pause(): void
  resume(): void
}

export function createProcess(program: string, settings: ServerSettings): Process {
  let child: ChildProcess | undefined
  let desk: RemoteDesk | undefined
  let own = settings
  const said: string[] = []
  let dropped = 0
  return {
    port: settings.port,
    said,
    get dropped() {
      return dropped
    },
    get desk() {
      return desk
    },
    async start(change = {}) {
      own = { ...own, ...change }
      const next = fork(program, [JSON.stringify(own)], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
      child = next
      next.stdout?.on('data', (part) => said.push(String(part)))
      next.stderr?.on('data', (part) => said.push(String(part)))
      const ended = once(next, 'exit').then(() => {
        throw new Error(`a process of the cluster did not start: ${said.join('').slice(-2_000)}`)
      })
      const ready = new Promise<void>((resolve) => {
        next.on('message', (message) => {
          if (message === 'ready') resolve()
          if (message === DROPPED) dropped++
        })
      })
      await Promise.race([ready, ended])
      ended.catch(() => {})
      desk = openDesk(next)
    },
    async stop(signal) {
      const last = child
      child = undefined
      desk = undefined
      if (!last || last.exitCode !== null || last.signalCode !== null) return null
      const ended = once(last, 'exit')
      last.kill(signal)
      // A process that stands still hears only SIGKILL.
      if (signal === 'SIGTERM') last.kill('SIGCONT')
      const [code] = (await ended) as [number | null]
      return code
    },
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
  }
}

export type Lines = {
  urls: readonly string[]
  order(order: LineOrder): void
  close(): void
}

/** Lines to the database, one for each process. */
export async function openLines(program: string, databaseUrl: string, count: number): Promise<Lines> {
  const child = fork(program, [databaseUrl, String(count)])
  const [urls] = (await once(child, 'message')) as [string[]]
  return { urls, order: (order) => void child.send(order), close: () => void child.kill() }
}
