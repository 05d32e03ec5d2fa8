// Gives conversations their vectors, a while after they were last spoken in.

import type { Records } from '../store/index.ts'
import type { Embeddings } from './embeddings.ts'

const QUIET_MS = 5_000
const BATCH = 32

export function createEmbedder({
  records,
  embeddings,
  now,
}: {
  records: Records
  embeddings: Embeddings
  now: () => number
}) {
  const abort = new AbortController()
  let working: Promise<void> | undefined

  async function batches(): Promise<void> {
    while (!abort.signal.aborted) {
      const waiting = await records.unembedded(new Date(now() - QUIET_MS), BATCH)
      if (waiting.length === 0) return
      const vectors = await embeddings.embed(
        waiting.map(({ text }) => text),
        abort.signal,
      )
      for (const [index, { id, turns }] of waiting.entries())
        await records.saveVector(id, embeddings.model, vectors[index] ?? [], turns)
    }
  }

  return {
    /** Resolves when every conversation that is due has a vector of what was said. */
    work(): Promise<void> {
      working ??= batches().finally(() => {
        working = undefined
      })
      return working
    },
    async stop(): Promise<void> {
      abort.abort()
      await working?.catch(() => {})
    },
  }
}
