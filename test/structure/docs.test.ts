// The pages of docs/ name every event of the page with its fields, and their links lead somewhere.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type ESTree, parseSync, Visitor } from 'vite'
import { expect, it } from 'vitest'
import { readPassages, slugOf } from '../../src/agents/search/passages.ts'
import { EXPOSED } from '../../src/embed/frame/chat/exposure.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

it('the docs name every event that the page hears, with each of its fields', () => {
  const events = Object.entries(EXPOSED).map(([name, fields]) => ({ name, fields: Object.keys(fields) }))
  expect(events.length).toBeGreaterThan(8)
  expect(events.filter(({ fields }) => fields.length === 0)).toEqual([])
  const rows = read('docs/page-events.md').split('\n')
  const missing = events.flatMap(({ name, fields }) => {
    const row = rows.find((line) => line.startsWith(`| \`${name}\` `))
    return row
      ? fields.filter((field) => !row.includes(`\`${field}\``)).map((field) => `${name}.${field}`)
      : [name]
  })
  expect(missing).toEqual([])
})

it('the docs name every field of a carrier, in the section on how to write one', () => {
  const [, section = ''] = read('docs/runtime.md').split('\n## How to write a carrier\n')
  const [text = ''] = section.split('\n## ')
  const fields = ['messaging', 'calls'].flatMap((noun) => {
    const path = `src/runtime/${noun}/carrier.ts`
    const found: string[] = []
    const note = ({ key }: { key: ESTree.Node }) => void (key.type === 'Identifier' && found.push(key.name))
    const { program } = parseSync(path, read(path))
    new Visitor({ TSPropertySignature: note, TSMethodSignature: note }).visit(program)
    return found
  })
  expect(fields).toEqual(expect.arrayContaining(['keyword', 'media', 'hangUp', 'connect', 'dtmf']))
  expect([...new Set(fields)].filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([])
})

it('the README names tests that exist', () => {
  const named = read('README.md').match(/test\/[\w/-]+\.test\.ts/g) ?? []
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

it('the README links to each page of the docs', () => {
  const linked = new Set(
    [...read('README.md').matchAll(/\]\(docs\/([\w-]+\.md)[#)]/g)].map(([, name]) => name),
  )
  const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
  expect(pages.filter((name) => !linked.has(name))).toEqual([])
  expect([...linked].filter((name) => !pages.includes(name ?? ''))).toEqual([])
})

it('the docs and the README link to headings that exist', () => {
  const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
  const anchors = new Map(
    pages.map((name) => [name, new Set(readPassages(read(`docs/${name}`), name).map(({ slug }) => slug))]),
  )
  const broken = [...pages.map((name) => `docs/${name}`), 'README.md'].flatMap((path) =>
    [...read(path).matchAll(/\]\((?:docs\/)?([\w-]+\.md)?#([^)]+)\)/g)]
      .map(([, page = path.replace('docs/', ''), anchor = '']) => ({ page, anchor }))
      .filter(({ page, anchor }) => anchors.has(page) && !anchors.get(page)?.has(anchor))
      .map(({ page, anchor }) => `${path}: ${page}#${anchor}`),
  )
  expect(broken).toEqual([])
  expect(slugOf('What Foyer costs')).toBe('what-foyer-costs')
})
