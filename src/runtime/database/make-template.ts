// Makes the template of this schema in a folder. Run by the build and by the test suites, never by a server.

import { migrate, STEPS } from './migrations.ts'
import { openPglite } from './pglite.ts'
import { readTemplate, writeTemplate } from './template.ts'

/** Resolves with the template, which is made where the folder has none for this schema. */
export async function makeTemplate(folder: string): Promise<Uint8Array> {
  const known = readTemplate(STEPS, folder)
  if (known) return known
  const database = await openPglite(undefined)
  try {
    await migrate(database)
    const tar = await database.dump()
    writeTemplate(tar, STEPS, folder)
    return tar
  } finally {
    await database.close()
  }
}
