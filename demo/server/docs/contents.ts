// Puts the documents of a folder into the groups and the order of its `contents.txt`.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listMarkdown, readMarkdown } from '../../../src/agents/search/folder.ts'
import { readPassages } from '../../../src/agents/search/passages.ts'

/** `name`: the path below the folder without the file's ending. */
export type Document = { name: string; title: string; text: string }
/** `label` is empty for a folder without groups. */
export type Group = { label: string; documents: Document[] }

/** Begins a line with a group's label, and each line below, indented, with a document's name. */
const CONTENTS = 'contents.txt'
const REST = 'More'

export const nameOf = (file: string): string => file.replace(/\.(md|markdown)$/i, '')

/** Groups of every document. Those that `contents.txt` does not name come last, by their names. */
export async function readContents(folder: string): Promise<Group[]> {
  const { files } = await listMarkdown(folder)
  const documents = new Map(
    files.map(({ name: file, path }) => {
      const text = readMarkdown(path)
      const name = nameOf(file)
      return [name, { name, text, title: readPassages(text, file)[0]?.title ?? name }]
    }),
  )
  const lines = (await readFile(join(folder, CONTENTS), 'utf8').catch(() => '')).split('\n')
  const groups: Group[] = []
  for (const line of lines) {
    const entry = line.trim()
    if (entry === '') continue
    if (!/^\s/.test(line)) groups.push({ label: entry, documents: [] })
    const document = /^\s/.test(line) ? documents.get(nameOf(entry)) : undefined
    if (!document || groups.length === 0) continue
    groups.at(-1)?.documents.push(document)
    documents.delete(document.name)
  }
  const rest = [...documents.values()]
  if (rest.length > 0) groups.push({ label: groups.length > 0 ? REST : '', documents: rest })
  return groups.filter(({ documents }) => documents.length > 0)
}
