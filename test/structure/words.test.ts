// Every word of the panel is used, and every locale has exactly the words of English.

import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { en } from '../../src/ui/locales/en.ts'

const ui = resolve(import.meta.dirname, '../../src/ui')
const locales = readdirSync(join(ui, 'locales')).filter((name) => name !== 'index.ts')
const source = readdirSync(ui)
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => readFileSync(join(ui, name), 'utf8'))
  .join('\n')

it('every word is used by the panel', () => {
  expect(Object.keys(en).filter((key) => !new RegExp(`\\.${key}\\b`).test(source))).toEqual([])
})

it.each(locales)('%s has exactly the words of English', async (name) => {
  const module = (await import(`../../src/ui/locales/${name}`)) as Record<string, object>
  const [words = {}] = Object.values(module)
  expect(Object.keys(words).sort()).toEqual(Object.keys(en).sort())
})
