// Creates the tables of every noun, and runs the schema steps that a database lacks.

import type { Database, Queries, Transaction } from './database.ts'
import { DataFolderError } from './lock.ts'

/** The tables of one noun: its first step creates them, later steps change them. A published step is never edited. */
export type Schema = { noun: string; steps: readonly string[] }

/** All steps in the order in which a new database runs them. */
export const stepsOf = (schemas: readonly Schema[]): string[] => schemas.flatMap(({ steps }) => steps)

/** The code of PostgreSQL's error. */
const UNDEFINED_COLUMN = '42703'
const EARLIER_BUILD =
  'The data was written by an earlier build of Foyer, which this one cannot read: start in a new data folder, or with a new database.'
const LATER_BUILD =
  'The data was written by a later build of Foyer: start that build, or use another data folder or database.'

/**
 * Brings the schema up to date, in the order of `schemas`. Several processes may start at once: one of them does the
 * work while the others wait. Throws a DataFolderError if an incompatible build wrote the data.
 */
export async function migrate(database: Database, schemas: readonly Schema[]): Promise<void> {
  if (await isUpToDate(database, knownStepsOf(schemas))) return
  await database.transaction(async (tx) => void (await runSteps(tx, schemas)))
}

/**
 * Runs the steps that the database lacks, in a transaction. Others that want to do the same wait for its end. Resolves to whether the
 * database had none.
 */
export async function runSteps(tx: Transaction, schemas: readonly Schema[]): Promise<boolean> {
  const knownSteps = knownStepsOf(schemas)
  // IF NOT EXISTS does not wait for a concurrent CREATE; an advisory lock does.
  await tx.query("SELECT pg_advisory_xact_lock(hashtext('foyer.migration'))")
  await tx.query('CREATE SCHEMA IF NOT EXISTS foyer')
  await tx.query(
    'CREATE TABLE IF NOT EXISTS foyer.migration (noun text, step integer, PRIMARY KEY (noun, step))',
  )
  const applied = new Set(await appliedSteps(tx).catch(refuseEarlierBuild))
  if ([...applied].some((step) => !knownSteps.has(step)))
    throw new DataFolderError('other-build', LATER_BUILD)
  for (const { noun, steps } of schemas)
    for (const [index, step] of steps.entries()) {
      if (applied.has(`${noun} ${index + 1}`)) continue
      for (const statement of step.split(/;\s*\n/)) if (statement.trim()) await tx.query(statement)
      await tx.query('INSERT INTO foyer.migration (noun, step) VALUES ($1, $2)', [noun, index + 1])
    }
  return applied.size === 0
}

export const knownStepsOf = (schemas: readonly Schema[]): ReadonlySet<string> =>
  new Set(schemas.flatMap(({ noun, steps }) => steps.map((_, index) => `${noun} ${index + 1}`)))

export const appliedSteps = async (db: Queries): Promise<string[]> =>
  (await db.query<{ noun: string; step: number }>('SELECT noun, step FROM foyer.migration')).map(
    ({ noun, step }) => `${noun} ${step}`,
  )

/** Checks with one query first: on a PGlite that has just started, the statements of `migrate` take a tenth of the start. */
async function isUpToDate(database: Database, knownSteps: ReadonlySet<string>): Promise<boolean> {
  try {
    const applied = await appliedSteps(database)
    return applied.length === knownSteps.size && applied.every((step) => knownSteps.has(step))
  } catch {
    // The database is new, or of an earlier build.
    return false
  }
}

/** Earlier builds counted steps without naming the noun, so their table lacks a column. */
function refuseEarlierBuild(error: { code?: string }): never {
  throw error.code === UNDEFINED_COLUMN ? new DataFolderError('other-build', EARLIER_BUILD) : error
}
