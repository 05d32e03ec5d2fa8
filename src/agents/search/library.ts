// Keeps the index of a folder of Markdown files up to date.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../../api/index.ts'
import type { Embeddings } from '../../runtime/index.ts'
import { DISK, type Disk, type FoundFile } from './folder.ts'
import { createPassageVectors, type Near } from './passage-vectors.ts'
import type { Passage } from './passages.ts'
import type { Hit } from './rating.ts'
import { createSearchIndex, type Found, type SearchIndex } from './search-index.ts'

export type Library = Pick<SearchIndex, 'search' | 'passages' | 'files'> & {
  /** Searches by words, and by meaning if embeddings are given. */
  find: (text: string, options?: { before?: string; limit?: number }) => Promise<Found>
  /** The passages whose words match best, best first, in the folder as it is now. */
  lookUp(text: string): Promise<readonly Passage[]>
  /** Resolves once every passage has a vector, or the endpoint has failed. */
  settled(): Promise<void>
  /** Resolves once every noticed change is in the index. */
  refresh(): Promise<void>
  close(): void
}

export type LibraryOptions = {
  folder: string
  /** Milliseconds since any fixed point. */
  now?: () => number
  /** Whether the system reports changes; otherwise the folder is scanned, at most every two seconds. */
  watch?: boolean
  disk?: Disk
  /** Finds passages by meaning too, once their vectors are made. */
  embeddings?: Embeddings | undefined
  log?: Log
}

const RECHECK_MS = 2_000
/** Most listings of one update: a folder whose watch breaks each time is new each time. */
const MOST_LISTINGS = 3
const LONGEST_BUSY_MS = 20
/** Synonyms of the folder: one group a line. */
const SYNONYMS = 'synonyms.txt'

/** Resolves once every file is in the index. A missing folder counts as empty. */
export async function openLibrary({
  folder,
  now = Date.now,
  watch = true,
  disk = DISK,
  embeddings,
  log = () => {},
}: LibraryOptions): Promise<Library> {
  const vectors = embeddings && createPassageVectors(embeddings, log)
  let index = createSearchIndex({ log })
  let synonyms = ''
  let versions = new Map<string, string>()
  /** Files that could not be read, so that the log has one line for each. */
  const unread = new Set<string>()
  let isStale = true
  let isWatched = false
  let checkedAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined
  const folderWatch = disk.watch(() => {
    isStale = true
  })

  /** Lists the files until no change of a folder can have been missed. Where one still can, the next question lists them again. */
  async function list(): Promise<FoundFile[]> {
    for (let left = MOST_LISTINGS; ; left--) {
      // The next update handles changes from here on.
      isStale = false
      checkedAt = now()
      const { files, folders } = await disk.list(folder)
      const { isWhole, isNew } = folderWatch.follow(watch ? folders : [])
      isWatched = isWhole && watch && folders.length > 0
      if (isNew && left > 1) continue
      isStale ||= isNew
      return files
    }
  }

  async function update(): Promise<void> {
    const files = await list()
    const groups = await readFile(join(folder, SYNONYMS), 'utf8').catch(() => '')
    if (groups !== synonyms) {
      synonyms = groups
      index = createSearchIndex({ synonyms, log })
      versions = new Map()
    }
    const present = new Map(files.map(({ name, version }) => [name, version]))
    for (const name of versions.keys()) if (!present.has(name)) index.remove(name)
    const changed = files.filter(({ name, version }) => versions.get(name) !== version)
    const progress = createProgress(changed.length, now, log)
    let busySince = now()
    for (const { name, path } of changed) {
      try {
        index.put(name, disk.read(path))
        unread.delete(name)
      } catch (error) {
        index.remove(name)
        // The next update tries again.
        present.delete(name)
        const why = error instanceof Error ? error.message : 'unknown error'
        if (!unread.has(name)) log(`${name} is left out: ${why}`, 'warn')
        unread.add(name)
      }
      progress.step()
      // Yield, so that visitors are answered while a large folder is read.
      if (now() - busySince < LONGEST_BUSY_MS) continue
      await new Promise(setImmediate)
      busySince = now()
    }
    progress.done(index.passages().length)
    versions = present
    vectors?.follow(index.passages())
  }

  async function refresh(): Promise<void> {
    if (!isStale && (isWatched || now() - checkedAt < RECHECK_MS)) return running
    // One update runs at a time: a second call waits for it, then checks again.
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
    async find(text, options = {}) {
      const found = index.search(text, options)
      const near = await vectors?.nearest([options.before, text].filter(Boolean).join('\n'))
      return near ? fuse(found, near, options.limit) : found
    },
    async lookUp(text) {
      await refresh()
      return index.search(text).hits.map(({ passage }) => passage)
    },
    settled: async () => vectors?.settled(),
    passages: () => index.passages(),
    files: () => index.files(),
    close() {
      folderWatch.close()
      vectors?.close()
    },
  }
}

const FIRST_LINE_MS = 2_000
const NEXT_LINE_MS = 5_000

/** Logs the progress of a long indexing; a short one logs nothing. */
function createProgress(files: number, now: () => number, log: Log) {
  let read = 0
  let hasLogged = false
  let due = now() + FIRST_LINE_MS
  return {
    step(): void {
      read++
      if (now() < due) return
      hasLogged = true
      due = now() + NEXT_LINE_MS
      log(`Indexing documents: ${read} of ${files} files`, 'info')
    },
    done(passages: number): void {
      if (hasLogged) log(`Indexed ${files} files, ${passages} passages`, 'info')
    },
  }
}

/** Damps the first places of each ranking (reciprocal rank fusion). */
const DAMPING = 10
/** A passage whose similarity stands out this far is an answer even if it shares no word with the question. */
const OUTSTANDING = 3.5

/** Joins the rankings by words and by meaning: passages that are high in both come first. */
function fuse(found: Found, near: readonly Near[], limit = 8): Found {
  const ranks = new Map<string, { hit: Hit; rank: number }>()
  const addHit = (hit: Hit, place: number) => {
    const key = `${hit.passage.file}#${hit.passage.slug}`
    const known = ranks.get(key)
    ranks.set(key, { hit: known?.hit ?? hit, rank: (known?.rank ?? 0) + 1 / (DAMPING + place) })
  }
  for (const [place, hit] of found.hits.entries()) addHit(hit, place)
  for (const [place, { passage }] of near.entries())
    addHit({ passage, score: 0, coverage: 0, fit: 0, words: new Set() }, place)
  const hits = [...ranks.values()].sort((a, b) => b.rank - a.rank).map(({ hit }) => hit)
  const [nearest] = near
  const stands = nearest !== undefined && nearest.outstanding >= OUTSTANDING
  // If the search by words has no answer, passages that stand out by meaning come first.
  if (!found.isAnswer && stands)
    hits.sort((a, b) => Number(b.passage === nearest.passage) - Number(a.passage === nearest.passage))
  const standsOut = stands && hits[0]?.passage === nearest.passage
  return { ...found, hits: hits.slice(0, limit), isAnswer: found.isAnswer || stands, standsOut }
}
