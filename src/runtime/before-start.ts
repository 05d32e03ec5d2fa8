// What operators do before a server starts on a PostgreSQL database: probe it, and move the data of a folder into it.

import { existsSync } from 'node:fs'
import { CommandError } from './accounts/index.ts'
import { type CopyProgress, copyTables, hasTables } from './admin/index.ts'
import {
  connectDatabase,
  inTransaction,
  openDatabase,
  type PostgresProbe,
  probePostgres,
  runSteps,
} from './database/index.ts'
import { SCHEMAS } from './schemas.ts'

/** Tells whether a server can start on the database. Changes nothing. Rejects if the database cannot be reached. */
export const probeDatabase = (databaseUrl: string): Promise<PostgresProbe> =>
  probePostgres(databaseUrl, SCHEMAS)

const NOT_EMPTY =
  'The database of FOYER_DATABASE_URL already holds data of Foyer. Name a new database: nothing was moved.'

type MoveOptions = {
  /** The data folder, which no process may have open. */
  folder: string
  /** A database without data of Foyer. */
  databaseUrl: string
  log(line: string): void
  report(progress: CopyProgress): void
}

/**
 * Moves all data or nothing. Resolves to the number of tables and rows once the database holds them. If it rejects, the database is as it was before. Rejects
 * with a CommandError or a DataFolderError for a problem that the operator can fix.
 */
export async function moveFolder({
  folder,
  databaseUrl,
  log,
  report,
}: MoveOptions): Promise<{ tables: number; rows: number }> {
  if (!existsSync(folder))
    throw new CommandError(
      `There is no data folder ${folder}. Run the command in the folder where foyer-server is started.`,
    )
  const target = await connectDatabase(databaseUrl, log)
  try {
    // Before the folder is opened, which brings it up to date.
    if (await hasTables(target)) throw new CommandError(NOT_EMPTY)
    const { database: source } = await openDatabase({ folder }, SCHEMAS, log)
    try {
      return await inTransaction(target, 'move the data', async (to) => {
        // A server may have started on the database meanwhile.
        if (!(await runSteps(to, SCHEMAS))) throw new CommandError(NOT_EMPTY)
        return inTransaction(source, 'read the data to move', (from) => copyTables(from, to, report))
      })
    } finally {
      await source.close()
    }
  } finally {
    await target.close()
  }
}
