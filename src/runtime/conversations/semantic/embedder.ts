// Makes the vectors of conversations, once they are quiet or have ended. Each is claimed by one process, like a job.
//
//   claim ──▶ batch ──▶ vectors
//     ▲         │ fails
//     │         ▼
//     │       one harmless word ──fails──▶ the endpoint is down: ask again later, after growing waits
//     │         │ vector
//     │         ▼
//     └──── attempts of the texts: halves of the batch, then quarters … ──▶ a single refused text: later, and given up in the end

import type { Log } from '../../../api/index.ts'
import { ALWAYS, type Condition } from '../../database/index.ts'
import type { Embeddings } from './embeddings.ts'
import type { ClaimedText, VectorStore } from './vector-store.ts'

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

/** Texts of one batch after so many attempts: 32, 16, 8, 4, 2, and from ALONE on one. */
const batchSize = (attempts: number): number => Math.max(1, TEXTS_AT_ONCE >> attempts)
const ALONE = Math.log2(TEXTS_AT_ONCE)

export interface Embedder {
  /** Resolves when every conversation that is due has its vector, or is scheduled for retry. */
  work(): Promise<void>
  due(): Condition
  stop(): Promise<void>
}

export type EmbedderOptions = {
  vectors: VectorStore
  embeddings: Embeddings
  processId: string
  now: () => number
  log?: Log
}

export function createEmbedder({
  vectors: store,
  embeddings,
  processId,
  now,
  log = () => {},
}: EmbedderOptions): Embedder {
  const abort = new AbortController()
  let working: Promise<void> | undefined
  let failures = 0
  let downUntil = 0
  /** Conversations that wait for a vector after a change of the model, and when the log reports the next time. */
  let backlog: { all: number; due: number } | undefined

  /** Logs the progress while many conversations wait. */
  async function report(): Promise<void> {
    if (backlog && now() < backlog.due) return
    const waiting = await store.waiting()
    if (backlog && waiting <= TEXTS_AT_ONCE) {
      log(`The vectors of ${backlog.all} conversations are made`, 'info')
      backlog = undefined
    } else if (backlog)
      log(`Vectors of conversations: ${backlog.all - waiting} of ${backlog.all} are made`, 'info')
    else if (waiting > MANY)
      log(`Making vectors of ${waiting} conversations with ${embeddings.model}`, 'info')
    if (waiting > MANY || backlog)
      backlog = { all: Math.max(waiting, backlog?.all ?? 0), due: now() + REPORT_MS }
  }

  const embed = (texts: readonly string[]) => embeddings.embed(texts, abort.signal)

  /** Rejects if the endpoint is down. Returns the reason for giving a text up. */
  async function embedAndSave(batch: readonly ClaimedText[]): Promise<string | undefined> {
    let vectors: number[][]
    try {
      vectors = await embed(batch.map(({ text }) => text))
    } catch (error) {
      if (abort.signal.aborted) throw error
      await embed([HARMLESS])
      return retryRefused(batch, error as Error)
    }
    for (const [index, claimed] of batch.entries())
      await store.saveVector(processId, claimed, embeddings.model, vectors[index] ?? [])
    return undefined
  }

  /** Halves a refused batch: its texts are due again at once, in smaller batches. A text that was refused alone waits. */
  async function retryRefused(batch: readonly ClaimedText[], error: Error): Promise<string | undefined> {
    const [first] = batch
    if (!first) return undefined
    const ids = batch.map(({ id }) => id)
    if (batch.length > 1) {
      const attempts = Math.ceil(Math.log2(TEXTS_AT_ONCE / Math.ceil(batch.length / 2)))
      await store.retryTexts(processId, ids, attempts, new Date(now()))
      return undefined
    }
    const tries = Math.max(0, first.attempts - ALONE) + 1
    if (tries < EMBED_TRIES) {
      await store.retryTexts(processId, ids, ALONE + tries, new Date(now() + waitAfter(tries)))
      return undefined
    }
    await store.saveVector(processId, first, embeddings.model, [])
    return error.message
  }

  /** Returns why texts were given up. */
  async function embedDueTexts(): Promise<string[]> {
    const givenUpReasons: string[] = []
    while (!abort.signal.aborted) {
      const when = { quietSince: new Date(now() - QUIET_MS), now: new Date(now()) }
      const claimed = await store.claimTexts(processId, when, TEXTS_AT_ONCE)
      if (claimed.length === 0) break
      if (backlog || claimed.length >= TEXTS_AT_ONCE) await report()
      for (const batch of batchesOf(claimed)) {
        if (abort.signal.aborted) break
        const reason = await embedAndSave(batch)
        if (reason !== undefined) givenUpReasons.push(reason)
      }
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
      // If this fails too, the next claim of this process finds them.
      await store.releaseTexts(processId).catch(() => {})
      throw error
    }
    const [reason, ...more] = givenUpReasons
    if (reason !== undefined)
      throw new Error(
        `gave up the vectors of ${1 + more.length} conversations until they continue: ${reason}`,
      )
  }

  return {
    // The end of a long work is told.
    due: () => (backlog ? ALWAYS : store.due()),
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

/** Texts with equal attempts, in batches of the size that these allow. */
function batchesOf(claimed: readonly ClaimedText[]): ClaimedText[][] {
  const batches: ClaimedText[][] = []
  const open = new Map<number, ClaimedText[]>()
  for (const one of claimed) {
    const batch = open.get(one.attempts)
    if (batch && batch.length < batchSize(one.attempts)) batch.push(one)
    else {
      const begun = [one]
      batches.push(begun)
      open.set(one.attempts, begun)
    }
  }
  return batches
}
