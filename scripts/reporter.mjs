// Vitest's reporter for scripts/test.mjs: prints failures alone, tells its parent how far it is, and writes what the totals and the
// last lines are made of to the file that FOYER_TEST_REPORT names.

import { writeFileSync } from 'node:fs'
import { MinimalReporter } from 'vitest/node'

/**
 * `file` and `names` say where: no names where it never came to a test, no file for an error that belongs to no test. `names`: the
 * titles of the groups and of the test. `why` is the message.
 * @typedef {{ file: string, names: string[], why: string }} Failure
 * @typedef {{ passed: number, files: number, failures: Failure[] }} Report
 * @typedef {{ ended: number, files: number, tests: number, failed: number }} Progress
 */

/** @typedef {import('vitest/node').TestModule} TestModule */
/** @typedef {import('vitest/node').TestCase} TestCase */
/** @typedef {import('vitest/node').TestSuite} TestSuite */
/** @typedef {import('vitest/node').SerializedError} SerializedError */

export default class SuiteReporter extends MinimalReporter {
  /** @type {Progress} */
  #progress = { ended: 0, files: 0, tests: 0, failed: 0 }

  constructor() {
    // What tests print, such as seeds, is wanted of those that pass too.
    super({ silent: false })
  }

  /** @override @param {readonly import('vitest/node').TestSpecification[]} specifications */
  onTestRunStart(specifications) {
    super.onTestRunStart(specifications)
    this.#progress.files = specifications.length
  }

  /** @override @param {TestCase} test */
  onTestCaseResult(test) {
    super.onTestCaseResult(test)
    this.#progress.tests++
    if (test.result().state === 'failed') this.#progress.failed++
    this.#tell()
  }

  /** @override @param {TestModule} module */
  onTestModuleEnd(module) {
    super.onTestModuleEnd(module)
    this.#progress.ended++
    this.#tell()
  }

  /**
   * @override
   * @param {readonly TestModule[]} modules
   * @param {readonly SerializedError[]} errors Those that no test caught.
   * @param {import('vitest/node').TestRunEndReason} reason
   */
  onTestRunEnd(modules, errors, reason) {
    super.onTestRunEnd(modules, errors, reason)
    const file = process.env.FOYER_TEST_REPORT
    if (file) writeFileSync(file, JSON.stringify(reportOf(modules, errors)))
  }

  #tell() {
    process.send?.(this.#progress)
  }
}

/**
 * @param {readonly TestModule[]} modules
 * @param {readonly SerializedError[]} errors
 * @returns {Report}
 */
function reportOf(modules, errors) {
  let passed = 0
  /** @type {Failure[]} */
  const failures = []
  for (const module of modules) {
    const file = module.relativeModuleId
    // Errors of a file or of a hook: the tests behind them did not run.
    for (const error of module.errors()) failures.push({ file, names: [], why: error.message })
    for (const suite of module.children.allSuites())
      for (const error of suite.errors()) failures.push({ file, names: namesOf(suite), why: error.message })
    for (const test of module.children.allTests()) {
      const { state, errors = [] } = test.result()
      if (state === 'passed') passed++
      if (state === 'failed')
        failures.push({ file, names: namesOf(test), why: errors[0]?.message ?? 'no message' })
    }
  }
  for (const error of errors)
    failures.push({ file: '', names: [], why: `unhandled error: ${error.message ?? String(error)}` })
  return { passed, files: modules.length, failures }
}

/** @param {TestCase | TestSuite} test @returns {string[]} */
const namesOf = (test) => [...(test.parent.type === 'suite' ? namesOf(test.parent) : []), test.name]
