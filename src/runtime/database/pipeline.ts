// Runs queries and transactions in the pipeline of `pg`: a statement does not wait for the answers of earlier ones.
//
//   ─▶ BEGIN · read                     ─▶ write · write · COMMIT
//                   ◀─ rows of the read                            ◀─ done, or rolled back after the first failure

import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { isTraced, traced } from '../../api/index.ts'
import type { Database, Transaction } from './database.ts'
import { noteDatabaseError } from './unreachable.ts'

type Statement = Parameters<Transaction['send']>

/** The columns of a prepared statement have changed (0A000), or the connection has lost the statement (26000). */
export const isStale = (error: unknown): boolean =>
  ['0A000', '26000'].includes((error as { code?: string }).code ?? '')

/**
 * `withClient` runs a function on a connection of its own, and discards the connection after a stale statement. `first`: what each
 * transaction begins with.
 */
export function createPipeline(
  withClient: <T>(use: (client: pg.Client) => Promise<T>) => Promise<T>,
  first: readonly string[] = [],
): Pick<Database, 'query' | 'transaction'> {
  /** The names of prepared statements. Processes behind a pooler share connections, so their names differ. */
  const names = new Map<string, string>()
  const prefix = `foyer_${randomBytes(6).toString('hex')}_`
  let counter = 0

  /** `failed` learns at once of a value that cannot be encoded: the database never gets that statement. */
  function send<R>(client: pg.Client, statement: Statement, failed = (_: Error) => {}): Promise<R[]> {
    const [sql, params = [], { prepared = false } = {}] = statement
    if (prepared && !names.has(sql)) names.set(sql, `${prefix}${++counter}`)
    const name = prepared ? names.get(sql) : undefined
    // All statements of a tick leave in one write.
    client.connection.stream.cork()
    process.nextTick(() => client.connection.stream.uncork())
    return new Promise((resolve, reject) => {
      client.query(
        { text: sql, values: [...params], ...(name && { name }) },
        (error: Error | null, result) => {
          if (!error) return resolve(result.rows as R[])
          // Under new names, every connection parses the statements again.
          if (isStale(error)) names.clear()
          failed(error)
          reject(error)
        },
      )
    })
  }

  /** Calls `read` before `run` gets the first rows. */
  async function runOn<T>(client: pg.Client, run: (tx: Transaction) => Promise<T>, read: () => void) {
    let state = 'new' as 'new' | 'open' | 'ended'
    let failure: { error: unknown } | undefined
    async function add<R>(...statement: Statement): Promise<R[]> {
      const rows = await send<R>(client, statement, (error) => {
        failure ??= { error }
      }).catch(() => [])
      if (failure) throw failure.error
      return rows
    }
    function begin() {
      // A late statement would commit on its own.
      if (state === 'ended') throw new Error('The transaction has ended')
      // One message to the server.
      if (state === 'new') add(['BEGIN', ...first].join('; ')).catch(() => {})
      state = 'open'
    }
    try {
      const result = await run({
        query<R>(...statement: Statement): Promise<R[]> {
          begin()
          const rows = add<R>(...statement)
          // The commit fails too, so nobody has to wait for these rows.
          rows.then(read, () => {})
          return rows
        },
        send(...statement) {
          begin()
          add(...statement).catch(() => {})
        },
      })
      if (failure) throw failure.error
      const committed = state === 'open' ? add('COMMIT') : undefined
      state = 'ended'
      await committed
      return result
    } catch (error) {
      const rolledBack = state === 'open' ? add('ROLLBACK') : undefined
      state = 'ended'
      await rolledBack?.catch(() => {})
      throw error
    }
  }

  /** Runs `use` once more if a statement was stale. Code that has read rows may have changed more than the database. */
  function onConnection<T>(use: (client: pg.Client, read: () => void) => Promise<T>): Promise<T> {
    let hasRead = false
    const attempt = () =>
      withClient((client) =>
        use(client, () => {
          hasRead = true
        }),
      )
    return attempt()
      .catch((error: unknown) => {
        if (hasRead || !isStale(error)) throw error
        return attempt()
      })
      .catch((error: unknown) => {
        noteDatabaseError(error)
        throw error
      })
  }

  return {
    query: (...statement) =>
      inSpan('query', statement[0], () => onConnection((client) => send(client, statement))),
    transaction: (run, purpose) =>
      inSpan(purpose === undefined ? 'transaction' : `transaction: ${purpose}`, '', () =>
        onConnection((client, read) => runOn(client, run, read)),
      ),
  }
}

const SQL_CHARACTERS = 500

/** The SQL has no parameters: their values never reach a trace. */
function inSpan<T>(name: string, sql: string, run: () => Promise<T>): Promise<T> {
  if (!isTraced()) return run()
  const text = sql && { 'db.query.text': sql.replace(/\s+/g, ' ').slice(0, SQL_CHARACTERS) }
  return traced(name, { 'db.system.name': 'postgresql', ...text }, run, 'out')
}
