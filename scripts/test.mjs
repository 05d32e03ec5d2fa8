// `npm test`: sets itself up, builds, and runs every suite, or those that are named. Each suite ends with a
// line that begins with its name; the last line of all counts.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureChromium, ensureDependencies, ensureNode, root } from './setup.mjs'

/** Suite name to the Vitest projects it runs, and whether it needs what is built, or a browser. */
const SUITES = {
  unit: { projects: ['unit', 'dom'], built: false, browser: false },
  contract: { projects: ['contract'], built: false, browser: false },
  process: { projects: ['process'], built: true, browser: false },
  browser: { projects: ['browser'], built: true, browser: true },
}

ensureNode()
ensureDependencies()
const named = process.argv.slice(2)
const unknown = named.find((name) => !(name in SUITES))
if (unknown) {
  console.error(`There is no suite ${unknown}. There are: ${Object.keys(SUITES).join(', ')}`)
  process.exit(1)
}
const chosen = Object.entries(SUITES).filter(([name]) => named.length === 0 || named.includes(name))
/** @type {NodeJS.ProcessEnv} */
const env = { ...process.env, FORCE_COLOR: '0' }
if (chosen.some(([, suite]) => suite.browser)) env.CHROME_PATH = ensureChromium()

let passed = 0
let failed = 0
if (named.length === 0) {
  const check = spawnSync(process.execPath, [join(root, 'scripts/check.mjs')], {
    cwd: root,
    stdio: 'inherit',
  })
  if (check.status === 0) passed++
  else failed++
} else if (chosen.some(([, suite]) => suite.built)) {
  const { buildIfStale } = await import('./build.mjs')
  await buildIfStale()
}
const folder = mkdtempSync(join(tmpdir(), 'foyer-test-'))
for (const [name, suite] of chosen) {
  const report = join(folder, `${name}.json`)
  const projects = suite.projects.flatMap((project) => ['--project', project])
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`]
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const run = spawnSync(process.execPath, [vitest, 'run', ...projects, ...reporters], {
    cwd: root,
    stdio: 'inherit',
    env,
  })
  const counts = count(report)
  passed += counts.passed
  // A suite that broke before it could count has failed all the same.
  failed += counts.failed || (run.status === 0 ? 0 : 1)
  console.log(`${name}: ${counts.passed} tests passed, ${counts.failed} failed, in ${counts.files} files`)
}
rmSync(folder, { recursive: true })
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 && passed > 0 ? 0 : 1)

/** @param {string} report */
function count(report) {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
    const broken = testResults.filter(
      (/** @type {{ status: string, assertionResults: unknown[] }} */ file) =>
        file.status === 'failed' && file.assertionResults.length === 0,
    ).length
    return { passed: numPassedTests, failed: numFailedTests + broken, files: testResults.length }
  } catch {
    return { passed: 0, failed: 1, files: 0 }
  }
}
