// `npm test`: sets itself up, builds, and runs all suites or the named ones. Each suite ends with a line that begins with its
// name; then come the tests that failed, and the last line has the totals.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { linesOf } from './failures.mjs'
import {
  ensureChromium,
  ensureCurl,
  ensureDependencies,
  ensureEngines,
  ensureNode,
  ensureOtherNode,
  root,
} from './setup.mjs'

const CORES = Math.min(Math.max(availableParallelism(), 2), 4)
/**
 * Suite name to the Vitest projects it runs, on which stores, and whether it needs what is built, or a browser.
 * `workers`: most files at a time; more than there are cores where they wait more than they work. (Vitest by itself
 * leaves one core idle.) `figures`: its line tells what it counted instead of how many tests there are.
 * `stores`: where the suite runs, and which of its files, if not all. `buses`: by what three processes tell each other what happens, and which
 * files run so; in a long run all of ACROSS. `beside`: it runs at the same time as the suite before it, which
 * leaves a core idle.
 * @typedef {{ projects: string[], workers: number, stores?: Record<string, readonly string[]>, buses?: Record<string, readonly string[]>, beside?: boolean, built?: boolean, curl?: boolean, browser?: boolean, figures?: boolean }} Suite
 * @type {Readonly<Record<string, Suite>>}
 */
const SUITES = {
  unit: { projects: ['unit', 'mocking', 'dom', 'dom-mocking', 'double'], workers: CORES },
  model: { projects: ['model'], workers: CORES, figures: true },
  faults: { projects: ['faults'], workers: 4, beside: true },
  answers: { projects: ['answers'], workers: CORES, beside: true },
  contract: {
    projects: ['contract'],
    workers: CORES,
    // Both are the same PostgreSQL inside. A server differs in its connections, its locks and its vectors.
    stores: {
      pglite: [],
      postgres: [
        'database',
        'processes',
        'places',
        'leases',
        'bus',
        'forged-bus',
        'lost-commit',
        'statements',
        'conversations',
        'semantic',
        'queue',
        'commands',
      ],
    },
    buses: { notify: ['desk', 'handoff'], redis: [], lossy: [] },
  },
  process: { projects: ['process'], workers: CORES + 2, built: true, curl: true },
  // It waits more than it works.
  cluster: { projects: ['cluster'], workers: 1, beside: true, figures: true },
  browser: { projects: ['browser'], workers: CORES + 2, built: true, browser: true },
}
/** The files whose rules cross processes. */
const ACROSS = ['socket', 'sms', 'handoff', 'desk', 'calls', 'lifetime']
/** Seed and counts of `npm test`, so that every run draws the same. test/model/README.md says what more schedules have shown. */
const QUICK = {
  FOYER_TEST_SEED: '7',
  FOYER_TEST_REQUESTS: '500',
  FOYER_TEST_SCHEDULES: '60',
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
  FOYER_TEST_NEXT: '16',
  FOYER_TEST_DRAWS: '4000',
  FOYER_TEST_SOAK_MINUTES: '30',
}
/** Further versions of Node that run some suites. */
const OTHER_NODES = ['22', '24']
const ON_OTHER_NODES = ['unit', 'process']

ensureNode()
ensureDependencies()
const long = process.argv.includes('--long')
const named = process.argv.slice(2).filter((argument) => argument !== '--long')
const unknown = named.find((name) => !(name in SUITES))
if (unknown) {
  console.error(`There is no suite ${unknown}. There are: ${Object.keys(SUITES).join(', ')}`)
  process.exit(1)
}
const chosen = Object.entries(SUITES).filter(([name]) => named.length === 0 || named.includes(name))
/** @type {NodeJS.ProcessEnv} */
const env = { ...(long ? LONG : QUICK), ...process.env }
if (!process.stdout.isTTY) {
  env.NO_COLOR = '1'
  // Its mere presence turns colours on.
  delete env.FORCE_COLOR
}
if (chosen.some(([, suite]) => suite.curl)) ensureCurl()
if (chosen.some(([, suite]) => suite.browser)) env.CHROME_PATH = ensureChromium()

const folder = mkdtempSync(join(tmpdir(), 'foyer-test-'))
/**
 * The suites of one run share the modules that Vitest has transformed, but for those that run at the same time. Another run begins with
 * none, since Vitest does not notice that a file was moved.
 */
const cached = (/** @type {string} */ name) => [
  '--experimental.fsModuleCache',
  `--experimental.fsModuleCachePath=${join(folder, name)}`,
]
let passed = 0
/** @type {import('./failures.mjs').SuiteFailure[]} */
const failures = []
// Beside the first suite, which needs nothing that is built.
const checks = named.length === 0 ? startChecks() : undefined
if (named.length > 0 && chosen.some(([, suite]) => suite.built)) {
  const { buildIfStale } = await import('./build.mjs')
  await buildIfStale()
}
/** Those of each group run at the same time. @type {[string, Suite][][]} */
const groups = []
for (const entry of chosen) {
  const group = entry[1].beside ? groups.at(-1) : undefined
  if (group) group.push(entry)
  else groups.push([entry])
}
for (const group of groups) {
  await Promise.all(group.map(([name, suite]) => runSuite(name, suite, group.length > 1)))
  await checks
}
rmSync(folder, { recursive: true })
for (const line of linesOf(failures)) console.log(line)
console.log(`${passed} passed, ${failures.length} failed`)
process.exit(failures.length === 0 && passed > 0 ? 0 : 1)

/** `apart`: what it says is kept until it has ended. @param {string} name @param {Suite} suite @param {boolean} apart */
async function runSuite(name, suite, apart) {
  /** @type {string[]} */
  const told = []
  const notRun = (/** @type {string} */ where, /** @type {string} */ why) => {
    console.error(`${name}: not run ${where}. ${why}`)
    if (process.env.CI === 'true') failures.push({ suite: name, test: '', why: `not run ${where}` })
    told.push(`not run ${where}`)
  }
  const begun = performance.now()
  for (const { name: engine, packages } of suite.browser ? ensureEngines() : [])
    notRun(`in ${engine}`, `Install ${packages.join(' and ')}.`)
  /** @type {{ store: string, files: readonly string[], bus?: string }[]} */
  const runs = [
    ...Object.entries(suite.stores ?? { '': [] }).map(([store, files]) => ({
      store,
      files: long ? [] : files,
    })),
    ...Object.entries(suite.buses ?? {})
      .map(([bus, files]) => ({
        store: bus === 'notify' ? 'postgres' : 'pglite',
        files: long ? ACROSS : files,
        bus,
      }))
      .filter(({ files }) => files.length > 0),
  ]
  for (const { store, files, bus } of runs) {
    const server = store === 'postgres' ? await postgres() : undefined
    if (store === 'postgres' && !server) {
      notRun('on PostgreSQL', 'Install it, or set FOYER_DATABASE_URL to a server.')
      continue
    }
    const chosenFiles = files.map((file) => `test/${name}/${file}.test.ts`)
    const counts = await run(`${name}${bus ?? store}`, suite, apart, chosenFiles, {
      ...(bus && { FOYER_TEST_BUS: bus }),
      ...(store && { FOYER_TEST_STORE: store }),
      ...(server && { FOYER_TEST_POSTGRES_URL: server.url }),
    })
    await server?.stop()
    const on = server ? ` on PostgreSQL ${server.version}` : store && ` on ${store}`
    const where = bus ? `${on}, three processes by ${bus}` : on
    add(`${name}${where}`, counts)
    const tests = `${counts.passed} tests passed, ${counts.failures.length} failed, in ${counts.files} files${where}`
    if (suite.figures && counts.figures.length > 0) told.push(counts.figures.join(', ').replaceAll('~', ''))
    else told.push(tests, ...counts.figures)
  }
  for (const major of long && ON_OTHER_NODES.includes(name) ? OTHER_NODES : []) {
    const node = ensureOtherNode(major)
    if (!node) {
      notRun(`on Node ${major}`, 'npm could not install it here.')
      continue
    }
    const path = `${dirname(node)}${delimiter}${process.env.PATH}`
    const counts = await run(`${name}-node${major}`, suite, apart, [], { PATH: path }, node)
    add(`${name} on Node ${major}`, counts)
    told.push(`${counts.passed} tests passed, ${counts.failures.length} failed, on Node ${major}`)
  }
  const seconds = Math.round((performance.now() - begun) / 1_000)
  console.log(`${name}: ${told.join('; ')}; ${seconds} s`)
}

/** Resolves once all is built and checked. */
async function startChecks() {
  const failed = join(folder, 'check.txt')
  writeFileSync(failed, '')
  const { status } = await start('check', process.execPath, [join(root, 'scripts/check.mjs')], true, {
    ...env,
    FOYER_TEST_FAILURES: failed,
  })
  if (status === 0) passed++
  else {
    const lines = readFileSync(failed, 'utf8').split('\n').filter(Boolean)
    for (const why of lines.length > 0 ? lines : [`stopped with status ${status}`])
      failures.push({ suite: 'check', test: '', why })
  }
}

/**
 * Resolves once the program has ended. `apart`: what it says is kept in a file until then, so that no line stands in another's.
 * @param {string} name
 * @param {string} program
 * @param {readonly string[]} args
 * @param {boolean} apart
 * @param {NodeJS.ProcessEnv} env
 */
async function start(name, program, args, apart, env) {
  const said = join(folder, `${name}-said.txt`)
  const output = apart ? openSync(said, 'w') : 'inherit'
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', output, output], env })
  const [status, signal] = await once(child, 'close')
  if (output !== 'inherit') {
    closeSync(output)
    process.stdout.write(readFileSync(said, 'utf8'))
  }
  return { status, signal }
}

/** @param {string} suite @param {import('./reporter.mjs').Report} report */
function add(suite, report) {
  passed += report.passed
  for (const failure of report.failures) failures.push({ suite, ...failure })
}

async function postgres() {
  const { startPostgres } = await import('./postgres.mjs')
  return startPostgres()
}

/**
 * One run of Vitest.
 * @param {string} name
 * @param {Suite} suite
 * @param {boolean} apart
 * @param {readonly string[]} files Empty: all.
 * @param {NodeJS.ProcessEnv} more
 * @param {string} [node] The Node that runs it, and the processes that the tests start.
 */
async function run(name, { projects, workers }, apart, files, more, node = process.execPath) {
  const report = join(folder, `${name}.json`)
  // The suite's further counts, one a line.
  const figures = join(folder, `${name}.txt`)
  writeFileSync(figures, '')
  const chosen = projects.flatMap((project) => ['--project', project])
  const reporter = `--reporter=${join(root, 'scripts/reporter.mjs')}`
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = [
    vitest,
    'run',
    ...files,
    ...chosen,
    `--maxWorkers=${workers}`,
    reporter,
    ...cached(apart ? `modules-${name}` : 'modules'),
  ]
  const { status, signal } = await start(name, node, args, apart, {
    ...env,
    ...more,
    FOYER_TEST_FIGURES: figures,
    FOYER_TEST_REPORT: report,
  })
  const counts = read(report)
  // A suite that stopped before its last line counts as failed.
  if (status !== 0 && counts.failures.length === 0)
    counts.failures.push({ test: '', why: `Vitest stopped with ${signal ?? `status ${status}`}` })
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
