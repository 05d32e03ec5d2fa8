// Keeps what search needs, after the start and in the background: its indexes, vectors of one model alone, and the days of transcripts.
// One process at a time may do so.

import type { Database } from '../database/index.ts'
import { dateTranscripts, makeUndatedIndex } from './search/index-store.ts'
import type { Embeddings } from './semantic/embeddings.ts'
import type { VectorStore } from './semantic/vector-store.ts'

export interface SearchUpkeep {
  makeIndexes(): Promise<void>
  /**
   * Deletes so many vectors of other models, and adds their days to so many transcripts of an earlier build. Resolves to the larger number
   * of those that there were.
   */
  work(limit: number): Promise<number>
}

type UpkeepOptions = {
  database: Database
  vectors: VectorStore
  embeddings: Pick<Embeddings, 'model' | 'size'>
}

export function createSearchUpkeep({ database, vectors, embeddings }: UpkeepOptions): SearchUpkeep {
  return {
    async makeIndexes() {
      await vectors.makeIndex(embeddings.size)
      await makeUndatedIndex(database)
    },
    work: async (limit) =>
      Math.max(
        await vectors.forgetOtherModels(embeddings.model, limit),
        await dateTranscripts(database, limit),
      ),
  }
}
