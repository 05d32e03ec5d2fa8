// Random schedules against the real engine: nothing lost, nothing doubled, nothing torn, nothing stuck.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createChat } from '../../src/chat/index.ts'
import { command, profile } from './commands.ts'
import { runSchedule } from './run.ts'

const SCHEDULES = Number(process.env.FOYER_TEST_SCHEDULES ?? 500)
const SEED = Number(process.env.FOYER_TEST_SEED ?? Date.now() % 2 ** 31)

const schedule = fc.record({
  seed: fc.nat(2 ** 30),
  profile,
  commands: fc.array(command, { minLength: 60, maxLength: 200, size: 'max' }),
})

it(`${SCHEDULES} random schedules end with every message in its place`, async () => {
  let commands = 0
  let breaches = 0
  await fc.assert(
    fc.asyncProperty(schedule, async (given) => {
      const outcome = await runSchedule(createChat, given)
      commands += outcome.ran
      breaches += outcome.breaches.length
      expect(outcome.breaches).toEqual([])
    }),
    { numRuns: SCHEDULES, seed: SEED, endOnFailure: process.env.FOYER_TEST_SHRINK !== '1' },
  )
  console.log(`model: ${SCHEDULES} schedules, ${commands} commands, ${breaches} breaches (seed ${SEED})`)
}, 3_600_000)
