// Creates the tables of every noun, and runs the schema steps that a database lacks.

import type { Log } from '../../api/index.ts'
import type { Database, Queries, Transaction } from './database.ts'
import { DataFolderError } from './lock.ts'
import { LOCK_PATIENCE, type LockPatience, withShortLocks } from './short-locks.ts'

/**
 * The tables of one noun: its first step creates them, later steps change them. A published step is never edited.
 *
 * During an upgrade processes of two builds share the database. A step after the first `required` ones only adds (tables, indexes,
 * columns with a default), so a build that does not know it goes on, and starts again. A change that earlier builds could not
 * live with raises `required` to its own number: they refuse the data from then on.
 */
export type Schema = { noun: string; steps: readonly string[]; required?: number }

/** All steps in the order in which a new database runs them. */
export const stepsOf = (schemas: readonly Schema[]): string[] => schemas.flatMap(({ steps }) => steps)

/** The steps that each build must know: release 0.1.0 recorded all of its steps here, and refuses those that it does not know. */
const REQUIRED = 'foyer.migration'
/** The steps that only added. */
const ADDED = 'foyer.addition'
/** The code of PostgreSQL's error. */
const UNDEFINED_COLUMN = '42703'
const EARLIER_BUILD =
  'The data was written by an earlier build of Foyer, which this one cannot read: start in a new data folder, or with a new database.'
const LATER_BUILD =
  'The data was written by a later build of Foyer: start that build, or use another data folder or database.'

/**
 * Brings the schema up to date, in the order of `schemas`. Several processes may start at once: one of them does the
 * work while the others wait. Throws a DataFolderError if an incompatible build wrote the data, or if others use the tables for ten minutes.
 */
export async function migrate(
  database: Database,
  schemas: readonly Schema[],
  log: Log = () => {},
  patience: LockPatience = LOCK_PATIENCE,
): Promise<void> {
  if (await isUpToDate(database, knownStepsOf(schemas))) return
  await withShortLocks(database, async (tx) => void (await runSteps(tx, schemas)), log, patience)
}

/**
 * Runs the steps that the database lacks, in a transaction. Others that want to do the same wait for its end. Resolves to whether the
 * database had none.
 */
export async function runSteps(tx: Transaction, schemas: readonly Schema[]): Promise<boolean> {
  // IF NOT EXISTS does not wait for a concurrent CREATE; an advisory lock does.
  await tx.query("SELECT pg_advisory_xact_lock(hashtext('foyer.migration'))")
  await tx.query('CREATE SCHEMA IF NOT EXISTS foyer')
  for (const table of [REQUIRED, ADDED])
    await tx.query(`CREATE TABLE IF NOT EXISTS ${table} (noun text, step integer, PRIMARY KEY (noun, step))`)
  const applied = await appliedSteps(tx).catch(refuseEarlierBuild)
  if (hasLaterBuild(applied, knownStepsOf(schemas))) throw new DataFolderError('other-build', LATER_BUILD)
  for (const { noun, steps, required = 0 } of schemas)
    for (const [index, step] of steps.entries()) {
      if (applied.has(`${noun} ${index + 1}`)) continue
      for (const statement of step.split(/;\s*\n/)) if (statement.trim()) await tx.query(statement)
      const table = index < required ? REQUIRED : ADDED
      await tx.query(`INSERT INTO ${table} (noun, step) VALUES ($1, $2)`, [noun, index + 1])
    }
  return applied.size === 0
}

const knownStepsOf = (schemas: readonly Schema[]): ReadonlySet<string> =>
  new Set(schemas.flatMap(({ noun, steps }) => steps.map((_, index) => `${noun} ${index + 1}`)))

/** The steps that a database has. True: a build that does not know the step must not use the database. */
type Applied = ReadonlyMap<string, boolean>

const appliedSteps = async (db: Queries, tables: readonly string[] = [REQUIRED, ADDED]): Promise<Applied> =>
  new Map(
    (
      await db.query<{ noun: string; step: number; required: boolean }>(
        tables
          .map((table) => `SELECT noun, step, ${table === REQUIRED} AS required FROM ${table}`)
          .join(' UNION ALL '),
      )
    ).map(({ noun, step, required }) => [`${noun} ${step}`, required]),
  )

/** Whether this build has something to do for a database, or cannot use it. Rejects with an error of PostgreSQL if no steps are recorded. */
export async function schemaState(
  db: Queries,
  schemas: readonly Schema[],
): Promise<'current' | 'older' | 'later'> {
  const known = knownStepsOf(schemas)
  // Builds before the second table recorded all steps in the first.
  const applied = await appliedSteps(db).catch(() => appliedSteps(db, [REQUIRED]))
  if (hasLaterBuild(applied, known)) return 'later'
  return [...known].every((step) => applied.has(step)) ? 'current' : 'older'
}

const hasLaterBuild = (applied: Applied, knownSteps: ReadonlySet<string>): boolean =>
  [...applied].some(([step, required]) => required && !knownSteps.has(step))

/** Checks with one query first: on a PGlite that has just started, the statements of `migrate` take a tenth of the start. */
async function isUpToDate(database: Database, knownSteps: ReadonlySet<string>): Promise<boolean> {
  try {
    const applied = await appliedSteps(database)
    return [...knownSteps].every((step) => applied.has(step)) && !hasLaterBuild(applied, knownSteps)
  } catch {
    // The database is new, or of an earlier build.
    return false
  }
}

/** Earlier builds counted steps without naming the noun, so their table lacks a column. */
function refuseEarlierBuild(error: { code?: string }): never {
  throw error.code === UNDEFINED_COLUMN ? new DataFolderError('other-build', EARLIER_BUILD) : error
}
