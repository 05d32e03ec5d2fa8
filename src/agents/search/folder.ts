// Lists and reads the Markdown files of a folder, and reports possible changes.

import { type FSWatcher, readFileSync, watch } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'

const MOST_FILES = 10_000
const LARGEST_FILE_BYTES = 1024 * 1024

/** A Markdown file. `size`: in bytes. `version` changes when the file does. */
export type FoundFile = { name: string; path: string; size: number; version: string }
/** `tooLarge`: names of Markdown files that are left out. `folders`: all folders that were searched. */
export type Listing = { files: FoundFile[]; tooLarge: string[]; folders: string[] }

/** Markdown files below `folder`, sorted by name. */
export async function listMarkdown(folder: string): Promise<Listing> {
  const files: FoundFile[] = []
  const tooLarge: string[] = []
  const folders: string[] = []
  let base: string
  try {
    base = await realpath(folder)
  } catch {
    return { files, tooLarge, folders }
  }
  const visit = async (at: string): Promise<void> => {
    const entries = await readdir(at, { withFileTypes: true })
    folders.push(at)
    entries.sort((a, b) => (a.name < b.name ? -1 : 1))
    for (const entry of entries) {
      if (files.length >= MOST_FILES || entry.name.startsWith('.') || entry.name === 'node_modules') continue
      const path = join(at, entry.name)
      const isMarkdown = /\.(md|markdown)$/i.test(entry.name)
      try {
        // Does not follow a link that leads out of the folder, nor any link to a folder, which could form a loop.
        if (entry.isDirectory()) await visit(path)
        else if (isMarkdown && (entry.isFile() || (await realpath(path)).startsWith(base + sep))) {
          const about = await stat(path)
          const name = relative(base, path).split(sep).join('/')
          const { size } = about
          if (about.isFile() && size > LARGEST_FILE_BYTES) tooLarge.push(name)
          else if (about.isFile()) files.push({ name, path, size, version: `${about.mtimeMs} ${size}` })
        }
      } catch {
        // Skip a file that was deleted meanwhile or is not readable.
      }
    }
  }
  await visit(base)
  return { files, tooLarge, folders }
}

export const readMarkdown = (path: string): string => new TextDecoder('utf-8').decode(readFileSync(path))

/** Watches folders for changes, as far as the system supports it. Does not keep the process alive. */
export function createFolderWatch(changed: () => void) {
  const watchers = new Map<string, FSWatcher>()
  function forget(folder: string): void {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }
  return {
    /**
     * Replaces the watched folders. `isWhole`: the system watches all of them. `isNew`: one of them only from now on, so that a change may have
     * been missed in it.
     */
    follow(folders: readonly string[]): { isWhole: boolean; isNew: boolean } {
      const wanted = new Set(folders)
      for (const folder of watchers.keys()) if (!wanted.has(folder)) forget(folder)
      let isNew = false
      for (const folder of wanted) {
        if (watchers.has(folder)) continue
        try {
          const watcher = watch(folder, { persistent: false }, (_, name) => {
            // The folder itself is gone or moved: one of the same name that takes its place is another.
            if (name === null || name === basename(folder)) forget(folder)
            changed()
          })
          watcher.on('error', () => {
            forget(folder)
            changed()
          })
          watchers.set(folder, watcher)
          isNew = true
        } catch {
          // The system's limit of watches is reached, or the folder is gone.
        }
      }
      return { isWhole: watchers.size === wanted.size, isNew }
    },
    close(): void {
      for (const folder of watchers.keys()) forget(folder)
    },
  }
}

/** How a library reaches the file system. */
export type Disk = {
  list: typeof listMarkdown
  read: typeof readMarkdown
  watch: typeof createFolderWatch
}
export const DISK: Disk = { list: listMarkdown, read: readMarkdown, watch: createFolderWatch }
