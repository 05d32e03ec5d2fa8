// Gives conversations their vectors, a while after they were last spoken in.
//
//   batch ──▶ vectors
//     │ fails
//     ▼
//   one harmless word ──fails──▶ the endpoint is down: nothing is asked until later, ever later
//     │ vector
//     ▼
//   halves of it, and halves of those ──▶ one text alone is refused: it waits, and is given up in the end

import type { Records } from '../store-index.ts'
import type { Embeddings } from './embeddings.ts'

const QUIET_MS = 5_000
const BATCH = 32
const HARMLESS = 'hello'
const LONGEST_WAIT_MS = 60_000
/** 2 + 4 + 8 + 16 + 32 seconds lie between them: a quota of a minute is no reason to give a text up. */
const TRIES = 6

/** After the first failure 2 s, then twice as long each time. */
const waitAfter = (failures: number): number => Math.min(LONGEST_WAIT_MS, 1_000 * 2 ** failures)

type Due = { id: string; text: string }
type Refused = { text: string; tries: number; until: number }

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
  /** By conversation. */
  const refused = new Map<string, Refused>()
  let failures = 0
  let downUntil = 0

  const embed = (texts: readonly string[]) => embeddings.embed(texts, abort.signal)

  /** Rejects where the endpoint is down. Returns why texts were given up. */
  async function save(due: readonly Due[], checked = false): Promise<string[]> {
    const [one] = due
    if (!one || abort.signal.aborted) return []
    let vectors: number[][]
    try {
      vectors = await embed(due.map(({ text }) => text))
    } catch (error) {
      if (abort.signal.aborted) throw error
      if (!checked) await embed([HARMLESS])
      if (due.length === 1) return refuse(one, error as Error)
      const half = Math.ceil(due.length / 2)
      return [...(await save(due.slice(0, half), true)), ...(await save(due.slice(half), true))]
    }
    for (const [index, { id, text }] of due.entries()) {
      refused.delete(id)
      await records.saveVector(id, embeddings.model, vectors[index] ?? [], text)
    }
    return []
  }

  async function refuse({ id, text }: Due, error: Error): Promise<string[]> {
    const former = refused.get(id)
    const tries = (former?.text === text ? former.tries : 0) + 1
    if (tries < TRIES) {
      refused.set(id, { text, tries, until: now() + waitAfter(tries) })
      return []
    }
    refused.delete(id)
    await records.saveVector(id, embeddings.model, [], text)
    return [error.message]
  }

  /** Returns why texts were given up. */
  async function batches(): Promise<string[]> {
    const givenUp: string[] = []
    while (!abort.signal.aborted) {
      const limit = BATCH + refused.size
      const waiting = await records.unembedded(new Date(now() - QUIET_MS), limit)
      // Those that are not due any more were erased.
      const ids = new Set(waiting.map(({ id }) => id))
      if (waiting.length < limit) for (const id of refused.keys()) if (!ids.has(id)) refused.delete(id)
      const known = ({ id, text }: Due) => {
        const one = refused.get(id)
        return one?.text === text ? one : undefined
      }
      const due = waiting.filter((one) => (known(one)?.until ?? 0) <= now())
      if (due.length === 0) break
      const suspects = due.filter(known)
      const fresh = due.filter((one) => !suspects.includes(one)).slice(0, BATCH)
      // Alone, or they fail what they are with.
      for (const some of [fresh, ...suspects.map((one) => [one])]) givenUp.push(...(await save(some)))
    }
    return givenUp
  }

  async function round(): Promise<void> {
    if (now() < downUntil) return
    let givenUp: string[]
    try {
      givenUp = await batches()
      failures = 0
    } catch (error) {
      failures += 1
      downUntil = now() + waitAfter(failures)
      throw error
    }
    const [reason, ...more] = givenUp
    if (reason !== undefined)
      throw new Error(`no vector for ${1 + more.length} conversations until more is said in them: ${reason}`)
  }

  return {
    /** Resolves when every conversation that is due has a vector of what was said, or is waited with. */
    work(): Promise<void> {
      working ??= round().finally(() => {
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
