// Makes the vectors of conversations, once they are quiet or have ended.
//
//   batch ──▶ vectors
//     │ fails
//     ▼
//   one harmless word ──fails──▶ the endpoint is down: ask again later, after growing waits
//     │ vector
//     ▼
//   halves of the batch, then quarters … ──▶ a single refused text: retry it later, and give up in the end

import type { Embeddings } from './embeddings.ts'
import type { VectorStore } from './vector-store.ts'

const QUIET_MS = 5_000
const TEXTS_AT_ONCE = 32
/** More texts wait only after a change of the model, or after a long failure of the endpoint. */
const MANY = 2 * TEXTS_AT_ONCE
const REPORT_MS = 10_000
const HARMLESS = 'hello'
const LONGEST_WAIT_MS = 60_000
/** The waits between the tries add up to 62 seconds, more than the minute of a usual quota. */
const EMBED_TRIES = 6

/** The wait after the first failure; each later one is twice as long. */
const waitAfter = (failures: number): number => Math.min(LONGEST_WAIT_MS, 1_000 * 2 ** failures)

type DueText = { id: string; text: string }
type RefusedText = { text: string; tries: number; until: number }

export interface Embedder {
  /** Resolves when every conversation that is due has its vector, or is scheduled for retry. */
  work(): Promise<void>
  stop(): Promise<void>
}

export type EmbedderOptions = {
  vectors: VectorStore
  embeddings: Embeddings
  now: () => number
  log?: (line: string) => void
}

export function createEmbedder({
  vectors: store,
  embeddings,
  now,
  log = () => {},
}: EmbedderOptions): Embedder {
  const abort = new AbortController()
  let working: Promise<void> | undefined
  /** Refused texts by conversation. */
  const refused = new Map<string, RefusedText>()
  let failures = 0
  let downUntil = 0
  /** Conversations that wait for a vector after a change of the model, and when the log reports the next time. */
  let backlog: { all: number; due: number } | undefined

  /** Logs the progress while many conversations wait. */
  async function report(): Promise<void> {
    if (backlog && now() < backlog.due) return
    const { waiting } = await store.vectorCounts()
    if (backlog && waiting <= TEXTS_AT_ONCE) {
      log(`The vectors of ${backlog.all} conversations are made`)
      backlog = undefined
    } else if (backlog) log(`Vectors of conversations: ${backlog.all - waiting} of ${backlog.all} are made`)
    else if (waiting > MANY) log(`Making vectors of ${waiting} conversations with ${embeddings.model}`)
    if (waiting > MANY || backlog)
      backlog = { all: Math.max(waiting, backlog?.all ?? 0), due: now() + REPORT_MS }
  }

  const embed = (texts: readonly string[]) => embeddings.embed(texts, abort.signal)

  /** Rejects if the endpoint is down. Returns the reasons for giving texts up. */
  async function embedAndSave(dueTexts: readonly DueText[], checked = false): Promise<string[]> {
    const [one] = dueTexts
    if (!one || abort.signal.aborted) return []
    let vectors: number[][]
    try {
      vectors = await embed(dueTexts.map(({ text }) => text))
    } catch (error) {
      if (abort.signal.aborted) throw error
      if (!checked) await embed([HARMLESS])
      if (dueTexts.length === 1) return recordRefusal(one, error as Error)
      const halfBatch = Math.ceil(dueTexts.length / 2)
      return [
        ...(await embedAndSave(dueTexts.slice(0, halfBatch), true)),
        ...(await embedAndSave(dueTexts.slice(halfBatch), true)),
      ]
    }
    for (const [index, { id, text }] of dueTexts.entries()) {
      refused.delete(id)
      await store.saveVector(id, embeddings.model, vectors[index] ?? [], text)
    }
    return []
  }

  async function recordRefusal({ id, text }: DueText, error: Error): Promise<string[]> {
    const former = refused.get(id)
    const tries = (former?.text === text ? former.tries : 0) + 1
    if (tries < EMBED_TRIES) {
      refused.set(id, { text, tries, until: now() + waitAfter(tries) })
      return []
    }
    refused.delete(id)
    await store.saveVector(id, embeddings.model, [], text)
    return [error.message]
  }

  /** Returns why texts were given up. */
  async function embedDueTexts(): Promise<string[]> {
    const givenUpReasons: string[] = []
    while (!abort.signal.aborted) {
      const limit = TEXTS_AT_ONCE + refused.size
      const waitingTexts = await store.unembedded(new Date(now() - QUIET_MS), limit)
      // A conversation that is no longer due was erased.
      const ids = new Set(waitingTexts.map(({ id }) => id))
      if (waitingTexts.length < limit) for (const id of refused.keys()) if (!ids.has(id)) refused.delete(id)
      const known = ({ id, text }: DueText) => {
        const refusedText = refused.get(id)
        return refusedText?.text === text ? refusedText : undefined
      }
      const dueTexts = waitingTexts.filter((one) => (known(one)?.until ?? 0) <= now())
      if (dueTexts.length === 0) break
      if (backlog || waitingTexts.length >= TEXTS_AT_ONCE) await report()
      const suspectTexts = dueTexts.filter(known)
      const freshTexts = dueTexts.filter((one) => !suspectTexts.includes(one)).slice(0, TEXTS_AT_ONCE)
      // Retry a refused text alone, since it would fail the rest of a batch.
      for (const some of [freshTexts, ...suspectTexts.map((one) => [one])])
        givenUpReasons.push(...(await embedAndSave(some)))
    }
    if (backlog && !abort.signal.aborted) await report()
    return givenUpReasons
  }

  async function embeddingRound(): Promise<void> {
    if (now() < downUntil) return
    let givenUpReasons: string[]
    try {
      givenUpReasons = await embedDueTexts()
      failures = 0
    } catch (error) {
      failures += 1
      downUntil = now() + waitAfter(failures)
      throw error
    }
    const [reason, ...more] = givenUpReasons
    if (reason !== undefined)
      throw new Error(
        `gave up the vectors of ${1 + more.length} conversations until they continue: ${reason}`,
      )
  }

  return {
    work() {
      working ??= embeddingRound().finally(() => {
        working = undefined
      })
      return working
    },
    async stop() {
      abort.abort()
      await working?.catch(() => {})
    },
  }
}
