// Each list beside a plain page by primary key, in turns, so that whatever else the machine does weighs on both.

import { randomUUID } from 'node:crypto'
import type { Database } from '../../src/runtime/database/index.ts'
import type { List } from './lists.ts'

export type Figure = { name: string; ms: number; ratio: number }

/** Medians in milliseconds, and their ratio to that of the plain page; the plain page comes first. */
export async function measure(
  database: Database,
  lists: readonly List[],
  { page, rounds }: { page: number; rounds: number },
): Promise<Figure[]> {
  const plain = () =>
    database.query('SELECT * FROM foyer.conversation WHERE id > $1 ORDER BY id LIMIT $2', [
      // In the upper half of the ids a page might be short.
      randomUUID().replace(/^./, '0'),
      page + 1,
    ])
  const plainTimes: number[] = []
  const times = lists.map(() => [] as number[])
  for (let round = 0; round <= rounds; round++) {
    for (const [index, list] of lists.entries()) {
      const beside = await time(plain)
      const taken = await time(list.run)
      // The first round only warms up.
      if (round === 0) continue
      plainTimes.push(beside)
      times[index]?.push(taken)
    }
  }
  const base = median(plainTimes)
  return [
    { name: 'plain page by primary key', ms: base, ratio: 1 },
    ...lists.map(({ name }, index) => {
      const ms = median(times[index] ?? [])
      return { name, ms, ratio: ms / base }
    }),
  ]
}

async function time(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2
}
