// Sends several statements in one round trip. `pg` waits for each statement before it sends the next one.
//
//   ─▶ Parse (only the first time) · Bind · Execute    once for each statement, then one Sync
//   ◀─ rows of each, then ReadyForQuery                or the first error: the rest is skipped

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { encodeBatch } from './batch-messages.ts'

export type Statement = { sql: string; params: readonly unknown[]; prepared: boolean }
type Column = { name: string; parse: (text: string) => unknown }
/** A statement that a connection has parsed, and the columns of its rows. */
type Prepared = { name: string; columns: readonly Column[] }

type Connection = { stream: { write(bytes: Buffer): void } }
type RowDescription = { fields: readonly { name: string; dataTypeID: number }[] }

/** The columns of a prepared statement have changed (0A000), or the connection has lost the statement (26000). */
const STALE: ReadonlySet<string> = new Set(['0A000', '26000'])

const preparedBy = new WeakMap<pg.ClientBase, Map<string, Prepared>>()
/** Names differ between processes: behind a pooler such as PgBouncer they may share a server's connection. */
const prefix = `foyer_${randomBytes(6).toString('hex')}_`
let counter = 0

/** Resolves to the rows of each statement. Rejects with the first failure. */
export function sendBatch(client: pg.ClientBase, statements: readonly Statement[]): Promise<unknown[][]> {
  const prepared = preparedBy.get(client) ?? new Map<string, Prepared>()
  preparedBy.set(client, prepared)
  return new Promise((resolve, reject) => {
    const parsedBefore = statements.map(({ sql }) => prepared.get(sql))
    const names = statements.map(
      (one, index) => parsedBefore[index]?.name ?? (one.prepared ? `${prefix}${++counter}` : ''),
    )
    // A value that cannot be sent throws here, before anything is sent: half a batch would block the connection.
    const bytes = encodeBatch(
      statements.map(({ sql, params }, index) => ({
        name: names[index] ?? '',
        parse: parsedBefore[index] ? undefined : sql,
        values: params.map(prepareValue),
      })),
    )
    const results: unknown[][] = statements.map(() => [])
    /** The statement that is being answered, and the columns of its rows. */
    let answering = 0
    let columns = parsedBefore[0]?.columns ?? []

    /** The error of the first row that cannot be read. */
    let failure: { error: unknown } | undefined

    function nextStatement() {
      columns = parsedBefore[++answering]?.columns ?? []
    }

    const batch = {
      submit(connection: Connection) {
        connection.stream.write(bytes)
      },
      handleRowDescription({ fields }: RowDescription) {
        columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }))
      },
      handleDataRow({ fields }: { fields: readonly (string | null)[] }) {
        // An error thrown by a handler would end the process.
        try {
          results[answering]?.push(rowOf(columns, fields))
        } catch (error) {
          failure ??= { error }
        }
      },
      handleCommandComplete() {
        const statement = statements[answering]
        const name = names[answering]
        if (statement?.prepared && name && !parsedBefore[answering])
          prepared.set(statement.sql, { name, columns })
        nextStatement()
      },
      handleEmptyQuery: nextStatement,
      handleReadyForQuery() {
        if (failure) reject(failure.error)
        else resolve(results)
      },
      handleError(error: Error & { code?: string }) {
        const statement = statements[answering]
        if (statement && STALE.has(error.code ?? '')) prepared.delete(statement.sql)
        reject(failure ? failure.error : error)
      },
    }
    client.query(batch as unknown as pg.Submittable)
  })
}

function rowOf(columns: readonly Column[], fields: readonly (string | null)[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const [index, { name, parse }] of columns.entries()) {
    const text = fields[index]
    row[name] = text == null ? null : parse(text)
  }
  return row
}

const parserOf = (type: number) => pg.types.getTypeParser(type, 'text') as Column['parse']
const { prepareValue: prepare } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } })
  .utils
/** Almost every value is a text already. */
const prepareValue = (value: unknown): unknown => (typeof value === 'string' ? value : prepare(value))
