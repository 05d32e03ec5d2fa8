// Makes the template of the current schema in a folder: the build and the test suites run it, never a server.

import { findTemplate, migrate, openPglite, stepsOf, writeTemplate } from './database/index.ts'
import { SCHEMAS } from './schemas.ts'

const STEPS = stepsOf(SCHEMAS)

/** Resolves to the template's path; makes the template if the folder has none for this schema. */
export async function makeTemplate(folder: string): Promise<string> {
  const known = findTemplate(STEPS, folder)
  if (known) return known
  const database = await openPglite(undefined)
  try {
    await migrate(database, SCHEMAS)
    return writeTemplate(await database.dump(), STEPS, folder)
  } finally {
    await database.close()
  }
}
