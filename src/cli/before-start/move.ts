// Carries out `foyer-server move`: copies the data folder into the database of FOYER_DATABASE_URL.

import { moveFolder } from '../../runtime/index.ts'
import { databaseProblem, type Environment } from '../settings.ts'
import { readSetting } from '../settings-table.ts'
import { isExplained, StartError } from '../start-error.ts'

const REPORT_MS = 5_000

export const MOVE_HELP = `foyer-server move

Copies the data folder .foyer into the database of FOYER_DATABASE_URL, which must not hold data of Foyer.
Stop the server first. The folder stays as it is. If the command fails, the database does too.`

export type MoveCommandOptions = {
  env: Environment
  folder: string
  print(text: string): void
  log(line: string): void
}

/** Resolves once the data is in the database. Rejects with an error whose message is for the user; then nothing was copied. */
export async function move({ env, folder, print, log }: MoveCommandOptions): Promise<void> {
  const databaseUrl = readSetting(env, 'FOYER_DATABASE_URL')
  if (databaseUrl === undefined)
    throw new StartError(
      'FOYER_DATABASE_URL is not set. Set it to the PostgreSQL database that the data folder moves into.',
    )
  let reported = Date.now()
  try {
    const { tables, rows } = await moveFolder({
      folder,
      databaseUrl,
      log,
      report({ table, copied, rows }) {
        if (copied < rows && Date.now() - reported < REPORT_MS) return
        reported = Date.now()
        const counted = `${rows} ${rows === 1 ? 'row' : 'rows'}`
        print(copied === rows ? `${table}: ${counted}` : `${table}: ${copied} of ${counted}`)
      },
    })
    print(`
All ${rows} rows of ${tables} tables are in the database, and their counts are compared.
Next: start foyer-server with the same FOYER_DATABASE_URL, and open a chat.
The folder ${folder} is not used any more. Keep it as a backup until the server runs, then delete it: it holds conversations.`)
  } catch (error) {
    throw isExplained(error) ? error : (databaseProblem({ databaseUrl }, error) ?? explain(error))
  }
}

/** Without the database's own message, which may repeat what is stored. */
function explain(error: unknown): StartError {
  const { code } = error as { code?: string }
  if (code === '42501')
    return new StartError(
      'The user of FOYER_DATABASE_URL may not create the schema foyer. Make the user the owner of the database. Nothing was moved.',
    )
  const reason = code === undefined ? (error as Error).message : `the database answered with ${code}`
  return new StartError(`The data could not be moved: ${reason}. The database is as it was before.`)
}
