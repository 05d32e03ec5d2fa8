// Runs a transaction in few round trips: BEGIN goes with the first statement, COMMIT with the last.

import type { Statement } from './batch.ts'
import type { Transaction } from './database.ts'

/** Sends statements together. Resolves to the rows of each, or rejects with the first failure. */
export type RoundTrip = (statements: readonly Statement[]) => Promise<unknown[][]>

const control = (sql: string): Statement => ({ sql, params: [], prepared: true })
const BEGIN = control('BEGIN')
const COMMIT = control('COMMIT')
const ROLLBACK = control('ROLLBACK')

/** `failed` is called with the error of a rollback that did not reach the database. */
export async function runTransaction<T>(
  roundTrip: RoundTrip,
  run: (tx: Transaction) => Promise<T>,
  failed: (error: unknown) => void = () => {},
): Promise<T> {
  /** Statements that wait for the next round trip. */
  let waiting: Statement[] = [BEGIN]
  let begun = false
  let ended = false
  let lastTrip: Promise<unknown> = Promise.resolve()
  let nextTrip: Promise<unknown[][]> | undefined
  /** After the first failure the database only rolls back: it answers COMMIT with ROLLBACK, which is not an error. */
  let failure: { error: unknown } | undefined

  function go(): Promise<unknown[][]> {
    nextTrip ??= lastTrip.then(() => {
      const batch = waiting
      waiting = []
      nextTrip = undefined
      begun = true
      return roundTrip(batch)
    })
    lastTrip = nextTrip.catch((error) => {
      failure ??= { error }
    })
    return nextTrip
  }

  /** Returns the statement's place in its round trip. */
  function add(statement: Statement): number {
    // A late statement would run outside the transaction, and commit on its own.
    if (ended) throw new Error('The transaction has ended')
    return waiting.push(statement) - 1
  }

  try {
    const result = await run({
      async query<R>(sql: string, params: readonly unknown[] = [], { prepared = false } = {}) {
        const index = add({ sql, params, prepared })
        return (await go())[index] as R[]
      },
      send(sql, params = [], { prepared = false } = {}) {
        add({ sql, params, prepared })
      },
    })
    await lastTrip
    if (failure) throw failure.error
    if (begun || waiting.length > 1) {
      add(COMMIT)
      ended = true
      await go()
    }
    ended = true
    return result
  } catch (error) {
    ended = true
    await lastTrip
    if (begun) await roundTrip([ROLLBACK]).catch(failed)
    throw error
  }
}
