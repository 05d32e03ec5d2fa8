// Runs schedules to their end whatever they break, and tells how often each kind of breach was found, with one schedule of each.

import { writeFileSync } from 'node:fs'
import type { Engine } from './browser.ts'
import { KINDS, type Kind } from './oracle.ts'
import { runSchedule, type Schedule } from './run.ts'
import { written } from './schedules.ts'

/** `FOYER_TEST_SURVEY`: a folder for the schedules, where it is more than `1`. */
const FOLDER = process.env.FOYER_TEST_SURVEY ?? '1'

type Row = { schedules: number; breaches: number; what: string; example: Schedule }

export async function survey(engine: Engine, given: readonly Schedule[]): Promise<string> {
  const rows = new Map<Kind, Row>()
  const excused = new Map<string, number>()
  let broken = 0
  /** As `KNOWN_AT` in known.ts. */
  const known: Record<number, Kind[]> = {}
  for (const [index, schedule] of given.entries()) {
    const outcome = await runSchedule(engine, schedule)
    for (const [name, count] of Object.entries(outcome.excused ?? {}))
      excused.set(name, (excused.get(name) ?? 0) + count)
    if (outcome.breaches.length > 0) {
      broken++
      known[index] = [...new Set(outcome.breaches.map(({ kind }) => kind))].sort()
    }
    for (const kind of new Set(outcome.breaches.map((breach) => breach.kind))) {
      const found = outcome.breaches.filter((breach) => breach.kind === kind)
      const row = rows.get(kind) ?? {
        schedules: 0,
        breaches: 0,
        what: found[0]?.what ?? '',
        example: schedule,
      }
      // The shortest schedule is the one to look at.
      const isShorter = schedule.commands.length < row.example.commands.length
      rows.set(kind, {
        schedules: row.schedules + 1,
        breaches: row.breaches + found.length,
        what: isShorter ? (found[0]?.what ?? '') : row.what,
        example: isShorter ? schedule : row.example,
      })
      if (FOLDER !== '1') writeFileSync(`${FOLDER}/${kind}-${index}.json`, written(schedule))
    }
  }
  if (FOLDER !== '1') writeFileSync(`${FOLDER}/known.json`, JSON.stringify(known))
  return [
    `${given.length} schedules, ${broken} with a breach`,
    ...Object.entries(KINDS).map(([kind, meaning]) => {
      const row = rows.get(kind as Kind)
      if (!row) return `${kind.padEnd(10)} 0`
      return `${kind.padEnd(10)} ${row.breaches} in ${row.schedules} schedules: ${meaning}\n  ${row.what}\n  ${written(row.example)}`
    }),
    'Not judged:',
    ...[...excused].map(([name, count]) => `  ${String(count).padStart(6)} ${name}`),
  ].join('\n')
}
