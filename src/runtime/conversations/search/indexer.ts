// Indexes the words of conversations for search: in the background once they are quiet, and before each search.

import type { Database } from '../../database/index.ts'
import { dateTranscripts, hasUndated, hasUnindexed, indexTranscripts } from './index-store.ts'

const QUIET_MS = 3_000
/** Conversations that one transaction indexes before a search, which waits for the transaction anyway. */
const INDEXED_AT_ONCE = 20
/** Conversations that one background transaction indexes: on PGlite every message waits for it, about 10 ms a conversation. */
const BACKGROUND_BATCH = 4
/** Transcripts of an earlier build that one statement dates. */
const DATED_AT_ONCE = 50
/** Most conversations indexed before a search. The background job indexes the rest. */
const MOST_BEFORE_SEARCH = 200

export interface Indexer {
  /** Indexes every conversation that is quiet or has ended. */
  work(): Promise<void>
  /** Indexes every conversation of one project that is due, so that a search finds everything said before it. */
  catchUp(projectId: string): Promise<void>
  stop(): Promise<void>
}

export function createIndexer({ database, now }: { database: Database; now: () => number }): Indexer {
  let working: Promise<void> | undefined
  let stopping = false
  let allDated = false

  async function indexRound(): Promise<void> {
    while (!allDated && !stopping) {
      if ((await dateTranscripts(database, DATED_AT_ONCE)) > 0) continue
      // Another process may be writing the last ones.
      allDated = !(await hasUndated(database))
      break
    }
    if (!(await hasUnindexed(database))) return
    while (!stopping) {
      const quietSince = new Date(now() - QUIET_MS)
      const indexed = await indexTranscripts(database, { quietSince, limit: BACKGROUND_BATCH })
      if (indexed < BACKGROUND_BATCH) return
    }
  }

  return {
    work() {
      working ??= indexRound().finally(() => {
        working = undefined
      })
      return working
    },
    async catchUp(projectId) {
      for (let indexed = 0; indexed < MOST_BEFORE_SEARCH; indexed += INDEXED_AT_ONCE)
        if ((await indexTranscripts(database, { projectId, limit: INDEXED_AT_ONCE })) < INDEXED_AT_ONCE)
          return
    },
    async stop() {
      stopping = true
      await working?.catch(() => {})
    },
  }
}
