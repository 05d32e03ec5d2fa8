// Nothing is exported that nobody uses. What the packages export is in the docs' reference, which test/scripts/reference.test.ts holds.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exportsOf } from '../../scripts/declarations.mjs'
import { ENTRIES } from '../../scripts/exports.mjs'

const root = resolve(import.meta.dirname, '../..')

const filesBelow = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) return filesBelow(path)
    return /\.(tsx?|m?js)$/.test(name) ? [path] : []
  })
const files = ['src', 'demo', 'test', 'scripts']
  .flatMap((folder) => filesBelow(join(root, folder)))
  .map((path) => ({ name: relative(root, path), text: readFileSync(path, 'utf8') }))
  .map((file) => ({ ...file, words: new Set(file.text.match(/\w+/g)) }))
const source = files.filter(({ name }) => name.startsWith('src/'))

/** The files beside this one that contain a name. */
const usersOf = (name: string, own: string) =>
  files.filter((file) => file.name !== own && file.words.has(name))

describe('an exported name', () => {
  it('of a value is used by another file', () => {
    const unused = source
      .filter(({ name }) => !name.includes('/stubs/') && !name.endsWith('index.ts'))
      .flatMap(({ name, text }) =>
        [...text.matchAll(/^export (?:async )?(?:abstract )?(?:const|function\*?|class) (\w+)/gm)]
          .map(([, value = '']) => value)
          .filter((value) => usersOf(value, name).length === 0)
          .map((value) => `${name} ${value}`),
      )
    expect(unused).toEqual([])
  })

  it('of an index is used beyond its folder, or by a package', () => {
    const entries = new Set(Object.values(ENTRIES).map((entry) => entry.source))
    const unused = source
      .filter(({ name }) => name.endsWith('/index.ts') && !entries.has(name))
      .flatMap(({ name }) => {
        const folder = name.replace(/index\.ts$/, '')
        const outside = (user: { name: string }) =>
          !user.name.startsWith(folder) || user.name === `${folder}package.ts`
        return exportsOf(name)
          .filter((exported) => !usersOf(exported.name, name).some(outside))
          .map((exported) => `${name} ${exported.name}`)
      })
    expect(unused).toEqual([])
  })
})
