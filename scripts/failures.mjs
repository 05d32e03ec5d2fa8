// What failed, in a few lines that still stand where only the end of the output is kept.

import { stripVTControlCharacters } from 'node:util'

/** @typedef {import('./reporter.mjs').Failure & { suite: string }} SuiteFailure */

const MOST_TESTS = 40
const LONGEST_LINE = 400

/**
 * Two lines for each failure: where, and the first line of the message.
 * @param {readonly SuiteFailure[]} failures
 * @returns {string[]}
 */
export function linesOf(failures) {
  const lines = failures.slice(0, MOST_TESTS).flatMap(({ suite, test, why }) => {
    const [first = 'no message'] = plain(why).split('\n').filter(Boolean)
    return [`failed: ${suite}${test && `: ${plain(test).replaceAll('\n', ' ')}`}`, `  ${first}`]
  })
  const more = failures.length - MOST_TESTS
  if (more > 0) lines.push(`failed: ${more} more`)
  return lines.map((line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - 1)}…` : line))
}

/** @param {string} text */
const plain = (text) =>
  stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
