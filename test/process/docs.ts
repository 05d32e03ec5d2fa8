// Reads what the README and the docs tell people to paste.

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** The blocks of a language below a heading, as they stand there. */
export function blocksOf(file: string, heading: string, language: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const [, section = ''] = text.split(`\n## ${heading}\n`)
  const found = [...(section.split('\n## ')[0] ?? '').matchAll(/^```(\w+)\n(.*?)^```$/gms)]
  return found.filter(([, name]) => name === language).map(([, , code = '']) => code)
}
