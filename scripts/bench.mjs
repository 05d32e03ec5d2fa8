// `npm run bench`: measures the runtime beside plain references, and the widget beside its peers.

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { buildIfStale } from './build.mjs'
import { bundle } from './bundle.mjs'
import { beginRun, publish } from './figures.mjs'
import { startPostgres } from './postgres.mjs'
import { ensureChromium } from './programs.mjs'
import { ensureDependencies, ensureNode, root } from './setup.mjs'

/** The last commit whose processes knew nothing of each other. */
const BEFORE = 'c85d739b'
const USAGE = `npm run bench -- [options]

  --quick               a short run
  --exchanges           only the exchanges over sockets
  --peers[=Foyer,floor] only the widget beside its peers, or beside those named
  --continue            goes on where the last run of the peers was broken off
  --cluster[=alone,rates] only several processes on one PostgreSQL, or these parts: reconnects, alone, rates, crowd
  --before=<commit>     what one process is measured beside (default: ${BEFORE})
  --write               publishes what was measured in docs/figures.json, README.md and docs/benchmarks.md
  --help                prints this text`

ensureNode()
const {
  quick,
  exchanges,
  peers: peersOption,
  continue: goesOn,
  cluster: clusterOption,
  before,
  write,
  help,
} = options()
if (help) {
  console.log(USAGE)
  process.exit(0)
}
ensureDependencies()
const run = write ? startRun() : undefined
/** At once, so that a run that breaks off later keeps it. @param {string} name @param {import('./figures.mjs').Table} table */
function keep(name, table) {
  if (!run) return
  publish({ [name]: { ...run(), ...table } })
  console.log(`bench: wrote the table ${name} to docs/figures.json and the pages that show it`)
}
const only = exchanges ? 'exchanges' : undefined
/** Undefined: all of them. */
const contestants = peersOption ? peersOption.split(',') : undefined
const parts = clusterOption ? clusterOption.split(',') : undefined

// Inside node_modules, so that its imports are found.
const built = join(root, 'node_modules/.cache/foyer-bench')
rmSync(built, { recursive: true, force: true })
await bundle(
  built,
  ['main', 'start', 'server', 'memory', 'peers/peers', 'cluster/cluster'].map((name) => `test/bench/${name}`),
)

const begun = Date.now()
/** @type {string[]} */
const problems = []
if (clusterOption !== undefined) problems.push(...(await processes()))
else {
  if (only === undefined) problems.push(...(await peers()))
  if (peersOption === undefined) problems.push(...(await runtime()))
}
for (const problem of problems) console.error(`bench: ${problem}`)
console.log(`bench: ${problems.length} problems, in ${Math.round((Date.now() - begun) / 1000)} s`)
process.exit(problems.length === 0 ? 0 : 1)

function options() {
  const flag = /** @type {const} */ ({ type: 'boolean', default: false })
  try {
    return parseArgs({
      // An option with a value cannot stand without one.
      args: process.argv
        .slice(2)
        .map((argument) => (argument === '--peers' || argument === '--cluster' ? `${argument}=` : argument)),
      options: {
        ...{
          quick: flag,
          exchanges: flag,
          peers: { type: 'string' },
          continue: flag,
          write: flag,
          help: flag,
        },
        ...{ cluster: { type: 'string' }, before: { type: 'string', default: BEFORE } },
      },
    }).values
  } catch (cause) {
    console.error(`${cause instanceof Error ? cause.message : cause}\n\n${USAGE}`)
    process.exit(2)
  }
}

/** Begins a run whose figures are published. */
function startRun() {
  try {
    // A table of some is not the table of all.
    if (peersOption) throw new Error('--write does not go with a choice of peers.')
    return beginRun(`npm run bench -- ${process.argv.slice(2).join(' ')}`)
  } catch (cause) {
    console.error(cause instanceof Error ? cause.message : cause)
    process.exit(2)
  }
}

async function runtime() {
  const { bench } = await import(pathToFileURL(join(built, 'main.js')).href)
  // With PostgreSQL's defaults: every commit waits for the disk.
  const postgres = await startPostgres({ durable: true })
  try {
    return await bench({ quick, only, postgres, keep })
  } finally {
    await postgres?.stop()
  }
}

async function processes() {
  const { benchCluster } = await import(pathToFileURL(join(built, 'cluster.js')).href)
  const postgres = await startPostgres({ durable: true })
  if (!postgres) return ['several processes: not run, since there is no PostgreSQL and none could be started']
  try {
    return await benchCluster({ quick, parts, postgres, before: await buildBefore(), log: console.log, keep })
  } finally {
    await postgres.stop()
  }
}

/** The bench's server as it was at the commit. */
async function buildBefore() {
  const tree = mkdtempSync(join(tmpdir(), 'foyer-before-'))
  try {
    const archive = spawnSync('git', ['archive', before, 'src', 'test/bench'], {
      cwd: root,
      maxBuffer: 1024 ** 3,
    })
    if (archive.status !== 0) return `git does not know the commit ${before}`
    const unpacked = spawnSync('tar', ['-x', '-C', tree], { input: archive.stdout })
    if (unpacked.status !== 0) return `the files of the commit ${before} could not be unpacked`
    const folder = join(built, 'before')
    await bundle(folder, ['test/bench/server'], tree)
    return { program: join(folder, 'server.js'), commit: before }
  } finally {
    rmSync(tree, { recursive: true })
  }
}

async function peers() {
  await buildIfStale()
  const { benchPeers, needsPeers } = await import(pathToFileURL(join(built, 'peers.js')).href)
  if (needsPeers(contestants) && !installPeers())
    return ['the peers could not be installed, so the widget was not measured beside them']
  return benchPeers({
    quick,
    only: contestants,
    goesOn,
    root,
    chromium: ensureChromium(),
    log: console.log,
    keep,
  })
}

/** Installs the peers for the bench alone: out of the way of all that reads the tree. False where that failed. */
function installPeers() {
  const folder = join(root, 'node_modules/.cache/foyer-peers')
  const pinned = join(root, 'test/bench/peers/package-lock.json')
  const installed = join(folder, 'package-lock.json')
  const isInstalled =
    existsSync(join(folder, 'node_modules/.package-lock.json')) &&
    readFileSync(installed, 'utf8') === readFileSync(pinned, 'utf8')
  if (isInstalled) return true
  console.log('Installing the peers (once)…')
  mkdirSync(folder, { recursive: true })
  for (const name of ['package.json', 'package-lock.json'])
    cpSync(join(root, 'test/bench/peers', name), join(folder, name))
  // Without scripts: some packages report home when they are installed.
  const npm = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  return npm.status === 0
}
