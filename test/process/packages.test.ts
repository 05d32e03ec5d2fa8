// What stands in the folders of the packages after any build, that of `npm start` too.

import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const dist = join(root, 'dist')

/** Every path in the fields that tell where code and types are. */
const pathsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(Object(value)).flatMap(pathsIn)

it.each(['foyer-webchat', 'foyer-server'])('%s holds every file that its package.json names', (name) => {
  const read = JSON.parse(readFileSync(join(dist, name, 'package.json'), 'utf8'))
  const named = pathsIn([read.main, read.types, read.exports, read.typesVersions, read.bin])
  expect(named.filter((path) => path.endsWith('.d.ts')).length).toBeGreaterThan(2)
  expect(named.filter((path) => !existsSync(join(dist, name, path)))).toEqual([])
})

it.each(['foyer-webchat', 'foyer-server'])('%s holds the changelog as it is published', (name) => {
  const changelog = (folder: string) => readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')
  expect(changelog(join(dist, name))).toBe(changelog(root))
})
