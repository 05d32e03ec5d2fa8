// Vitest's reporter for scripts/test.mjs: prints failures alone, and writes what the totals and the last lines are made of to
// the file that FOYER_TEST_REPORT names.

import { writeFileSync } from 'node:fs'
import { MinimalReporter } from 'vitest/node'

/**
 * `test` says where: file and titles, or the file alone where it never came to a test; empty for an error that belongs to
 * no test. `why` is the message.
 * @typedef {{ test: string, why: string }} Failure
 * @typedef {{ passed: number, files: number, failures: Failure[] }} Report
 */

/** @typedef {import('vitest/node').TestModule} TestModule */
/** @typedef {import('vitest/node').SerializedError} SerializedError */

export default class SuiteReporter extends MinimalReporter {
  constructor() {
    // What tests print, such as seeds, is wanted of those that pass too.
    super({ silent: false })
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
    for (const error of module.errors()) failures.push({ test: file, why: error.message })
    for (const suite of module.children.allSuites())
      for (const error of suite.errors())
        failures.push({ test: `${file} > ${suite.fullName}`, why: error.message })
    for (const test of module.children.allTests()) {
      const { state, errors = [] } = test.result()
      if (state === 'passed') passed++
      if (state === 'failed')
        failures.push({ test: `${file} > ${test.fullName}`, why: errors[0]?.message ?? 'no message' })
    }
  }
  for (const error of errors)
    failures.push({ test: '', why: `unhandled error: ${error.message ?? String(error)}` })
  return { passed, files: modules.length, failures }
}
