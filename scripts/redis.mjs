// A Redis server for tests and the bench: the one that REDIS_URL names, or one of its own from Debian's packages, which
// keeps nothing on disk.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { createClient } from 'redis'

const PROGRAM = '/usr/bin/redis-server'

/** Undefined if there is no server and none can be started. `restart`: of a server of our own, which forgets everything. */
export async function startRedis() {
  const { REDIS_URL } = process.env
  if (REDIS_URL)
    return { url: REDIS_URL, version: await versionOf(REDIS_URL), restart: undefined, stop: async () => {} }
  if (!existsSync(PROGRAM) && !install()) return undefined
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  const begin = async () => {
    const child = spawn(
      PROGRAM,
      ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
      { cwd: tmpdir(), stdio: 'ignore' },
    )
    const ended = once(child, 'exit')
    const end = () => child.kill('SIGKILL')
    process.on('exit', end)
    await versionOf(url)
    return {
      async stop() {
        process.off('exit', end)
        end()
        await ended
      },
    }
  }
  let server = await begin()
  return {
    url,
    version: await versionOf(url),
    /** Kills it, and starts it again after so many milliseconds. @param {number} awayMs */
    async restart(awayMs) {
      await server.stop()
      await new Promise((resolve) => setTimeout(resolve, awayMs))
      server = await begin()
    },
    stop: () => server.stop(),
  }
}

function install() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  console.log('Installing Redis (Debian package, once)…')
  const apt = (/** @type {string[]} */ ...args) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  apt('update', '-qq')
  apt('install', '-y', '-qq', '--no-install-recommends', 'redis-server')
  return existsSync(PROGRAM)
}

/** Resolves once the server answers. @param {string} url */
async function versionOf(url) {
  const client = createClient({ url })
  client.on('error', () => {})
  await client.connect()
  try {
    return /redis_version:(\S+)/.exec(await client.info('server'))?.[1] ?? ''
  } finally {
    client.destroy()
  }
}

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
