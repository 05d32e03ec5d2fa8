// Makes the template of the current schema in a folder: the build and the test suites run it, never a server.

import { createSearchUpkeep, createVectorStore, offlineEmbeddings } from './conversations/index.ts'
import { findTemplate, migrate, openPglite, stepsOf, writeTemplate } from './database/index.ts'
import { SCHEMAS } from './schemas.ts'

/** Databases that only CREATE DATABASE reads. They are two thirds of the files that a new folder starts with. */
const UNUSED = ['template0', 'template1']
const STEPS = stepsOf(SCHEMAS)

/** Resolves to the template's path; makes the template if the folder has none for this schema. */
export async function makeTemplate(folder: string): Promise<string> {
  const knownTemplate = findTemplate(STEPS, folder)
  if (knownTemplate) return knownTemplate
  const database = await openPglite(undefined)
  try {
    await migrate(database, SCHEMAS)
    // The extension takes longer to create than all tables together.
    const vectors = createVectorStore(database)
    await createSearchUpkeep({ database, vectors, embeddings: offlineEmbeddings }).makeIndexes()
    for (const unused of UNUSED) {
      await database.query('UPDATE pg_database SET datistemplate = false WHERE datname = $1', [unused])
      await database.query(`DROP DATABASE ${unused}`)
    }
    return writeTemplate(await database.dump(), STEPS, folder)
  } finally {
    await database.close()
  }
}
