// README and docs state the sizes and speeds of docs/figures.json, and no others.

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  flawsOfPage,
  flawsOfPages,
  flawsOfSizes,
  LOADED,
  publish,
  readFigures,
  TABLES,
  withTables,
} from '../../scripts/figures.mjs'

const root = resolve(import.meta.dirname, '../..')
const RUN = { command: 'npm run bench', date: '2026-05-04', commit: '1a2b3c4d', machine: 'one', load: 'none' }
const FIGURES = {
  sizes: {
    loader: 5,
    off: 5,
    compat: 1,
    attention: 8,
    live: 60,
    markdown: 20,
    extras: 10,
    npm: 12,
    react: 12,
    element: 12,
  },
  tables: {
    peers: {
      ...RUN,
      columns: ['Foyer', 'another'],
      rows: [
        { name: 'a press, ms', cells: [4.25, null], inReadme: true },
        { name: 'an answer, ms', cells: [1234.5, '> 30 s'] },
      ],
    },
  },
}
const page = (name: string) => withTables(`<!-- figures: ${name} -->\n<!-- /figures -->\n`, FIGURES)

it('every page states the figures of docs/figures.json', () => {
  expect(flawsOfPages()).toEqual([])
})

it('every table that the bench publishes stands in the benchmarks, and the README has sizes and peers', () => {
  const benchmarks = readFileSync(join(root, 'docs/benchmarks.md'), 'utf8')
  expect(['sizes', ...TABLES].filter((name) => !benchmarks.includes(`<!-- figures: ${name} -->`))).toEqual([])
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  expect(
    ['sizes in short', 'peers in short'].filter((name) => !readme.includes(`<!-- figures: ${name} -->`)),
  ).toEqual([])
})

it('every published table says by what, when, at which commit and on which machine it was measured', () => {
  for (const { command, date, commit, machine, load, columns, rows } of Object.values(readFigures().tables)) {
    expect(command).toMatch(/^npm run bench/)
    expect(date).toMatch(/^20\d\d-\d\d-\d\d$/)
    expect(commit).toMatch(/^[0-9a-f]{8}$/)
    expect([machine, load].every((text) => text.length > 3)).toBe(true)
    expect(rows.filter(({ cells }) => cells.length !== columns.length)).toEqual([])
  }
})

it('a table has a row for each figure, and the README its own rows alone', () => {
  expect(page('peers')).toContain('| a press, ms | 4.3 | – |\n| an answer, ms | 1,235 | > 30 s |')
  expect(page('peers')).toContain('Measured 2026-05-04 at commit 1a2b3c4d by `npm run bench`; one; none.')
  expect(page('peers in short')).toContain('| a press, ms | 4.3 | – |')
  expect(page('peers in short')).not.toContain('an answer')
  expect(page('sizes')).toContain('| until the chat is live: launcher and panel | 65 |')
  expect(page('guide')).toContain('Not measured yet.')
})

it.each([
  ['a figure that was changed by hand', page('peers').replace('1,235', '1,035')],
  ['a date that was changed by hand', page('peers').replace('2026-05-04', '2026-05-05')],
  ['a size that was changed by hand', page('sizes').replace('| 60 |', '| 50 |')],
  ['a row that was taken out', page('peers').replace(/.*a press.*\n/, '')],
  ['a table that does not exist', page('beers')],
  ['a table without an end', page('peers').replace('<!-- /figures -->', '')],
  ['a size in a sentence', `${page('sizes')}The panel has at most 49.7 KB.`],
  ['a speed in a sentence', 'The panel is there after 31 ms.'],
])('%s is found', (_, text) => {
  expect(flawsOfPage('docs/benchmarks.md', text, FIGURES)).toHaveLength(1)
})

it('a page without a flaw has none, also with times that are rules', () => {
  expect(flawsOfPage('README.md', `${page('sizes')}\n${page('peers in short')}`, FIGURES)).toEqual([])
  expect(flawsOfPage('docs/architecture.md', 'Every 30 ms chunks are stored.', FIGURES)).toEqual([])
})

it('the element weighs no more than the script of the page', () => {
  const { sizes } = readFigures()
  expect(sizes.element).toBeLessThanOrEqual(sizes.loader)
})

it('a build above a promised size, or far below it, is found, and so is a size without a promise', () => {
  const built = {
    loader: 5120,
    off: 4700,
    compat: 900,
    attention: 8000,
    live: 61_000,
    markdown: 20_000,
    extras: 10_000,
    npm: 12_000,
    react: 12_000,
    element: 12_000,
  }
  expect(Object.keys(built)).toEqual(Object.keys(LOADED))
  expect(flawsOfSizes(built, FIGURES)).toEqual([])
  const flaws = (more: Record<string, number | undefined>) => {
    const { length } = flawsOfSizes({ ...built, ...more } as Record<string, number>, FIGURES)
    return length
  }
  expect(flaws({ loader: 5121 })).toBe(1)
  expect(flaws({ live: 50_000 })).toBe(1)
  expect(flaws({ live: 0 })).toBe(1)
  expect(flaws({ live: undefined })).toBe(1)
  expect(flaws({ another: 100 })).toBe(1)
  expect(flawsOfSizes(built, { ...FIGURES, sizes: { ...FIGURES.sizes, live: 60.5 } })).toHaveLength(1)
})

let tree: string
beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), 'foyer-figures-'))
  for (const folder of ['docs', 'packages'])
    cpSync(join(root, folder), join(tree, folder), { recursive: true })
  cpSync(join(root, 'README.md'), join(tree, 'README.md'))
})
afterAll(() => rmSync(tree, { recursive: true }))

it('what a bench measured takes the place of its own tables alone, in the file and on the pages', () => {
  const before = readFigures(tree)
  publish(FIGURES.tables, tree)
  const after = readFigures(tree)
  expect(after).toEqual({ ...before, tables: { ...before.tables, ...FIGURES.tables } })
  expect(flawsOfPages(tree)).toEqual([])
  expect(readFileSync(join(tree, 'README.md'), 'utf8')).toContain('| a press, ms | 4.3 | – |')
  expect(() => publish({ beers: FIGURES.tables.peers }, tree)).toThrow('beers')
})

it('the tables of a file that was edited are written again by publish', () => {
  const file = join(tree, 'docs/figures.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace(/"live": \d+/, '"live": 99'))
  expect(flawsOfPages(tree).length).toBeGreaterThan(0)
  publish({}, tree)
  expect(flawsOfPages(tree)).toEqual([])
})
