// The matrix beside this file: complete, and true.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readTitles } from './titles.ts'

/** How many faults each part has. */
const PARTS = { A: 12, B: 9, C: 8, D: 10, E: 13, F: 12, G: 4, H: 13 }
const FAULTS = Object.entries(PARTS).flatMap(([part, many]) =>
  Array.from({ length: many }, (_, index) => `${part}${index + 1}`),
)
const LEAST_TESTED = 70

const markdown = readFileSync(join(import.meta.dirname, 'matrix.md'), 'utf8')
const titles = new Map(readTitles(join(import.meta.dirname, '..')).map((title) => [title.name, title]))

/** What is wrong with a row, each in a sentence. */
function faultsIn(id: string, held: string): string[] {
  if (/^Not tested: \S+ \S+ \S+/.test(held)) return []
  return held.split(/\s*<br>\s*/).flatMap((part) => {
    const [, name = '', rows] = /^`([^`]+)`(?: \(([^)]+)\))?$/.exec(part) ?? []
    const title = titles.get(name)
    if (!title) return [`${id}: there is no test ${part}`]
    if (title.skipped) return [`${id}: the test is skipped: ${name}`]
    const meant = rows === undefined ? [] : rows.split('; ')
    const own = name.startsWith('faults/')
    return [
      ...meant
        .filter((row) => !title.cases.includes(row))
        .map((row) => `${id}: there is no row ${row} in ${name}`),
      ...(own &&
      !(meant.length > 0 ? meant : [name.split(' › ').at(-1) ?? '']).every((one) => one.startsWith(`${id} `))
        ? [`${id}: ${name} is about another fault`]
        : []),
    ]
  })
}

const rows = markdown
  .split('\n')
  .filter((line) => /^\| [A-H]\d/.test(line))
  .map((line) => line.replace(/^\|\s*|\s*\|$/g, '').split(/\s*\|\s*/))

it('the matrix tells of all 81 faults, in order, and names for each a test that there is, or a reason', () => {
  expect(rows.map(([id]) => id)).toEqual(FAULTS)
  expect(FAULTS).toHaveLength(81)
  expect(rows.flatMap(([id = '', , held = '']) => faultsIn(id, held))).toEqual([])
})

it(`at least ${LEAST_TESTED} of them are tested`, () => {
  const tested = rows.filter(([, , held]) => held?.startsWith('`'))
  expect(tested.length).toBeGreaterThanOrEqual(LEAST_TESTED)
})

it('the matrix is found out for a test under another name', () => {
  expect(faultsIn('A1', '`faults/access.test.ts › made up`')).toHaveLength(1)
  const [, , held = ''] = rows.find(([id]) => id === 'A9') ?? []
  expect(faultsIn('A9', held)).toEqual([])
  expect(faultsIn('A8', held)).toHaveLength(1)
})
