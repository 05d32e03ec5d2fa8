// The programs that tests and pictures need beside Node: found, or installed where this machine allows it.

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'

const POSTGRES = '/usr/lib/postgresql'

/**
 * How each is found, and the Debian packages that hold it. The path of PostgreSQL is the folder of the newest version's programs.
 * @type {Readonly<Record<string, { find(): string | undefined, packages: readonly string[] }>>}
 */
const PROGRAMS = {
  Chromium: { find: findChromium, packages: ['chromium'] },
  WebKit: {
    find: () => onPath('Xvfb') && onPath('WebKitWebDriver'),
    packages: ['webkit2gtk-driver', 'xvfb'],
  },
  Firefox: { find: () => onPath('firefox-esr') ?? onPath('firefox'), packages: ['firefox-esr'] },
  PostgreSQL: { find: findPostgres, packages: ['postgresql'] },
  Redis: { find: () => onPath('redis-server'), packages: ['redis-server'] },
  nginx: {
    find: () => onPath('nginx') ?? ['/usr/sbin/nginx'].find((path) => existsSync(path)),
    packages: ['nginx-light'],
  },
  curl: { find: () => onPath('curl'), packages: ['curl'] },
  Python: { find: () => onPath('python3'), packages: ['python3'] },
}

/** Its path, where it is there. @param {string} name */
export const pathOf = (name) => PROGRAMS[name]?.find()

/** The Debian packages of these programs. @param {readonly string[]} names */
export const packagesOf = (names) => names.flatMap((name) => PROGRAMS[name]?.packages ?? [])

/** Installs what is missing, where that can be done. Returns what is missing still. @param {readonly string[]} names */
export function ensurePrograms(names) {
  const missing = () => names.filter((name) => !pathOf(name))
  const first = missing()
  if (first.length === 0) return []
  if (process.getuid?.() === 0 && onPath('apt-get')) {
    console.log(`Installing ${first.join(', ')} (Debian packages, once)…`)
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit', env })
    const install = ['install', '-y', '-qq', '--no-install-recommends', ...packagesOf(first)]
    spawnSync('apt-get', install, { stdio: ['ignore', 'ignore', 'inherit'], env })
  } else if (first.includes('Chromium')) {
    console.log('Installing Chromium (once)…')
    const cli = join(root, 'node_modules/playwright-core/cli.js')
    spawnSync(process.execPath, [cli, 'install', 'chromium'], { stdio: 'inherit' })
  }
  return missing()
}

/** The path of a Chromium, found or installed. Exits if neither works. */
export function ensureChromium() {
  ensurePrograms(['Chromium'])
  const path = pathOf('Chromium')
  if (path) return path
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

function findPostgres() {
  if (!existsSync(POSTGRES)) return undefined
  return readdirSync(POSTGRES)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(POSTGRES, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')))
}

/** @param {string} name */
function onPath(name) {
  const which = spawnSync(process.platform === 'win32' ? 'where' : 'which', [name], { encoding: 'utf8' })
  return which.status === 0 ? which.stdout.trim().split('\n')[0] : undefined
}
