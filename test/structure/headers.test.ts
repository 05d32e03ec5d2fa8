// Each file of src/ says in its first sentence what it does, as docs/architecture.md promises.

import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const src = resolve(import.meta.dirname, '../../src')

/** The comment at the top, without the line that names the program. */
const headerOf = (text: string): string => {
  const [comment = ''] = /^(\/\/ .*\n)*/.exec(text.replace(/^#!.*\n/, '')) ?? []
  return comment.replaceAll(/^\/\/ /gm, '').replaceAll('\n', ' ')
}
/** Begins as a sentence and has its end. */
const isSentence = (header: string): boolean => /^\P{Ll}.*\.(\s|$)/u.test(header)

it('each file of src/ begins with a sentence that says what it does', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    // A door lists names, and the folder's other files say what they are.
    (path) => /\.tsx?$/.test(path) && !/(^|\/)index\.ts$|\.d\.ts$/.test(path),
  )
  expect(files.length).toBeGreaterThan(400)
  expect(files.filter((path) => !isSentence(headerOf(readFileSync(join(src, path), 'utf8'))))).toEqual([])
})

it.each([
  ['no comment', "import { a } from './a.ts'\n"],
  ['the comment of an export', '/** Does a thing. */\nexport const a = 1\n'],
  ['a comment without an end', '// draws\nexport const a = 1\n'],
  ['an empty line before it', '\n// Draws a thing.\n'],
])('%s is no sentence at the top', (_, text) => {
  expect(isSentence(headerOf(text))).toBe(false)
})
