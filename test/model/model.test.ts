// Random schedules against the real engine: nothing lost, nothing doubled, nothing torn, nothing stuck.
//
// `FOYER_TEST_SEED` repeats a run. `FOYER_TEST_SCHEDULE=<file>` replays one schedule, told step by step: a file with
// `{seed, profile, commands}`, the commands as `[op, tab, n, after]`.

import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createChat } from '../../src/chat/index.ts'
import { command, profile } from './commands.ts'
import { runSchedule, type Schedule } from './run.ts'
import { shrink } from './shrink.ts'

const SCHEDULES = Number(process.env.FOYER_TEST_SCHEDULES ?? 500)
const SEED = Number(process.env.FOYER_TEST_SEED ?? Date.now() % 2 ** 31)
const FILE = process.env.FOYER_TEST_SCHEDULE

const schedules: fc.Arbitrary<Schedule> = fc.record({
  seed: fc.nat(2 ** 30),
  profile,
  commands: fc.array(command, { minLength: 60, maxLength: 200, size: 'max' }),
})

/** A schedule as it is kept and replayed. */
const written = ({ seed, profile, commands }: Schedule): string =>
  JSON.stringify({ seed, profile, commands: commands.map((each) => [each.op, each.tab, each.n, each.after]) })

it.skipIf(FILE !== undefined)(
  `${SCHEDULES} random schedules end with every message in its place`,
  async () => {
    let commands = 0
    const bad: string[] = []
    for (const given of fc.sample(schedules, { numRuns: SCHEDULES, seed: SEED })) {
      const { breaches, ran } = await runSchedule(createChat, given)
      commands += ran
      const [first] = breaches
      if (!first) continue
      const small = await shrink(createChat, given, first.kind, bad.length < 3 ? 600 : 0)
      bad.push(`${first.kind}: ${first.what}\n${written(small)}`)
      if (bad.length >= 20) break
    }
    console.log(`model: ${SCHEDULES} schedules, ${commands} commands, ${bad.length} breaches, seed ${SEED}`)
    expect(bad).toEqual([])
    expect(commands).toBeGreaterThanOrEqual(80 * SCHEDULES)
  },
  14_400_000,
)

it.runIf(FILE !== undefined)('the given schedule ends with every message in its place', async () => {
  const { seed, profile, commands } = JSON.parse(readFileSync(FILE ?? '', 'utf8'))
  const given: Schedule = {
    seed,
    profile,
    commands: (commands as [string, number, number, number][]).map(([op, tab, n, after]) => ({
      op,
      tab,
      n,
      after,
    })),
  }
  const { breaches } = await runSchedule(createChat, given, (line) => console.log(line))
  expect(breaches).toEqual([])
})
