// Puts the files of examples/ into the pages of docs/ that show them, and says where a page differs from a file.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { root } from './setup.mjs'

const MARKED = /(<!-- file: (\S+) -->\n)[\s\S]*?(<!-- \/file -->)/g

/** The page with each file between its marks. @param {string} page @param {(path: string) => string} read */
export const withFiles = (page, read) =>
  page.replace(
    MARKED,
    (_, open, path, close) => `${open}\n\`\`\`${extname(path).slice(1)}\n${read(path)}\`\`\`\n\n${close}`,
  )

const pages = () =>
  readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8')

export function flawsOfDocsFiles() {
  return pages().flatMap((page) => {
    const text = read(page)
    const missing = [...text.matchAll(MARKED)].flatMap(([, , path = '']) =>
      existsSync(join(root, path)) ? [] : [`${page}: there is no file ${path}`],
    )
    if (missing.length > 0 || withFiles(text, read) === text) return missing
    return [`${page}: shows a file otherwise than it is. Run npm run check -- --write`]
  })
}

export function writeDocsFiles() {
  for (const page of pages()) writeFileSync(join(root, page), withFiles(read(page), read))
}
