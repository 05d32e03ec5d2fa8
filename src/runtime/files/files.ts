// Keeps the widget's files of each build in the database. During an upgrade a page that came from one process may ask a
// process of another build for its files.

import type { Database } from '../database/index.ts'
import { type BuildFile, findFile, forgetFiles, insertFile, touchFiles } from './store.ts'

/** A page that was open for longer is loaded anew. */
const KEPT_DAYS = 30
/** More than a hundred builds. */
const MOST_BYTES = 64 * 1024 * 1024

export interface BuildFiles {
  /** Stores the files of this process's build that are not stored yet, for the processes of other builds. */
  keep(files: readonly BuildFile[]): Promise<void>
  /** Says that this process still has the files that it keeps. */
  touch(): Promise<void>
  /** The body of a file. Undefined if no build of the last 30 days had a file of this name. */
  find(name: string): Promise<BuildFile['body'] | undefined>
}

export function createBuildFiles(database: Database): BuildFiles {
  let own: string[] = []
  return {
    async keep(files) {
      own = files.map(({ name }) => name)
      const stored = new Set(await touchFiles(database, own))
      const missing = files.filter(({ name }) => !stored.has(name))
      if (missing.length === 0) return
      for (const file of missing) await insertFile(database, file)
      await forgetFiles(database, KEPT_DAYS, MOST_BYTES)
    },
    async touch() {
      await touchFiles(database, own)
    },
    find: (name) => findFile(database, name),
  }
}
