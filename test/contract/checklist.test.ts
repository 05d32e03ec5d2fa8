// The checklists beside this file, of the runtime API document and of the chat's wire: complete, and true.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { faultsOf } from './checklist.ts'
import { readTitles, titlesIn } from './titles.ts'

/** Lines of the runtime API document. */
const LAST_LINE = 371
const checklist = readFileSync(join(import.meta.dirname, 'checklist.md'), 'utf8')
const titles = readTitles(join(import.meta.dirname, '..'))

describe('the checklist', () => {
  it('names an existing test or a reason for every line of the document', () => {
    expect(faultsOf(checklist, LAST_LINE, titles)).toEqual([])
  })

  it('has a fault when a row is missing or a test is renamed', () => {
    const rows = checklist.split('\n')
    const at = rows.findIndex((row) => row.startsWith('| 125 |'))
    expect(faultsOf(rows.toSpliced(at, 1).join('\n'), LAST_LINE, titles)).toEqual(['line 125 is missing'])
    const [, name = ''] = /`([^`]+)`/.exec(rows[at] ?? '') ?? []
    const renamed = titles.map((title) => (title.name === name ? { ...title, name: 'another' } : title))
    expect(faultsOf(checklist, LAST_LINE, renamed)).toContain(`row 125: there is no test ${name}`)
  })
})

it('the README names existing tests', () => {
  const root = join(import.meta.dirname, '../..')
  const named = readFileSync(join(root, 'README.md'), 'utf8').match(/test\/[\w/-]+\.test\.ts/g) ?? []
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

describe('the checklist of the wire', () => {
  const wire = readFileSync(join(import.meta.dirname, 'wire-checklist.md'), 'utf8')
  const last = wire.match(/^\| \d+ \|/gm)?.length ?? 0

  it('names an existing test or a reason for each promise', () => {
    expect(faultsOf(wire, last, titles)).toEqual([])
    expect(last).toBeGreaterThanOrEqual(138)
  })

  it('has a fault when a row is missing or a test is renamed', () => {
    const rows = wire.split('\n')
    const at = rows.findIndex((row) => row.startsWith('| 20 |'))
    expect(faultsOf(rows.toSpliced(at, 1).join('\n'), last, titles)).toEqual(['line 20 is missing'])
    const [, name = ''] = /`([^`]+)`/.exec(rows[at] ?? '') ?? []
    const renamed = titles.map((title) => (title.name === name ? { ...title, name: 'another' } : title))
    expect(faultsOf(wire, last, renamed)).toContain(`row 20: there is no test ${name}`)
  })
})

describe('a test', () => {
  const named = titlesIn(
    'made/up.test.ts',
    `
    const ROWS: [string, number][] = [['one', 1], ['two', 2]]
    it('stands alone', () => {})
    it(\`has \${count} parts\`, () => {}, 60_000)
    it('is ' + 'built', () => {})
    it.each([404, 500])('with %s', () => {})
    describe.each(KINDS)('in %s', (kind) => {
      describe('a group', () => {
        it.skipIf(kind === 'memory')('runs at times', async () => { await other.it('never named') })
        it.each(ROWS)('of %s', () => {})
        it.skip('is skipped', () => {})
        it.todo('is to do')
      })
    })
    describe.skip('a skipped group', () => { test('is skipped with it', () => {}) })
  `,
  )

  it('is known by its file, its groups and its title, as written in the source', () => {
    expect(named.map(({ name }) => name)).toEqual([
      'made/up.test.ts › stands alone',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: as it is written
      'made/up.test.ts › has ${count} parts',
      'made/up.test.ts › with %s',
      'made/up.test.ts › in %s › a group › runs at times',
      'made/up.test.ts › in %s › a group › of %s',
      'made/up.test.ts › in %s › a group › is skipped',
      'made/up.test.ts › in %s › a group › is to do',
      'made/up.test.ts › a skipped group › is skipped with it',
    ])
  })

  it('has the rows of its table, and the reader knows whether it is skipped', () => {
    expect(named.filter(({ skipped }) => skipped).map(({ name }) => name.split(' › ').at(-1))).toEqual([
      'is skipped',
      'is to do',
      'is skipped with it',
    ])
    expect(named.flatMap(({ cases }) => cases)).toEqual(['404', '500', 'one', 'two'])
  })
})

describe('a made-up checklist', () => {
  const known = [
    { name: 'a.test.ts › works', skipped: false, cases: ['one', 'two'] },
    { name: 'a.test.ts › rests', skipped: true, cases: [] },
  ]
  const head = '# Checklist\n\n| lines | what it says | test or reason |\n|---|---|---|\n'
  const rows = [
    '| 1 | heading | |',
    '| 2-3 | blank | |',
    '| 4a | It works. | `a.test.ts › works` |',
    '| 4b | Once more. | `a.test.ts › works` (two; one)<br>`a.test.ts › works` |',
    '| 5 | Advice. | Not tested: it is advice. |',
  ]
  const faults = (change: Record<number, string>) =>
    faultsOf(head + rows.map((row, index) => change[index] ?? row).join('\n'), 5, known)

  it('has no fault when every line has a row', () => expect(faults({})).toEqual([]))

  it.each<[string, Record<number, string>, string]>([
    ['a missing line', { 4: '' }, 'line 5 is missing'],
    ['a line missing in a range', { 1: '| 2 | blank | |' }, 'line 3 is missing'],
    ['a missing sentence', { 2: '' }, 'row 4b: it does not follow row 2-3'],
    ['a sentence told twice', { 3: rows[2] ?? '' }, 'row 4a: it does not follow row 4a'],
    ['a line too many', { 4: '| 5-6 | blank | |' }, 'row 5-6: the document has 5 lines'],
    ['an empty cell', { 4: '| 5 | Advice. | |' }, 'row 5: it has neither a test nor a reason'],
    ['nothing said', { 4: '| 5 | | `a.test.ts › works` |' }, 'row 5: it does not say what the line says'],
    [
      'a reason that is none',
      { 4: '| 5 | Advice. | Not tested: no. |' },
      'row 5: it is no reason: Not tested: no.',
    ],
    [
      'a wrong name',
      { 2: '| 4a | It works. | `a.test.ts › work` |' },
      'row 4a: there is no test a.test.ts › work',
    ],
    [
      'a name in the wrong form',
      { 2: '| 4a | It works. | see `a.test.ts › works` |' },
      'row 4a: it is no name of a test: see `a.test.ts › works`',
    ],
    [
      'a wrong row of a table',
      { 2: '| 4a | It works. | `a.test.ts › works` (one; three) |' },
      'row 4a: there is no row three in a.test.ts › works',
    ],
    [
      'a test that is skipped',
      { 2: '| 4a | It works. | `a.test.ts › rests` |' },
      'row 4a: the test is skipped: a.test.ts › rests',
    ],
    [
      'sentences that share a row',
      { 1: '| 2-3 | Two things. | `a.test.ts › works` |' },
      'row 2-3: sentences of several lines share it',
    ],
    ['a row that cannot be read', { 4: '| five | blank | |' }, 'a row cannot be read: | five | blank | |'],
  ])('reports a fault for %s', (_, change, fault) => expect(faults(change)).toContain(fault))
})
