// The reference pages of docs: what they say is what the packages export.

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { exportsOf } from '../../scripts/declarations.mjs'
import { ENTRIES } from '../../scripts/exports.mjs'
import { flawsOfReference, readComment } from '../../scripts/reference.mjs'
import { DEFAULT_LLM_LIMITS } from '../../src/agents/llm/options.ts'
import { defaultRuntimeSettings } from '../../src/runtime/options.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (page: string) => readFileSync(join(root, 'docs', page), 'utf8')

it('the pages say what the source says', () => {
  expect(flawsOfReference()).toEqual([])
})

it('every exported name has a heading on one page', () => {
  const pages = new Set(Object.values(ENTRIES).map(({ page }) => page))
  const text = [...pages, 'page-events.md'].map(read).join('\n')
  const headings = text.match(/^### \w+$/gm) ?? []
  const exported = Object.values(ENTRIES).flatMap(({ source }) => exportsOf(source).map(({ name }) => name))
  const count = (names: string[], name: string) => names.filter((each) => each === name).length
  expect(exported.length).toBeGreaterThan(100)
  expect(exported.filter((name) => count(headings, `### ${name}`) < count(exported, name))).toEqual([])
})

it.each([
  ['a type', 'create-bff.md', 'fetch(request: Request', 'fetch(request: string'],
  ['a default', 'options.md', '| `float`; `fullscreen` on `ios` |', '| `embedded` |'],
  ['an option', 'options.md', '`data-theme`', '`data-look`'],
])('%s that differs from the source is found', (_, page, right, wrong) => {
  expect(read(page)).toContain(right)
  const flaws = flawsOfReference((each) => (each === page ? read(page).replace(right, wrong) : read(each)))
  expect(flaws).toEqual([`docs/${page}: differs from the source. Run npm run check -- --write`])
})

it('a page without the mark is found', () => {
  const flaws = flawsOfReference((page) => read(page).replace('<!-- generated -->', ''))
  expect(flaws).toContain('docs/agents.md: has no line <!-- generated -->')
})

it.each([
  [
    'Its size. Default: 0.5 MB; more on `ios`. At most 2 MB.',
    'Its size. At most 2 MB.',
    '0.5 MB; more on `ios`',
  ],
  ['Whether it sends. Default true.', 'Whether it sends.', 'true'],
  ['An address.', 'An address.', undefined],
])('a docstring is read: %s', (comment, text, fallback) => {
  expect(readComment(comment)).toEqual({ text, fallback })
})

it.each([
  ['RuntimeSettings', 'create-runtime.md', defaultRuntimeSettings],
  ['LlmLimits', 'agents.md', DEFAULT_LLM_LIMITS],
])('the defaults of %s are those of the code', (name, page, defaults) => {
  const [, section = ''] = read(page).split(`\n### ${name}\n`)
  for (const [option, value] of Object.entries(defaults)) {
    const [, , fallback = ''] = new RegExp(`^\\| \`${option}\` .*`, 'm').exec(section)?.[0].split(' | ') ?? []
    expect([option, fallback.replaceAll(',', '').split(' ')[0]]).toEqual([option, String(value)])
  }
})
