// docs/architecture.md names every file of src, and no file that is gone.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')

const filesBelow = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? filesBelow(path) : [relative(join(root, 'src'), path)]
  })
/** Files that the page describes for all rooms together. */
const EVERYWHERE = /(^|\/)(index|package|schema|routes|store)\.ts$|^ui\/(locales|stubs)\/|\.css$/
const all = filesBelow(join(root, 'src'))
const files = all.filter((name) => !EVERYWHERE.test(name))

const [nouns = '', others = ''] = page.split('\n## The files of the other rooms\n')
const rowsOf = (text: string, folder: string): string =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`| \`${folder}/\``))
    .join('\n')

/** The part of the page that lists the files of a room, or of a noun of the runtime. */
function partOf(room: string): string {
  if (room === 'runtime') return /\nIn `runtime\/` itself:.*?\n\n/s.exec(nouns)?.[0] ?? ''
  const noun = /^runtime\/(\w+)$/.exec(room)?.[1]
  return noun ? rowsOf(nouns, noun) : rowsOf(others, room)
}
const roomOf = (name: string) => name.split('/').slice(0, -1).join('/')
const baseOf = (name: string) => (name.split('/').at(-1) ?? '').replace(/\.(ts|tsx)$/, '')

it('names every file in the part of its room', () => {
  expect(files.length).toBeGreaterThan(200)
  const missing = files.filter((name) => !partOf(roomOf(name)).includes(`\`${baseOf(name)}\``))
  expect(missing).toEqual([])
})

/** What the parts of the rooms name beside files. */
const NO_FILES = new Set([
  'chat/dispatch',
  ...['help', 'fallback', 'read'].map((name) => `cli/${name}`),
  ...['schema', 'says', 'run', 'show'].map((name) => `cli/commands/${name}`),
  ...['custom', 'ws'].map((name) => `runtime/sessions/${name}`),
  // Of a folder that one entry describes.
  'ui/en-core',
])

it('names no file that is gone', () => {
  const there = new Set(all.map((name) => name.replace(/\.tsx?$/, '')))
  const named = [...new Set(files.map(roomOf))].flatMap((room) =>
    [...partOf(room).matchAll(/`([a-z][a-z\d-]*)`/g)].map(([, name = '']) => `${room}/${name}`),
  )
  expect(named.length).toBeGreaterThan(200)
  expect(named.filter((name) => !there.has(name) && !NO_FILES.has(name))).toEqual([])
})

it('stays short: about 150 lines', () => {
  expect(page.split('\n').length).toBeLessThan(160)
})
