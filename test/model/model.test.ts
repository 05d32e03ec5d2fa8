// Random schedules against the real engine: nothing lost, nothing doubled, nothing torn, nothing stuck.
//
// `FOYER_TEST_SEED` repeats a run. `FOYER_TEST_SCHEDULE=<file>` replays one schedule, told step by step: a file with
// `{seed, profile, commands}`, the commands as `[op, tab, n, after]`.

import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createChat, shareTabs } from '../../src/chat/index.ts'
import { tell } from './counts.ts'
import { KNOWN_AT, KNOWN_SEED } from './known.ts'
import { runSchedule } from './run.ts'
import { read, schedules, written } from './schedules.ts'
import { shrink } from './shrink.ts'
import { survey } from './survey.ts'

const engine = { createChat, shareTabs }
/** 250 in `npm test`, 10,000 in `npm run test:long`. */
const SCHEDULES = Number(process.env.FOYER_TEST_SCHEDULES ?? 250)
const SEED = Number(process.env.FOYER_TEST_SEED ?? Date.now() % 2 ** 31)
const TABS = (process.env.FOYER_TEST_TABS ?? 'several') as 'one' | 'several'
const FILE = process.env.FOYER_TEST_SCHEDULE

const drawn = () =>
  fc.sample(schedules(TABS), {
    numRuns: SCHEDULES,
    seed: SEED,
  })
const SURVEY = process.env.FOYER_TEST_SURVEY !== undefined

it.skipIf(FILE !== undefined || SURVEY)(
  `${SCHEDULES} random schedules end with every message in its place`,
  { timeout: 14_400_000 },
  async () => {
    let commands = 0
    let met = 0
    const bad: string[] = []
    for (const [index, given] of drawn().entries()) {
      const { breaches, ran } = await runSchedule(engine, given)
      commands += ran
      const known = (SEED === KNOWN_SEED && TABS === 'several' && KNOWN_AT[index]) || []
      if (known.length > 0) met++
      for (const kind of known)
        if (!breaches.some((breach) => breach.kind === kind))
          bad.push(`schedule ${index} is ${kind} no more: delete that in known.ts`)
      const first = breaches.find(({ kind }) => !known.includes(kind))
      if (!first) continue
      const small = bad.length < 3 ? await shrink(engine, given, first.kind, 600) : given
      bad.push(`${first.kind}: ${first.what}\n${written(small)}`)
      if (bad.length === 20) break
    }
    console.log(`seed ${SEED}`)
    tell(`${SCHEDULES} schedules of seed ${SEED}, ${commands} commands, ${bad.length} breaches, ${met} known`)
    expect(bad, bad[0]).toEqual([])
    expect(commands).toBeGreaterThanOrEqual(80 * SCHEDULES)
  },
)

it.runIf(SURVEY)(
  `a survey of ${SCHEDULES} random schedules tells each kind of breach`,
  { timeout: 14_400_000 },
  async () => {
    console.log(`seed ${SEED}\n${await survey(engine, drawn())}`)
  },
)

it.runIf(FILE !== undefined)('the given schedule ends with every message in its place', async () => {
  const { breaches } = await runSchedule(engine, read(readFileSync(FILE ?? '', 'utf8')), (line) =>
    console.log(line),
  )
  expect(breaches).toEqual([])
})
