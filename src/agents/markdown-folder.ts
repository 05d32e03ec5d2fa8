// A folder of Markdown files, cut into passages by their headings.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Passage } from '../runtime/index.ts'

const MOST_FILES = 2_000
const LARGEST_FILE = 1024 * 1024

/** Tells whether anything changed: names, times and sizes of all files. */
export function fingerprint(folder: string): string {
  const hash = createHash('sha256')
  for (const path of markdownFiles(folder)) {
    const { mtimeMs, size } = statSync(path)
    hash.update(`${path}\n${mtimeMs}\n${size}\n`)
  }
  return hash.digest('hex')
}

/** Every passage of every file, in the order of file names. */
export function readPassages(folder: string): Passage[] {
  return markdownFiles(folder).flatMap((path) => {
    const text = new TextDecoder('utf-8').decode(readFileSync(path)).replaceAll('\0', '')
    return cut(text, relative(folder, path).split(sep).join('/'))
  })
}

/** Below `folder`, and nowhere else: a link that leads out of it is not followed. */
function markdownFiles(folder: string): string[] {
  const files: string[] = []
  let base: string
  try {
    base = realpathSync(folder)
  } catch {
    return files
  }
  const visit = (at: string) => {
    for (const entry of readdirSync(at, { withFileTypes: true }).sort((a, b) =>
      a.name.localeCompare(b.name, 'en'),
    )) {
      const path = join(at, entry.name)
      if (files.length >= MOST_FILES || entry.name.startsWith('.') || entry.name === 'node_modules') continue
      try {
        const real = realpathSync(path)
        if (real !== base && !real.startsWith(base + sep)) continue
        const stat = statSync(real)
        if (stat.isDirectory() && !entry.isSymbolicLink()) visit(path)
        else if (stat.isFile() && /\.(md|markdown)$/i.test(entry.name) && stat.size <= LARGEST_FILE)
          files.push(path)
      } catch {
        // Gone, or not ours to read: it is left out.
      }
    }
  }
  visit(folder)
  return files
}

/** Cuts at headings, but not inside of code. A passage without text under its heading is none. */
export function cut(text: string, file: string): Passage[] {
  const passages: Passage[] = []
  let heading = file.replace(/\.\w+$/, '').replace(/.*\//, '')
  let lines: string[] = []
  let fence: string | undefined
  const close = () => {
    const body = unwrap(lines).trim()
    if (body) passages.push({ file, heading, body })
    lines = []
  }
  for (const line of text.split(/\r?\n/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark && fence === undefined) fence = mark
    else if (mark && fence !== undefined && mark.startsWith(fence)) fence = undefined
    const title = fence === undefined && !mark ? /^ {0,3}#{1,6}\s+(.+?)\s*#*\s*$/.exec(line)?.[1] : undefined
    if (title === undefined) lines.push(line)
    else {
      close()
      heading = title.replace(/[`*_]/g, '')
    }
  }
  close()
  return passages
}

/** Lines that begin a block of their own: headings, lists, quotes, tables, rules, indented code. */
const BLOCK = /^(\s*([-*+>|#]|\d+[.)]|`{3}|~{3})|\s{4}|\s*$)/

/** Paragraphs that were wrapped for an editor become one line each: in a chat a line break means one. */
function unwrap(lines: readonly string[]): string {
  let text = ''
  let fenced = false
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1] ?? ''
    const isFence = /^ {0,3}(```|~~~)/.test(line)
    const wasText =
      before.trim() !== '' &&
      !/^\s*[|#]/.test(before) &&
      !/( {2}|\\)$/.test(before) &&
      !/^ {0,3}(```|~~~)/.test(before)
    const joins = index > 0 && !fenced && !isFence && wasText && !BLOCK.test(line)
    text += joins ? ` ${line.trim()}` : `${index === 0 ? '' : '\n'}${line}`
    if (isFence) fenced = !fenced
  }
  return text
}
