// Copies every row of one database into another one that has the same tables.

import { type Queries, type Transaction, textArray } from '../database/index.ts'

/** A row may be as large as a long message, so few of them are in memory at a time. */
const ROWS_AT_ONCE = 500

/** `copied` of `rows` rows of a table are in the other database. */
export type CopyProgress = { table: string; copied: number; rows: number }

/** Whether there is a table of Foyer. A schema without tables may be made for the database user beforehand. */
export async function hasTables(db: Queries): Promise<boolean> {
  const [found] = await db.query("SELECT 1 FROM pg_tables WHERE schemaname = 'foyer' LIMIT 1")
  return found !== undefined
}

/** Copies all tables but those of the schema steps and of running processes, and compares the counts of their rows. Returns how many there are. */
export async function copyTables(
  source: Transaction,
  target: Transaction,
  report: (progress: CopyProgress) => void,
): Promise<{ tables: number; rows: number }> {
  const tables = await tablesInOrder(source)
  let rows = 0
  for (const table of tables) rows += await copyTable(source, target, table, report)
  await copySequences(source, target)
  return { tables: tables.length, rows }
}

/** The names of the tables, quoted: those that others refer to come first. */
async function tablesInOrder(db: Queries): Promise<string[]> {
  const found = await db.query<{ name: string }>(
    `WITH RECURSIVE reference AS (
       SELECT conrelid AS child, confrelid AS parent FROM pg_constraint WHERE contype = 'f' AND conrelid <> confrelid),
     placed AS (
       SELECT oid, relname, 0 AS depth FROM pg_class WHERE relnamespace = 'foyer'::regnamespace AND relkind = 'r'
       UNION SELECT c.oid, c.relname, p.depth + 1 FROM placed AS p
         JOIN reference AS r ON r.parent = p.oid JOIN pg_class AS c ON c.oid = r.child)
     SELECT quote_ident(relname) AS name FROM placed WHERE relname NOT IN ('migration', 'addition', 'process', 'lease', 'socket')
     GROUP BY relname ORDER BY max(depth), relname`,
  )
  return found.map(({ name }) => name)
}

async function copyTable(
  source: Transaction,
  target: Transaction,
  table: string,
  report: (progress: CopyProgress) => void,
): Promise<number> {
  const rows = await countRows(source, table)
  const columns = await target.query<{ name: string }>(
    `SELECT quote_ident(attname) AS name FROM pg_attribute
     WHERE attrelid = ('foyer.' || $1)::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
    [table],
  )
  const names = columns.map(({ name }) => name)
  await source.query(`DECLARE copied NO SCROLL CURSOR FOR SELECT t::text AS line FROM foyer.${table} AS t`)
  for (let copied = 0; ; ) {
    const lines = await source.query<{ line: string }>(`FETCH ${ROWS_AT_ONCE} FROM copied`)
    if (lines.length === 0) break
    // OFFSET keeps PostgreSQL from reading each line once for each of its columns.
    await target.query(
      `INSERT INTO foyer.${table} (${names.join(', ')}) OVERRIDING SYSTEM VALUE
       SELECT ${names.map((name) => `(t).${name}`).join(', ')}
       FROM (SELECT line::foyer.${table} AS t FROM unnest($1::text[]) AS line OFFSET 0) AS read`,
      [textArray(lines.map(({ line }) => line))],
    )
    copied += lines.length
    report({ table, copied, rows })
  }
  await source.query('CLOSE copied')
  const arrived = await countRows(target, table)
  if (arrived !== rows)
    throw new Error(`The table ${table} has ${rows} rows in the folder and ${arrived} in the database`)
  return rows
}

async function countRows(db: Queries, table: string): Promise<number> {
  const [counted] = await db.query<{ rows: string }>(`SELECT count(*) AS rows FROM foyer.${table}`)
  return Number(counted?.rows)
}

/** Numbers that the database gives out go on where they were. */
async function copySequences(source: Queries, target: Transaction): Promise<void> {
  const sequences = await source.query<{ name: string; value: string }>(
    `SELECT quote_ident(sequencename) AS name, last_value::text AS value FROM pg_sequences
     WHERE schemaname = 'foyer' AND last_value IS NOT NULL`,
  )
  for (const { name, value } of sequences)
    await target.query("SELECT setval(('foyer.' || $1)::regclass, $2::bigint)", [name, value])
}
