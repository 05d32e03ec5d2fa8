// Lists and reads the Markdown files of a folder, and reports possible changes.

import { type FSWatcher, readFileSync, watch } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

const MOST_FILES = 10_000
const LARGEST_FILE_BYTES = 1024 * 1024

/** A Markdown file. `version` changes when the file does. */
export type FoundFile = { name: string; path: string; version: string }

/** Markdown files below `folder`, sorted by name, and every folder that holds them. */
export async function listMarkdown(folder: string): Promise<{ files: FoundFile[]; folders: string[] }> {
  const files: FoundFile[] = []
  const folders: string[] = []
  let base: string
  try {
    base = await realpath(folder)
  } catch {
    return { files, folders }
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
          if (!about.isFile() || about.size > LARGEST_FILE_BYTES) continue
          const name = relative(base, path).split(sep).join('/')
          files.push({ name, path, version: `${about.mtimeMs} ${about.size}` })
        }
      } catch {
        // Skip a file that was deleted meanwhile or is not readable.
      }
    }
  }
  await visit(base)
  return { files, folders }
}

export const readMarkdown = (path: string): string => new TextDecoder('utf-8').decode(readFileSync(path))

/** Watches folders for changes, as far as the system supports it. Does not keep the process alive. */
export function createFolderWatch(changed: () => void) {
  const watchers = new Map<string, FSWatcher>()
  return {
    /** Replaces the watched folders. Returns whether the system watches all of them. */
    follow(folders: readonly string[]): boolean {
      const wanted = new Set(folders)
      for (const [folder, watcher] of watchers)
        if (!wanted.has(folder)) {
          watcher.close()
          watchers.delete(folder)
        }
      for (const folder of wanted) {
        if (watchers.has(folder)) continue
        try {
          const watcher = watch(folder, { persistent: false }, changed)
          watcher.on('error', () => {
            watcher.close()
            watchers.delete(folder)
            changed()
          })
          watchers.set(folder, watcher)
        } catch {
          // The system's limit of watches is reached, or the folder is gone.
        }
      }
      return watchers.size === wanted.size
    },
    close(): void {
      for (const watcher of watchers.values()) watcher.close()
      watchers.clear()
    },
  }
}
