// Indexes the words of conversations for search: in the background once they are quiet, and before each search.

import type { Condition, Database } from '../../database/index.ts'
import { dueIndexing, indexConversations, indexLocked, indexTranscripts, unindexedOf } from './index-store.ts'

const QUIET_MS = 3_000
/** Conversations that one transaction indexes before a search, which waits for the transaction anyway. */
const INDEXED_AT_ONCE = 20
/** Conversations that one background transaction indexes: on PGlite every message waits for it, about 10 ms a conversation. */
const BACKGROUND_BATCH = 4
/** A search waits so long for the index. The background job indexes the rest. */
const LONGEST_BEFORE_SEARCH_MS = 2_000
/** Far more than can be indexed in that time. */
const MOST_BEFORE_SEARCH = 10_000

export interface Indexer {
  /** Indexes every conversation that is quiet or has ended. */
  work(): Promise<void>
  due(): Condition
  /**
   * Indexes what is due of one project before a search, the newest conversations first, for two seconds at most. True if the search
   * finds everything said before it.
   */
  catchUp(projectId: string): Promise<boolean>
  stop(): Promise<void>
}

export function createIndexer({ database, now }: { database: Database; now: () => number }): Indexer {
  let working: Promise<void> | undefined
  let stopping = false

  async function indexRound(): Promise<void> {
    while (!stopping) {
      const quietSince = new Date(now() - QUIET_MS)
      const indexed = await indexTranscripts(database, { quietSince, limit: BACKGROUND_BATCH })
      if (indexed < BACKGROUND_BATCH) return
    }
  }

  return {
    due: dueIndexing,
    work() {
      working ??= indexRound().finally(() => {
        working = undefined
      })
      return working
    },
    async catchUp(projectId) {
      const until = now() + LONGEST_BEFORE_SEARCH_MS
      const late = () => now() >= until
      // Listed once: a search does not wait for what is said after it.
      const due = await unindexedOf(database, projectId, MOST_BEFORE_SEARCH)
      const locked: string[] = []
      for (let from = 0; from < due.length; from += INDEXED_AT_ONCE) {
        if (late()) return false
        const some = due.slice(from, from + INDEXED_AT_ONCE)
        const indexed = new Set(await indexConversations(database, some, late))
        locked.push(...some.filter((id) => !indexed.has(id)))
      }
      for (const id of locked) if (late() || !(await indexLocked(database, id, until - now()))) return false
      return due.length < MOST_BEFORE_SEARCH
    },
    async stop() {
      stopping = true
      await working?.catch(() => {})
    },
  }
}
