// Which way the database goes for a list, read off its own plan.

import type { Database, Queries, Transaction } from '../../src/runtime/database/index.ts'
import type { List } from './lists.ts'

type Statement = { sql: string; params: readonly unknown[] }
type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows'?: number
  'Rows Removed by Filter'?: number
  Plans?: Node[]
}

/** Tables that hold more with every conversation. To read one from end to end takes longer each day. */
const GROWING: ReadonlySet<string> = new Set([
  'conversation',
  'turn',
  'transcript',
  'embedding',
  'session',
  'event',
  'handoff',
  'call',
  'consent',
])
/** A table of fewer rows is read as fast without an index. */
const SMALL = 1_000

/** The same database, and what was asked of it. */
export function recorded(database: Database): { database: Database; statements: Statement[] } {
  const statements: Statement[] = []
  const over = (queries: Queries): Queries => ({
    query(sql, params = []) {
      if (!sql.startsWith('EXPLAIN')) statements.push({ sql, params })
      return queries.query(sql, params)
    },
  })
  const within = (tx: Transaction): Transaction => ({
    ...over(tx),
    send(sql, params = []) {
      statements.push({ sql, params })
      tx.send(sql, params)
    },
  })
  return {
    statements,
    database: {
      ...database,
      ...over(database),
      transaction: (run) => database.transaction((tx) => run(within(tx))),
    },
  }
}

export type Plan = { list: string; sql: string; scans: string[]; readWhole: string[] }

/** The plans of every statement that the lists issue. The database knows how large its tables are by ANALYZE. */
export async function plansOf(
  database: Database,
  listsOver: (database: Database) => Promise<readonly List[]> | readonly List[],
): Promise<Plan[]> {
  const tables = await database.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
     WHERE n.nspname = 'foyer' AND c.relkind = 'r' AND c.reltuples >= $1`,
    [SMALL],
  )
  const large = new Set(tables.map(({ name }) => name).filter((name) => GROWING.has(name)))
  const record = recorded(database)
  const plans: Plan[] = []
  for (const { name, run } of await listsOver(record.database)) {
    record.statements.length = 0
    await run()
    for (const { sql, params } of record.statements) {
      if (!/\bfoyer\./.test(sql)) continue
      const rows = await database.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
        `EXPLAIN (FORMAT JSON) ${sql}`,
        params,
      )
      const nodes = rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => below(Plan)))
      const scans = nodes.filter((node) => node['Relation Name'] ?? node['Index Name'])
      plans.push({
        list: name,
        sql,
        scans: scans.map((node) => `${node['Node Type']} ${node['Index Name'] ?? node['Relation Name']}`),
        readWhole: scans
          .filter((node) => node['Node Type'].includes('Seq Scan') && large.has(node['Relation Name'] ?? ''))
          .map((node) => node['Relation Name'] ?? ''),
      })
    }
  }
  return plans
}

/** How many rows the scans of a function's statements read, those that a filter removed among them. Runs each statement twice. */
export async function rowsRead(
  database: Database,
  run: (over: Database) => Promise<unknown>,
): Promise<number> {
  const record = recorded(database)
  await run(record.database)
  let rows = 0
  for (const { sql, params } of record.statements) {
    const explained = await database.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`,
      params,
    )
    for (const node of explained.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => below(Plan))))
      if (node['Relation Name']) rows += (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)
  }
  return rows
}

const below = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(below)]
