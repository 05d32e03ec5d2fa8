// Random schedules against the real engine: nothing lost, nothing doubled, nothing torn, nothing stuck.
//
// `FOYER_TEST_SEED` repeats a run. `FOYER_TEST_SCHEDULE=<file>` replays one schedule, told step by step: a file with
// `{seed, profile, commands}`, the commands as `[op, tab, n, after]`.

import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createChat, shareTabs } from '../../src/chat/index.ts'
// What the first contact loads: loading takes no time of a schedule.
import '../../src/chat/tabs.ts'
import { tell } from './counts.ts'
import { runSchedule } from './run.ts'
import { read, schedules, written } from './schedules.ts'
import { shrink } from './shrink.ts'

const engine = { createChat, shareTabs }
/** 500 in `npm test`, 10,000 in `npm run test:long`. */
const SCHEDULES = Number(process.env.FOYER_TEST_SCHEDULES ?? 500)
const SEED = Number(process.env.FOYER_TEST_SEED ?? Date.now() % 2 ** 31)
const FILE = process.env.FOYER_TEST_SCHEDULE

it.skipIf(FILE !== undefined)(
  `${SCHEDULES} random schedules end with every message in its place`,
  { timeout: 14_400_000 },
  async () => {
    let commands = 0
    const bad: string[] = []
    for (const given of fc.sample(schedules((process.env.FOYER_TEST_TABS ?? 'several') as 'one'), {
      numRuns: SCHEDULES,
      seed: SEED,
    })) {
      const { breaches, ran } = await runSchedule(engine, given)
      commands += ran
      const [first] = breaches
      if (!first) continue
      const small = bad.length < 3 ? await shrink(engine, given, first.kind, 600) : given
      bad.push(`${first.kind}: ${first.what}\n${written(small)}`)
      if (bad.length === 20) break
    }
    console.log(`seed ${SEED}`)
    tell(`${SCHEDULES} schedules of seed ${SEED}, ${commands} commands, ${bad.length} breaches`)
    expect(bad, bad[0]).toEqual([])
    expect(commands).toBeGreaterThanOrEqual(80 * SCHEDULES)
  },
)

it.runIf(FILE !== undefined)('the given schedule ends with every message in its place', async () => {
  const { breaches } = await runSchedule(engine, read(readFileSync(FILE ?? '', 'utf8')), (line) =>
    console.log(line),
  )
  expect(breaches).toEqual([])
})
