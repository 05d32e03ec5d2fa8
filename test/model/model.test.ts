// Random schedules against the real engine: nothing lost, nothing doubled, nothing torn, nothing stuck.
//
// `FOYER_TEST_SEED` repeats a run. `FOYER_TEST_SCHEDULE=<file>` replays one schedule, told step by step: a file with
// `{seed, profile, commands}`, the commands as `[op, tab, n, after]`.

import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createChat, shareTabs } from '../../src/chat/index.ts'
import { tell } from './counts.ts'
import { KNOWN_AT, KNOWN_OF, KNOWN_SEED } from './known.ts'
import type { Kind } from './oracle.ts'
import { runSchedule, type Schedule } from './run.ts'
import { read, schedules, written } from './schedules.ts'
import { shrink } from './shrink.ts'
import { survey } from './survey.ts'

const engine = { createChat, shareTabs }
/** 40 in `npm test`, 10,000 in `npm run test:long`. */
const SCHEDULES = Number(process.env.FOYER_TEST_SCHEDULES ?? KNOWN_OF)
const SEED = Number(process.env.FOYER_TEST_SEED ?? Date.now() % 2 ** 31)
const TABS = (process.env.FOYER_TEST_TABS ?? 'several') as 'one' | 'several'
const REALISTIC = process.env.FOYER_TEST_REALISTIC === '1'
const FILE = process.env.FOYER_TEST_SCHEDULE
/** The highest share of new schedules that may break a rule. About one in thirty does: README.md says which rules. */
const MOST_BROKEN = 1 / 20

/** How many schedules of which seed: without a given one, all those that the known breaches are among, and new ones. */
const RUNS =
  process.env.FOYER_TEST_SEED === undefined
    ? [
        { seed: KNOWN_SEED, count: KNOWN_OF },
        { seed: SEED, count: SCHEDULES },
      ]
    : [{ seed: SEED, count: SCHEDULES }]
/** The first `count` of the seed. However few these are, what is known to break is among them. */
function drawn(seed: number, count: number): { index: number; given: Schedule; known: readonly Kind[] }[] {
  const listed = seed === KNOWN_SEED && TABS === 'several' && !REALISTIC ? KNOWN_AT : {}
  const most = Math.max(count, ...Object.keys(listed).map((index) => Number(index) + 1))
  return fc
    .sample(schedules(TABS, REALISTIC), { numRuns: most, seed })
    .map((given, index) => ({ index, given, known: listed[index] ?? [] }))
    .filter(({ index, known }) => index < count || known.length > 0)
}
const SURVEY = process.env.FOYER_TEST_SURVEY !== undefined

it.skipIf(FILE !== undefined || SURVEY).each(RUNS)(
  'of $count random schedules of seed $seed, all but what is known end with every message in its place',
  { timeout: 14_400_000 },
  async ({ seed, count }) => {
    let commands = 0
    let met = 0
    const bad: string[] = []
    const kinds: Partial<Record<Kind, number>> = {}
    const all = drawn(seed, count)
    const most = seed === KNOWN_SEED && TABS === 'several' && !REALISTIC ? 0 : all.length * MOST_BROKEN
    for (const { index, given, known } of all) {
      const { breaches, ran } = await runSchedule(engine, given)
      commands += ran
      if (known.length > 0) met++
      for (const kind of known)
        if (!breaches.some((breach) => breach.kind === kind))
          bad.push(`schedule ${index} is ${kind} no more: delete that in known.ts`)
      const first = breaches.find(({ kind }) => !known.includes(kind))
      if (!first) continue
      kinds[first.kind] = (kinds[first.kind] ?? 0) + 1
      const small = bad.length < 3 ? await shrink(engine, given, first.kind, 600) : given
      bad.push(`${first.kind}: ${first.what}\n${written(small)}`)
      if (bad.length > most + 20) break
    }
    console.log(`seed ${seed}`)
    for (const each of bad) console.log(each)
    tell(
      `${all.length} schedules of seed ${seed}, ${commands} commands, ${bad.length} broken (${Object.entries(kinds).flat().join(' ')}), ${met} known`,
    )
    if (bad.length > most) expect(bad, bad[0]).toEqual([])
    expect(commands).toBeGreaterThanOrEqual(80 * all.length)
  },
)

it.runIf(SURVEY)(
  `a survey of ${SCHEDULES} random schedules tells each kind of breach`,
  { timeout: 14_400_000 },
  async () => {
    console.log(
      `seed ${SEED}\n${await survey(engine, fc.sample(schedules(TABS, REALISTIC), { numRuns: SCHEDULES, seed: SEED }))}`,
    )
  },
)

it.runIf(FILE !== undefined)('the given schedule ends with every message in its place', async () => {
  const { breaches } = await runSchedule(engine, read(readFileSync(FILE ?? '', 'utf8')), (line) =>
    console.log(line),
  )
  expect(breaches).toEqual([])
})
