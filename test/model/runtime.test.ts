// Random schedules against the real runtime on PGlite.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createChat, shareTabs } from '../../src/chat/index.ts'
// What the first contact loads: loading takes no time of a schedule.
import '../../src/chat/tabs.ts'
import { tell } from './counts.ts'
import { runOnRuntime } from './run.ts'
import { onRuntime, written } from './schedules.ts'

/** 6 in `npm test`, 200 in `npm run test:long`. */
const SCHEDULES = Number(process.env.FOYER_TEST_RUNTIME_SCHEDULES ?? 6)
const SEED = Number(process.env.FOYER_TEST_SEED ?? Date.now() % 2 ** 31)

it(`${SCHEDULES} random schedules against the runtime end with every message in its place`, {
  timeout: 14_400_000,
}, async () => {
  const bad: string[] = []
  let commands = 0
  for (const given of fc.sample(onRuntime, { numRuns: SCHEDULES, seed: SEED })) {
    const { breaches, ran } = await runOnRuntime({ createChat, shareTabs }, given)
    commands += ran
    for (const { kind, what } of breaches.slice(0, 1)) bad.push(`${kind}: ${what}\n${written(given)}`)
  }
  console.log(`seed ${SEED} on the runtime`)
  tell(`~${SCHEDULES} on PGlite with ${commands} commands, ${bad.length} breaches`)
  expect(bad, bad[0]).toEqual([])
})
