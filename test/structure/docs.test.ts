// The pages of docs/ name every event of the page with its fields, and their links lead somewhere.

import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { drawSite } from '../../src/docs/index.ts'
import { EXPOSED } from '../../src/embed/frame/chat/exposure.ts'

const root = resolve(import.meta.dirname, '../..')
const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

it('the docs name every event that the page hears, with each of its fields', () => {
  const events = Object.entries(EXPOSED).map(([name, fields]) => ({ name, fields: Object.keys(fields) }))
  expect(events.length).toBeGreaterThan(8)
  expect(events.filter(({ fields }) => fields.length === 0)).toEqual([])
  const rows = pages.flatMap((name) => read(`docs/${name}`).split('\n'))
  const missing = events.flatMap(({ name, fields }) => {
    const named = rows.filter((line) => line.startsWith(`| \`${name}\` `))
    return named.some((row) => fields.every((field) => row.includes(`\`${field}\``))) ? [] : [name]
  })
  expect(missing).toEqual([])
})

it('the README names tests that exist', () => {
  const named = read('README.md').match(/test\/[\w/-]+\.test\.ts/g) ?? []
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

it('the links of the docs, and of the README to them, lead to pages, headings and files that exist', async () => {
  expect((await drawSite({ folder: join(root, 'docs') })).flaws).toEqual([])
  const folder = mkdtempSync(join(tmpdir(), 'foyer-readme-'))
  try {
    for (const name of ['README.md', 'docs', 'examples', 'CHANGELOG.md', 'LICENSE'])
      cpSync(join(root, name), join(folder, name), { recursive: true })
    // The code of an example is no page.
    for (const name of readdirSync(join(folder, 'examples')))
      writeFileSync(join(folder, 'examples', name, 'README.md'), '')
    writeFileSync(join(folder, 'examples/README.md'), '')
    const { flaws } = await drawSite({ folder })
    expect(flaws.filter((flaw) => flaw.startsWith('README.md:'))).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('every page of the docs is in contents.txt, once', () => {
  const named = read('docs/contents.txt')
    .split('\n')
    .filter((line) => line.startsWith('  '))
    .map((line) => `${line.trim()}.md`)
  expect(named.sort()).toEqual([...pages].sort())
})
