// Reads the files of src/ and the imports between them.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'

export const src = resolve(import.meta.dirname, '../../src')
/** The demo's server half is outside src/, and no part of the graph. */
export const DEMO = /^(\.\.\/)+demo\/server\/index\.ts$/

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\b[^'";]*?from\s*'([^']+)'|(?:^|\n)\s*import\s*'([^']+)'|import\(\s*'([^']+)'\s*\)/g

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) return filesBelow(path)
    return /\.(ts|tsx|js)$/.test(name) ? [path] : []
  })
}

const nameOf = (path: string) => relative(src, path).split(sep).join('/')

/** Every file, by its name below src/, with its imports as they are written. */
export const files = filesBelow(src).map((path) => {
  const text = readFileSync(path, 'utf8')
  const imports = [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3] ?? '')
  return { name: nameOf(path), text, imports }
})

/** Every import of one file by another, by their names below src/. */
export const edges = files.flatMap(({ name, imports }) =>
  imports
    .filter((to) => to.startsWith('.') && !DEMO.test(to))
    .map((to) => ({ from: name, to: nameOf(resolve(src, dirname(name), to.replace(/\?.*$/, ''))) })),
)
