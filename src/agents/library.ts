// Keeps the index of a folder of Markdown files as the files are.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFolderWatch, listMarkdown, readMarkdown } from './folder.ts'
import { createSearchIndex, type SearchIndex } from './search-index.ts'

export type Library = Pick<SearchIndex, 'search' | 'passages' | 'files'> & {
  /** Resolves once every change that was noticed is in the index. */
  refresh(): Promise<void>
  close(): void
}

export type LibraryOptions = {
  folder: string
  /** Milliseconds of some clock. */
  now?: () => number
  /** Whether the system tells of changes; else the folder is looked through every two seconds at most. */
  watch?: boolean
}

const RECHECK_MS = 2_000
/** Words of the folder that mean the same: a group a line. */
const SYNONYMS = 'synonyms.txt'

/** Resolves once every file is in the index. A folder that is not there holds no files. */
export async function openLibrary({
  folder,
  now = Date.now,
  watch = true,
}: LibraryOptions): Promise<Library> {
  let index = createSearchIndex()
  let synonyms = ''
  let versions = new Map<string, string>()
  let isStale = true
  let isWatched = false
  let checkedAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined
  const folderWatch = createFolderWatch(() => {
    isStale = true
  })

  async function update(): Promise<void> {
    // Changes from here on are noticed by the next update.
    isStale = false
    checkedAt = now()
    const { files, folders } = await listMarkdown(folder)
    isWatched = watch && folders.length > 0 && folderWatch.follow(folders)
    const groups = await readFile(join(folder, SYNONYMS), 'utf8').catch(() => '')
    if (groups !== synonyms) {
      synonyms = groups
      index = createSearchIndex({ synonyms })
      versions = new Map()
    }
    const present = new Map(files.map(({ name, version }) => [name, version]))
    for (const name of versions.keys()) if (!present.has(name)) index.remove(name)
    for (const { name, path, version } of files) {
      if (versions.get(name) === version) continue
      try {
        index.put(name, await readMarkdown(path))
      } catch {
        index.remove(name)
        present.delete(name)
      }
    }
    versions = present
  }

  async function refresh(): Promise<void> {
    if (!isStale && (isWatched || now() - checkedAt < RECHECK_MS)) return running
    // One update at a time: a second one waits for the first, then looks again.
    await running
    running ??= update().finally(() => {
      running = undefined
    })
    return running
  }
  await refresh()

  return {
    refresh,
    search: (text, options) => index.search(text, options),
    passages: () => index.passages(),
    files: () => index.files(),
    close: () => folderWatch.close(),
  }
}
