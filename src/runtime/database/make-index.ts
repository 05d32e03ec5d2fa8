// Makes an index while others use its table, for tables that may be large: a step of the schema would keep their writers waiting for as long
// as that takes. Only one process at a time may make an index. What reads the table is right without the index, and slower.
//
//   none ─────────────────────────────────────────▶ CREATE INDEX CONCURRENTLY ─▶ valid
//   invalid: a process ended while it made it ─▶ DROP ──────┘

import type { Database, Queries } from './database.ts'

/** `on`: what follows ON in the statement that creates it. */
export type Index = { name: string; on: string }

/** Whether the index can be used. Undefined: there is none. */
export async function isValidIndex(db: Queries, name: string): Promise<boolean | undefined> {
  const [row] = await db.query<{ valid: boolean }>(
    'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)',
    [`foyer.${name}`],
  )
  return row?.valid
}

export async function makeIndex(database: Database, { name, on }: Index): Promise<void> {
  const isValid = await isValidIndex(database, name)
  if (isValid) return
  if (isValid === false) await database.script(`DROP INDEX CONCURRENTLY IF EXISTS foyer.${name}`)
  await database.script(`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${name} ON ${on}`)
}
