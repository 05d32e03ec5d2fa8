// Probes the database of FOYER_DATABASE_URL.

import { probeDatabase, wrongClock } from '../../runtime/index.ts'
import { databaseProblem, type Settings } from '../settings.ts'
import { causeOf, type Finding, notChecked, ok, problem } from './finding.ts'

const TABLES = {
  none: 'has no tables yet, the start makes them',
  older: 'has tables of an earlier build, the start brings them up to date',
  current: 'has tables that are up to date',
}

export async function checkDatabase(data: Settings['data'], hasRedis: boolean): Promise<Finding> {
  if (data === 'memory') return notChecked('FOYER_DATA is memory: nothing is kept.')
  if (!('databaseUrl' in data)) return notChecked('FOYER_DATABASE_URL is not set: data is kept in a folder.')
  let probe: Awaited<ReturnType<typeof probeDatabase>>
  try {
    probe = await probeDatabase(data.databaseUrl)
  } catch (error) {
    return problem(
      databaseProblem(data, error)?.message ??
        `The database of FOYER_DATABASE_URL does not answer (${causeOf(error)}). Start it, or correct the address.`,
    )
  }
  const { version, supported, tables, allowed, hears, clockAheadMs } = probe
  if (!supported) return problem(`PostgreSQL ${version} is too old. Upgrade it to version 15 or later.`)
  if (tables === 'later')
    return problem(
      'The tables are not those of this build. Start the build that made them, or use another database.',
    )
  if (!allowed)
    return problem(
      tables === 'current'
        ? 'The user of FOYER_DATABASE_URL may not read and write the tables of the schema foyer. Use the user that made them.'
        : 'The user of FOYER_DATABASE_URL may not make the schema foyer and its tables. Make the user the owner of the database.',
    )
  if (!hears && !hasRedis)
    return problem(
      'FOYER_DATABASE_URL leads through a pooler that loses what processes NOTIFY each other. Let it lead to PostgreSQL itself, or set REDIS_URL. A single process needs neither.',
    )
  const wrong = wrongClock(clockAheadMs)
  if (wrong)
    return problem(
      `The clock of this machine is ${wrong}. Set it right, by NTP for example: Foyer goes by the database's time, tokens and certificates by the machine's.`,
    )
  return ok(
    `PostgreSQL ${version} ${TABLES[tables]}. ${hears ? 'NOTIFY arrives.' : 'NOTIFY does not arrive, and Redis is used.'}`,
  )
}
