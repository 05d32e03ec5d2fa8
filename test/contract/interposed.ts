// A database whose user a test can interrupt: something happens between the answer to one statement and whatever follows it.

import type { Database } from '../../src/runtime/index.ts'

type Statement = { matches: RegExp; act: (rows: readonly unknown[]) => unknown; done: () => void }

export function interposed(inner: Database) {
  const before: Statement[] = []
  const after: Statement[] = []
  /** Acts once, at the first statement that matches. */
  async function interrupt(list: Statement[], sql: string, rows: readonly unknown[]): Promise<void> {
    const at = list.findIndex(({ matches }) => matches.test(sql))
    const [statement] = at < 0 ? [] : list.splice(at, 1)
    if (!statement) return
    await statement.act(rows)
    statement.done()
  }
  const on = (list: Statement[]) => (matches: RegExp, act: Statement['act']) =>
    new Promise<void>((done) => {
      list.push({ matches, act, done })
    })
  const database: Database = {
    ...inner,
    async query<T>(...[sql, ...rest]: Parameters<Database['query']>): Promise<T[]> {
      await interrupt(before, sql, [])
      const rows = await inner.query<T>(sql, ...rest)
      // A list without rows leads to nothing.
      if (rows.length > 0) await interrupt(after, sql, rows)
      return rows
    },
    async transaction(run) {
      const statements: string[] = []
      const result = await inner.transaction((tx) =>
        run({
          ...tx,
          query: (sql, ...rest) => {
            statements.push(sql)
            return tx.query(sql, ...rest)
          },
        }),
      )
      for (const sql of statements) await interrupt(after, sql, [])
      return result
    },
  }
  return {
    database,
    /** Resolves once `act` was done: just before the first statement that matches, outside of transactions. */
    before: on(before),
    /** Resolves once `act` was done: after the first list that matches and has rows, or the commit of a transaction with such a statement. */
    after: on(after),
  }
}
