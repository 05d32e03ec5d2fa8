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

/** The shell blocks below each heading of a file, in their order, where one of them calls curl. */
export function curlSections(file: string): { heading: string; blocks: string[] }[] {
  const sections = readFileSync(join(root, file), 'utf8').split(/^## /m)
  return sections.flatMap((section) => {
    const blocks = [...section.matchAll(/^```(?:sh|bash|shell|console)[^\n]*\n(.*?)^```$/gms)].map(
      ([, code = '']) => code,
    )
    return blocks.some((code) => /\bcurl\b/.test(code))
      ? [{ heading: section.split('\n')[0] ?? '', blocks }]
      : []
  })
}
