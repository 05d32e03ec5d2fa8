// Tells the sweeps whether they have anything to do: one statement for all of them, once a second.
//
//   isDue(name) ─▶ asked the database less than a second ago? ─ no ─▶ SELECT condition, condition, …

import { atMostEvery, type Clock } from '../clock.ts'
import type { Condition, Queries } from '../database/index.ts'

/** For so long an answer is used, so that all sweeps of one second share one statement. */
const ASK_EVERY_MS = 1_000

export type DueOptions<Name extends string> = {
  db: Queries
  clock: Clock
  /** What makes a sweep necessary now. */
  conditions: Readonly<Record<Name, () => Condition>>
}

export function createDue<Name extends string>({
  db,
  clock,
  conditions,
}: DueOptions<Name>): (name: Name) => Promise<boolean> {
  const names = Object.keys(conditions) as Name[]

  async function ask(): Promise<ReadonlySet<Name>> {
    const params: unknown[] = []
    const columns = names.map((name, index) => {
      const { sql, params: own } = conditions[name]()
      const before = params.length
      params.push(...own)
      return `(${sql.replace(/\$(\d+)/g, (_, n) => `$${before + Number(n)}`)}) AS due${index}`
    })
    const [row = {}] = await db.query<Record<string, boolean>>(`SELECT ${columns.join(', ')}`, params, {
      prepared: true,
    })
    return new Set(names.filter((_, index) => row[`due${index}`]))
  }

  const due = atMostEvery(clock, ASK_EVERY_MS, ask)
  return async (name) => (await due()).has(name)
}
