// A PostgreSQL server for tests and the bench: the one that FOYER_DATABASE_URL names, or one of its own from
// Debian's packages, in a temporary folder. The system's own cluster is left alone.

import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { atExit } from './at-exit.mjs'
import { ensurePrograms, pathOf } from './programs.mjs'

/**
 * @typedef {object} Options
 * @property {boolean} [durable] Waits for the disk, like a production server. Default false, which makes tests faster.
 * @property {string} [superuser] Of a server of our own. Default foyer.
 * @property {Readonly<Record<string, string>>} [settings] More settings, for a server of our own.
 */

/**
 * Undefined if there is no server and none can be started. `own`: it was started here; `stop` ends it and removes its
 * folder, as does the end of this process. `restart`: of a server of our own.
 * @param {Options} [options]
 */
export async function startPostgres({ durable = false, superuser = 'foyer', settings = {} } = {}) {
  const { FOYER_DATABASE_URL } = process.env
  if (FOYER_DATABASE_URL) {
    const version = await versionOf(FOYER_DATABASE_URL)
    return { url: FOYER_DATABASE_URL, version, own: false, restart: undefined, stop: async () => {} }
  }
  ensurePrograms(['PostgreSQL'])
  const bin = pathOf('PostgreSQL')
  if (!bin) return undefined

  const folder = mkdtempSync(join(tmpdir(), 'foyer-postgres-'))
  const data = join(folder, 'data')
  const control = join(bin, 'pg_ctl')
  let ended = false
  const end = () => {
    if (ended) return
    ended = true
    if (existsSync(join(data, 'postmaster.pid')))
      asOwner(control, ['stop', '-D', data, '-m', 'immediate', '-w'])
    rmSync(folder, { recursive: true, force: true })
  }
  const forget = atExit(end)
  const stop = async () => {
    forget()
    end()
  }
  try {
    if (isRoot()) chownSync(folder, Number(id('-u')), Number(id('-g')))
    const made = asOwner(join(bin, 'initdb'), [
      ...['-D', data, '-U', superuser, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
    ])
    if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)
    const all = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      ...(!durable && { fsync: 'off', synchronous_commit: 'off' }),
      ...settings,
    }
    const flags = Object.entries(all).map(([name, value]) => `-c ${name}='${value}'`)
    // Another process may take the free port before the server listens on it.
    for (let attempt = 1; ; attempt++) {
      const port = await freePort()
      const log = join(folder, 'log')
      const started = await runAsOwner(control, [
        ...['start', '-D', data, '-l', log, '-w', '-o', `-p ${port} ${flags.join(' ')}`],
      ])
      if (started === 0) {
        const url = `postgres://${superuser}@127.0.0.1:${port}/postgres`
        /** As an operator does, or after a crash. @param {'fast' | 'immediate'} mode */
        const restart = (mode) => runAsOwner(control, ['restart', '-D', data, '-l', log, '-w', '-m', mode])
        return { url, version: await versionOf(url), own: true, restart, stop }
      }
      if (attempt === 3)
        throw new Error(`PostgreSQL did not start: ${existsSync(log) ? readFileSync(log, 'utf8') : started}`)
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const isRoot = () => process.getuid?.() === 0

/** The server refuses to run as root: Debian's user `postgres` runs it then. @param {string} program @param {string[]} args */
const owned = (program, args) =>
  isRoot() ? ['runuser', '-u', 'postgres', '--', program, ...args] : [program, ...args]

/** @param {string} program @param {string[]} args */
function asOwner(program, args) {
  const [command = '', ...rest] = owned(program, args)
  return spawnSync(command, rest, { cwd: tmpdir(), encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] })
}

/** Without a pipe, which the server would keep open. @param {string} program @param {string[]} args */
function runAsOwner(program, args) {
  const [command = '', ...rest] = owned(program, args)
  return new Promise((resolve, reject) => {
    const child = spawn(command, rest, { cwd: tmpdir(), stdio: 'ignore' })
    child.on('error', reject)
    child.on('exit', (code) => resolve(code))
  })
}

/** @param {string} flag */
const id = (flag) => spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout.trim()

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** @param {string} url @returns {Promise<string>} */
async function versionOf(url) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query('SHOW server_version')
    return String(rows[0]?.server_version)
  } finally {
    await client.end()
  }
}
