// What failed, in a few lines that still stand where only the end of the output is kept.

import { stripVTControlCharacters } from 'node:util'

/**
 * `suite`: as its command names it. `on`: the store or bus of the run, where the suite has several.
 * @typedef {import('./reporter.mjs').Failure & { suite: string, on?: string }} SuiteFailure
 */

const MOST_TESTS = 40
const LONGEST_LINE = 400

/**
 * For each failure where, the first line of the message, and the command that runs that test again.
 * @param {readonly SuiteFailure[]} failures
 * @returns {string[]}
 */
export function linesOf(failures) {
  const lines = failures.slice(0, MOST_TESTS).flatMap((failure) => {
    const { suite, on, file, names, why } = failure
    const [first = 'no message'] = plain(why).split('\n').filter(Boolean)
    const where = [file, ...names].filter(Boolean).join(' > ')
    const command = commandOf(failure)
    return [
      `failed: ${suite}${on ? ` on ${on}` : ''}${where && `: ${plain(where).replaceAll('\n', ' ')}`}`,
      `  ${first}`,
      ...(command ? [`  again: ${command}`] : []),
    ]
  })
  const more = failures.length - MOST_TESTS
  if (more > 0) lines.push(`failed: ${more} more`)
  // Half a command would run something else.
  return lines.map((line) =>
    line.length > LONGEST_LINE && !line.startsWith('  again: ')
      ? `${line.slice(0, LONGEST_LINE - 1)}…`
      : line,
  )
}

/** @param {SuiteFailure} failure */
function commandOf({ suite, on, file, names }) {
  if (!file) return undefined
  // A dot stands for each character that a shell or a pattern could take for something else.
  const pattern = names.join(' ').replace(/[^\p{L}\p{N} _-]/gu, '.')
  const exact = pattern && ` -t "^${pattern}"`
  // Another Node is the caller's to choose.
  const run = on && !on.startsWith('Node ') ? ` --on ${on}` : ''
  return `npm run test:${suite} -- ${file}${run}${exact.length < LONGEST_LINE ? exact : ''}`
}

/** @param {string} text */
const plain = (text) =>
  stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
