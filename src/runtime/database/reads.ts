// Bounds what requests of the API read: a list that waits, or takes long, leaves connections to chats, and has an end itself.
//
//   request ─▶ one of a third of the pool's connections, or wait for it ─▶ BEGIN · its time and its one processor · read · COMMIT
//                        └──────────── all in the time of one request, else ReadTimeout ────────────┘

import { type Database, inTransaction, type Reads, type Transaction } from './database.ts'

/** A read had no end in its time. */
export class ReadTimeout extends Error {
  override name = 'ReadTimeout'
  constructor() {
    super('a read took longer than FOYER_READ_SECONDS')
  }
}

/** `most`: reads that run at the same time. `seconds`: of each request. */
export type ReadLimits = { most: number; seconds: number }

/** PostgreSQL cancelled a statement (57014). */
const isCancelled = (error: unknown): boolean => (error as { code?: string }).code === '57014'

/**
 * Without parallel workers: to start them costs more than they save, in each list and search over a million conversations, and one reader
 * would take the processors of all.
 */
const BOUND =
  "SELECT set_config('statement_timeout', $1, true), set_config('max_parallel_workers_per_gather', '0', true)"

export function createReads(database: Pick<Database, 'transaction'>, { most, seconds }: ReadLimits): Reads {
  let running = 0
  /** Those that wait for a connection, the first first. */
  const waiting = new Set<() => void>()

  /** Resolves to whether it is the caller's turn; false: the time is over. */
  async function isTurn(ms: number): Promise<boolean> {
    if (running < most) {
      running++
      return true
    }
    return new Promise((resolve) => {
      const start = () => {
        clearTimeout(late)
        resolve(true)
      }
      const late = setTimeout(() => {
        waiting.delete(start)
        resolve(false)
      }, ms)
      waiting.add(start)
    })
  }
  /** Hands the place to the next. */
  function end(): void {
    const [next] = waiting
    if (!next) running--
    else {
      waiting.delete(next)
      next()
    }
  }

  return {
    begin() {
      const until = performance.now() + seconds * 1000
      async function inTime<T>(
        read: (tx: Transaction) => Promise<T>,
        purpose = 'read for a request',
      ): Promise<T> {
        if (!(await isTurn(until - performance.now()))) throw new ReadTimeout()
        try {
          const left = Math.floor(until - performance.now())
          if (left <= 0) throw new ReadTimeout()
          return await inTransaction(database, purpose, (tx) => {
            tx.send(BOUND, [String(left)])
            return read(tx)
          })
        } catch (error) {
          throw isCancelled(error) ? new ReadTimeout() : error
        } finally {
          end()
        }
      }
      return { query: (...statement) => inTime((tx) => tx.query(...statement)), transaction: inTime }
    },
  }
}

/** The bounds that a database sets itself. The embedded one has a single connection, on which statements follow each other. */
export const readsOf = (database: Database): Reads => database.reads ?? { begin: () => database }
