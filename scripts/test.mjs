// `npm test`: sets itself up, builds, and runs all suites or the named ones. While a suite runs, a line says how far it is, and one
// that begins with its name ends it; then come the tests that failed, each with the command that runs it again, and the last line has
// the totals. `npm run test:unit -- <files> -t <pattern> --on <store or bus>` runs a part of a suite, and shows all that Vitest says.

import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { linesOf } from './failures.mjs'
import { ensurePrograms, packagesOf, pathOf } from './programs.mjs'
import { begins, ends, gets, print } from './progress.mjs'
import { ensureDependencies, ensureNode, ensureOtherNode, root } from './setup.mjs'

const CORES = Math.min(Math.max(availableParallelism(), 2), 4)
/** The contract files that need several connections to the database, or the errors of a PostgreSQL server. */
const ON_SERVER = [
  'database',
  'busy-reads',
  'locked-start',
  'processes',
  'places',
  'leases',
  'bus',
  'forged-bus',
  'lost-commit',
  'statements',
  'queue',
  'live-agents',
  'commands',
]
/**
 * Suite name to the Vitest projects it runs, on which stores, and what it needs.
 * `workers`: most files at a time; more than there are cores where they wait more than they work. (Vitest by itself
 * leaves one core idle.) `figures`: its line tells what it counted instead of how many tests there are.
 * `stores`: where the suite runs, and which of its files, if not all. `once`: those of the server's files that `npm test` does not run on PGlite
 * as well. `buses`: by what three processes tell each other what happens, and which files run so; in a long run all of ACROSS.
 * `isLong`: only a long run has it, and who names it.
 * `needs`: the programs without which the suite is not run. `uses`: the programs without which some of its tests are not run.
 * @typedef {{ projects: string[], workers: number, stores?: Record<string, readonly string[]>, once?: readonly string[], buses?: Record<string, readonly string[]>, built?: boolean, needs?: readonly string[], uses?: readonly string[], figures?: boolean, isLong?: boolean }} Suite
 * @type {Readonly<Record<string, Suite>>}
 */
const SUITES = {
  unit: { projects: ['unit', 'mocking', 'dom', 'dom-mocking', 'double'], workers: CORES },
  cluster: {
    projects: ['cluster'],
    workers: 1,
    built: true,
    needs: ['PostgreSQL'],
    uses: process.argv.includes('--long') ? ['nginx', 'Redis'] : [],
    figures: true,
  },
  contract: {
    projects: ['contract'],
    workers: CORES,
    // Both are the same PostgreSQL inside. A server differs in its connections, its locks and its vectors.
    stores: {
      pglite: [],
      postgres: [...ON_SERVER, 'semantic'],
    },
    once: ON_SERVER,
    buses: { notify: ['desk', 'handoff'], redis: [], lossy: [] },
    uses: ['PostgreSQL', 'Redis'],
  },
  process: {
    projects: ['process'],
    workers: CORES + 2,
    built: true,
    uses: ['curl', 'nginx', 'PostgreSQL', 'Python', 'Redis'],
  },
  faults: { projects: ['faults'], workers: 4 },
  model: { projects: ['model'], workers: CORES, figures: true },
  answers: { projects: ['answers'], workers: CORES },
  browser: {
    projects: ['browser'],
    workers: CORES + 2,
    built: true,
    needs: ['Chromium'],
    uses: ['PostgreSQL'],
  },
  examples: { projects: ['examples'], workers: CORES, built: true, needs: ['Chromium'], isLong: true },
  engines: { projects: ['engines'], workers: CORES, built: true, uses: ['Firefox', 'WebKit'], isLong: true },
}
/**
 * Each suite begins, in the order above, once those that run have no more files under way: what waits runs beside what works, and nothing
 * idles while the last file of a suite takes its time.
 */
const WIDTH = CORES + 1
/** The files whose rules cross processes. */
const ACROSS = ['socket', 'sms', 'handoff', 'desk', 'calls', 'lifetime']
/** Seed and counts of `npm test`, so that every run draws the same. test/model/README.md says what more schedules have shown. */
const QUICK = {
  FOYER_TEST_SEED: '7',
  FOYER_TEST_REQUESTS: '500',
  FOYER_TEST_SCHEDULES: '20',
  FOYER_TEST_RUNTIME_SCHEDULES: '1',
}
/** What `npm run test:long` runs beside, and its larger counts. */
const LONG = {
  FOYER_TEST_LONG: '1',
  FOYER_TEST_REQUESTS: '10000',
  FOYER_TEST_SCHEDULES: '10000',
  FOYER_TEST_RUNTIME_SCHEDULES: '200',
  FOYER_TEST_KILLS: '100',
  FOYER_TEST_RELOADS: '200',
  FOYER_TEST_DRAWS: '4000',
  FOYER_TEST_SOAK_MINUTES: '30',
}
/** Further versions of Node that run some suites. */
const OTHER_NODES = ['22', '24']
const ON_OTHER_NODES = ['unit', 'process']

ensureNode()
ensureDependencies()
const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: { long: { type: 'boolean' }, on: { type: 'string' }, test: { type: 'string', short: 't' } },
})
const { long = false } = given
const files = positionals.filter((argument) => argument.startsWith('test/'))
const named = positionals.filter((argument) => !argument.startsWith('test/'))
const unknown = named.find((name) => !(name in SUITES))
if (unknown) {
  console.error(`There is no suite ${unknown}. There are: ${Object.keys(SUITES).join(', ')}`)
  process.exit(1)
}
if ((files.length > 0 || given.test || given.on) && named.length !== 1) {
  console.error('Name the suite of these tests, as in: npm run test:unit -- test/chat/queue.test.ts')
  process.exit(1)
}
/** A part of a suite, for somebody who looks at it: all that Vitest says is shown. */
const isPart = files.length > 0 || given.test !== undefined
const chosen = Object.keys(SUITES).filter((name) =>
  named.length === 0 ? long || !SUITES[name]?.isLong : named.includes(name),
)
/** @type {NodeJS.ProcessEnv} */
const env = { ...(long ? LONG : QUICK), ...process.env }
if (!process.stdout.isTTY) {
  env.NO_COLOR = '1'
  // Its mere presence turns colours on.
  delete env.FORCE_COLOR
}
const wanted = chosen.flatMap((name) => [...(SUITES[name]?.needs ?? []), ...(SUITES[name]?.uses ?? [])])
const missing = ensurePrograms(
  [...new Set(wanted)].filter((name) => !env.FOYER_DATABASE_URL || name !== 'PostgreSQL'),
)
// test/needs.ts skips the tests that need one of these.
env.FOYER_TEST_MISSING = missing.join(',')
const chromium = chosen.includes('browser') && pathOf('Chromium')
if (chromium) env.CHROME_PATH = chromium

const folder = mkdtempSync(join(tmpdir(), 'foyer-test-'))
let passed = 0
/** @type {import('./failures.mjs').SuiteFailure[]} */
const failures = []
/** The suites, and parts of suites, that this machine cannot run, in words. @type {string[]} */
const notRun = []
/** Suite name to how many files it has under way, for those that run. @type {Map<string, number>} */
const underWay = new Map()
const suites = new EventEmitter()
// Beside the first suite, which needs nothing that is built.
const checks = named.length === 0 ? startChecks() : undefined
if (named.length > 0 && chosen.some((name) => SUITES[name]?.built)) {
  const { buildIfStale } = await import('./build.mjs')
  await buildIfStale()
}
/** @type {Promise<void>[]} */
const runs = []
for (const name of chosen) {
  while (filesUnderWay() > WIDTH) await once(suites, 'changed')
  if (name !== 'unit') await checks
  runs.push(runSuite(name))
}
await Promise.all([...runs, checks])
rmSync(folder, { recursive: true })
for (const line of linesOf(failures)) console.log(line)
if (notRun.length > 0) {
  const cure =
    missing.length > 0
      ? `This machine has no ${missing.join(', no ')} (Debian packages: ${packagesOf(missing).join(', ')}). `
      : ''
  console.log(`${cure}Not run: ${notRun.join('; ')}.`)
}
console.log(`${passed} passed, ${failures.length} failed`)
process.exit(failures.length === 0 && passed > 0 ? 0 : 1)

function filesUnderWay() {
  return [...underWay.values()].reduce((sum, files) => sum + files, 0)
}

/** @param {string} name @param {number} files */
function setUnderWay(name, files) {
  underWay.set(name, files)
  suites.emit('changed')
}

/** @param {string} name */
async function runSuite(name) {
  const suite = SUITES[name]
  if (!suite) return
  const needed = lacking(suite.needs)
  if (needed.length > 0) return leaveOut(name, `all of ${name}`, needed)
  const used = lacking(suite.uses)
  if (used.length > 0) leaveOut(name, `the tests of ${name} that need ${used.join(' or ')}`, used)
  begins(name)
  setUnderWay(name, suite.workers)
  /** @type {string[]} */
  const told = []
  for (const { on, store, args, bus } of runsOf(name, suite)) {
    const server = store === 'postgres' && !missing.includes('PostgreSQL') ? await postgres() : undefined
    if (store === 'postgres' && !server) continue
    const counts = await run(name, on, args, {
      ...(bus && { FOYER_TEST_BUS: bus }),
      ...(store && { FOYER_TEST_STORE: store }),
      ...(server && { FOYER_TEST_POSTGRES_URL: server.url }),
    })
    await server?.stop()
    const where = server ? ` on PostgreSQL ${server.version}` : store && ` on ${store}`
    const by = bus ? `${where}, three processes by ${bus}` : where
    const tests = `${counts.passed} tests passed, ${counts.failures.length} failed, in ${counts.files} files${by}`
    if (suite.figures && counts.figures.length > 0) told.push(counts.figures.join(', ').replaceAll('~', ''))
    else told.push(tests, ...counts.figures)
  }
  for (const major of long && ON_OTHER_NODES.includes(name) ? OTHER_NODES : []) {
    const node = ensureOtherNode(major)
    if (!node) {
      notRun.push(`${name} on Node ${major}, which npm could not install`)
      continue
    }
    const path = `${dirname(node)}${delimiter}${process.env.PATH}`
    const counts = await run(name, `Node ${major}`, [], { PATH: path }, node)
    told.push(`${counts.passed} tests passed, ${counts.failures.length} failed, on Node ${major}`)
  }
  setUnderWay(name, 0)
  const seconds = ends(name)
  print(`${name}: ${told.join('; ')}; ${seconds} s\n`)
}

/** The programs among these that are missing. @param {readonly string[]} [programs] */
function lacking(programs = []) {
  return programs.filter((program) => missing.includes(program))
}

/** Keeps `what` for the last lines. CI counts it as failed. @param {string} suite @param {string} what @param {readonly string[]} programs */
function leaveOut(suite, what, programs) {
  notRun.push(what)
  if (process.env.CI === 'true')
    failures.push({ suite, file: '', names: [], why: `not run: ${programs.join(', ')} is missing` })
}

/**
 * One run for each store and bus. `on`: its name, where there are several. `args`: of Vitest, which files; empty: all.
 * @param {string} name
 * @param {Suite} suite
 * @returns {{ on: string, store: string, args: readonly string[], bus?: string }[]}
 */
function runsOf(name, { stores = { '': [] }, once = [], buses = {} }) {
  const fileOf = (/** @type {string} */ file) => `test/${name}/${file}.test.ts`
  const onServer = long || missing.includes('PostgreSQL') ? [] : once
  const runs = [
    ...Object.entries(stores).map(([store, some]) => ({
      on: store,
      store,
      args:
        store === 'pglite'
          ? onServer.flatMap((file) => ['--exclude', fileOf(file)])
          : (long ? [] : some).map(fileOf),
    })),
    ...Object.entries(buses)
      .map(([bus, some]) => ({ bus, some: long ? ACROSS : some }))
      .filter(({ bus, some }) => some.length > 0 || bus === given.on)
      .map(({ bus, some }) => ({
        on: bus,
        store: bus === 'notify' ? 'postgres' : 'pglite',
        args: some.map(fileOf),
        bus,
      })),
  ].filter(({ on }) => !given.on || on === given.on)
  return isPart ? runs.slice(0, 1).map((run) => ({ ...run, args: files })) : runs
}

/** Resolves once all is built and checked. */
async function startChecks() {
  const failed = join(folder, 'check.txt')
  writeFileSync(failed, '')
  begins('check')
  setUnderWay('check', CORES)
  gets('check', 'types, lint, build, sizes')
  const { status } = await start('check', process.execPath, [join(root, 'scripts/check.mjs')], {
    ...env,
    FOYER_TEST_FAILURES: failed,
  })
  setUnderWay('check', 0)
  const seconds = ends('check')
  print(
    `check: types, lint, exports, notices and sizes, ${status === 0 ? 'whole' : 'failed'}; ${seconds} s\n`,
  )
  if (status === 0) passed++
  else {
    const lines = readFileSync(failed, 'utf8').split('\n').filter(Boolean)
    for (const why of lines.length > 0 ? lines : [`stopped with status ${status}`])
      failures.push({ suite: 'check', file: '', names: [], why })
  }
}

/**
 * Resolves once the program has ended. What it says is kept until then, and shown where it failed.
 * @param {string} name Of the suite.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
async function start(name, program, args, env) {
  const said = join(folder, `${name}-said.txt`)
  const output = isPart ? 'inherit' : openSync(said, 'w')
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', output, output, 'ipc'], env })
  child.on('message', (/** @type {import('./reporter.mjs').Progress} */ { ended, files, tests, failed }) => {
    gets(name, `${ended} of ${files} files, ${tests} tests${failed > 0 ? `, ${failed} failed` : ''}`)
    setUnderWay(name, Math.min(files - ended, SUITES[name]?.workers ?? 1))
  })
  const [status, signal] = await once(child, 'close')
  if (output !== 'inherit') {
    closeSync(output)
    if (status !== 0) print(readFileSync(said, 'utf8'))
  }
  return { status, signal }
}

async function postgres() {
  const { startPostgres } = await import('./postgres.mjs')
  return startPostgres()
}

/**
 * One run of Vitest, and what it counted. `on`: the store or bus, where the suite has several.
 * @param {string} name Of the suite.
 * @param {string} on
 * @param {readonly string[]} which Of Vitest, which files; empty: all.
 * @param {NodeJS.ProcessEnv} more
 * @param {string} [node] The Node that runs it, and the processes that the tests start.
 */
async function run(name, on, which, more, node = process.execPath) {
  const { projects = [], workers = 1 } = SUITES[name] ?? {}
  const report = join(folder, `${name}.json`)
  // The suite's further counts, one a line.
  const figures = join(folder, `${name}.txt`)
  writeFileSync(figures, '')
  rmSync(report, { force: true })
  const args = [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    ...which,
    ...projects.flatMap((project) => ['--project', project]),
    ...(given.test === undefined ? [] : ['-t', given.test]),
    `--maxWorkers=${workers}`,
    `--reporter=${join(root, 'scripts/reporter.mjs')}`,
    // All runs share the modules that Vitest has transformed. Another `npm test` begins with none, since Vitest does not notice that a file
    // was moved.
    '--experimental.fsModuleCache',
    `--experimental.fsModuleCachePath=${join(folder, 'modules')}`,
  ]
  const { status, signal } = await start(name, node, args, {
    ...env,
    ...more,
    FOYER_TEST_FIGURES: figures,
    FOYER_TEST_REPORT: report,
  })
  const counts = read(report)
  // A suite that stopped before its last line counts as failed.
  if (status !== 0 && counts.failures.length === 0)
    counts.failures.push({ file: '', names: [], why: `Vitest stopped with ${signal ?? `status ${status}`}` })
  passed += counts.passed
  for (const failure of counts.failures) failures.push({ suite: name, on, ...failure })
  return { ...counts, figures: readFileSync(figures, 'utf8').split('\n').filter(Boolean).sort() }
}

/** @param {string} report @returns {import('./reporter.mjs').Report} */
function read(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8'))
  } catch {
    return { passed: 0, files: 0, failures: [] }
  }
}
