// Makes the template of this schema in a folder. Run by the build and by the test suites, never by a server.

import { migrate, STEPS } from './migrations.ts'
import { openPglite } from './pglite.ts'
import { findTemplate, writeTemplate } from './template.ts'

/** Resolves with the template's file, which is made where the folder has none for this schema. */
export async function makeTemplate(folder: string): Promise<string> {
  const known = findTemplate(STEPS, folder)
  if (known) return known
  const database = await openPglite(undefined)
  try {
    await migrate(database)
    return writeTemplate(await database.dump(), STEPS, folder)
  } finally {
    await database.close()
  }
}
