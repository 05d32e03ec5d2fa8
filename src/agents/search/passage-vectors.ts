// Keeps a vector of each passage, and finds the passages whose meaning is nearest to a question's.

import type { Log } from '../../api/index.ts'
import type { Embeddings } from '../../runtime/index.ts'
import type { Passage } from './passages.ts'

export type PassageVectors = {
  /** Makes missing vectors in the background, and drops those of removed passages. */
  follow(passages: readonly Passage[]): void
  /** Nearest first; undefined if the endpoint does not answer in time or no passage has a vector yet. */
  nearest(question: string): Promise<readonly Near[] | undefined>
  /** Resolves once every passage has a vector, or the endpoint has failed. */
  settled(): Promise<void>
  close(): void
}

/** `outstanding`: how far its similarity stands out from that of all passages, in standard deviations. */
export type Near = { passage: Passage; outstanding: number }

const VECTORS_AT_ONCE = 32
const LONGEST_TEXT = 2_000
const MOST_NEAR = 8
const PATIENCE_MS = 3_000

export function createPassageVectors(embeddings: Embeddings, log: Log): PassageVectors {
  const vectors = new Map<string, readonly number[]>()
  const closing = new AbortController()
  let wanted: readonly Passage[] = []
  let running: Promise<void> | undefined

  async function fill(): Promise<void> {
    for (;;) {
      const missing = wanted.filter((passage) => !vectors.has(textOf(passage))).slice(0, VECTORS_AT_ONCE)
      if (missing.length === 0) return
      const texts = missing.map(textOf)
      const newVectors = await embeddings.embed(texts, closing.signal)
      for (const [index, text] of texts.entries()) vectors.set(text, newVectors[index] ?? [])
    }
  }

  function follow(passages: readonly Passage[]): void {
    wanted = passages
    const present = new Set(passages.map(textOf))
    for (const text of vectors.keys()) if (!present.has(text)) vectors.delete(text)
    running ??= fill()
      .catch((error: Error) => {
        if (!closing.signal.aborted)
          log(
            `The guide searches by words only: vectors of its passages could not be made (${error.message})`,
            'warn',
          )
      })
      .finally(() => {
        running = undefined
      })
  }

  async function nearest(question: string): Promise<readonly Near[] | undefined> {
    if (vectors.size === 0) return undefined
    let questionVector: readonly number[] | undefined
    try {
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(PATIENCE_MS)])
      ;[questionVector] = await embeddings.embed([question], signal)
    } catch {
      return undefined
    }
    if (!questionVector) return undefined
    const likeness = wanted.flatMap((passage) => {
      const vector = vectors.get(textOf(passage))
      return vector ? [{ passage, value: dot(questionVector, vector) }] : []
    })
    const mean = likeness.reduce((sum, { value }) => sum + value, 0) / likeness.length
    const spread = Math.sqrt(
      likeness.reduce((sum, { value }) => sum + (value - mean) ** 2, 0) / likeness.length,
    )
    return likeness
      .sort((a, b) => b.value - a.value)
      .slice(0, MOST_NEAR)
      .map(({ passage, value }) => ({ passage, outstanding: spread === 0 ? 0 : (value - mean) / spread }))
  }

  return { follow, nearest, settled: async () => running, close: () => closing.abort() }
}

const textOf = ({ title, above, heading, blocks }: Passage): string =>
  [title, ...above, heading, ...blocks.map(({ source }) => source)].join('\n').slice(0, LONGEST_TEXT)

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
