// Puts the documents of a folder into groups: those of its `contents.txt`, else its folders.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listMarkdown, readMarkdown } from '../agents/index.ts'
import { DocsError } from './docs-error.ts'
import { type Page, readPage } from './page.ts'
import { words } from './words.ts'

/** A file of the folder. `name`: the path below the folder without the file's ending. `version` changes when the file does. */
export type Document = Page & { name: string; version: string }
/** `label` is empty for documents without a group. */
export type Group = { label: string; documents: Document[] }
export type Contents = {
  groups: readonly Group[]
  /** All documents, in the order of the groups. */
  documents: readonly Document[]
  /** Where a reader begins. */
  home: Document | undefined
  /** What is wrong with the files, one line each: file, line and reason. */
  flaws: readonly string[]
}

/** Begins a line with a group's label, and each line below, indented, with a document's name. */
const CONTENTS = 'contents.txt'
/** Each page lists all documents. */
const MOST_DOCUMENTS = 1_000
/** All documents are kept in memory, parsed. */
const MOST_MB = 32
const HOME = /^(readme|index|about|getting-started)$/i
const ENDING = /\.(md|markdown)$/i

export const nameOf = (file: string): string => file.replace(ENDING, '')

export type ContentsOptions = {
  /** The language of pages that do not name theirs. Default: each page's words tell its language. */
  language?: string | undefined
  /** An earlier result for the folder: only files that have changed since are read. */
  earlier?: Contents | undefined
}

/** Reads every document. Throws a `DocsError` for a folder with too many. */
export async function readContents(
  folder: string,
  { language, earlier }: ContentsOptions = {},
): Promise<Contents> {
  const { files, tooLarge } = await listMarkdown(folder)
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  if (files.length > MOST_DOCUMENTS || bytes > MOST_MB * 1024 * 1024)
    throw new DocsError(
      `${folder} has more than ${MOST_DOCUMENTS} documents, or more than ${MOST_MB} MB of them.`,
    )
  const known = new Map(earlier?.documents.map((document) => [document.file, document]))
  const all = files.map(({ name, path, version }): Document => {
    const before = known.get(name)
    if (before?.version === version) return before
    return { ...readPage(readMarkdown(path), name, language), name: nameOf(name), version }
  })
  const flaws = tooLarge.map((name) => `${name}: the file is larger than 1 MB`)
  for (const { file, flaws: found } of all) flaws.push(...found.map((flaw) => `${file}:1: ${flaw}`))
  const rest = new Set(all)
  const byName = new Map(all.map((document) => [document.name, document]))
  const lines = (await readFile(join(folder, CONTENTS), 'utf8').catch(() => '')).split('\n')
  const groups: Group[] = []
  for (const [index, line] of lines.entries()) {
    const entry = line.trim()
    if (entry === '') continue
    if (!/^\s/.test(line)) {
      groups.push({ label: entry, documents: [] })
      continue
    }
    const document = byName.get(nameOf(entry))
    if (!document) flaws.push(`${CONTENTS}:${index + 1}: there is no page ${entry}`)
    // A line above the first label belongs to no group, and a second line to none either.
    if (document && groups.length > 0 && rest.delete(document)) groups.at(-1)?.documents.push(document)
  }
  for (const [label, documents] of byFolder([...rest]))
    groups.push({ label: label === '' && groups.length > 0 ? words.more : label, documents })
  const kept = groups.filter(({ documents }) => documents.length > 0)
  const documents = kept.flatMap((group) => group.documents)
  const home = documents.find(({ name }) => HOME.test(name)) ?? documents[0]
  return { groups: kept, documents, home, flaws }
}

/** Groups by the names of the folders, those of the outermost folder first; in each the page about the folder first. */
function byFolder(documents: readonly Document[]): ReadonlyMap<string, Document[]> {
  const groups = new Map<string, Document[]>()
  const sorted = [...documents].sort((a, b) => Number(a.name.includes('/')) - Number(b.name.includes('/')))
  for (const document of sorted) {
    const label = document.name.split('/').slice(0, -1).map(inWords).join(' / ')
    const group = groups.get(label) ?? []
    if (/(^|\/)(readme|index)$/i.test(document.name)) group.unshift(document)
    else group.push(document)
    groups.set(label, group)
  }
  return groups
}

const inWords = (folder: string): string => {
  const text = folder.replace(/[-_]+/g, ' ').trim()
  return text.charAt(0).toUpperCase() + text.slice(1)
}
