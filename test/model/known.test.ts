// Schedules that still break the engine, in code that is to be deleted, each by the rule that it breaks.

import { expect, it } from 'vitest'
import { createChat, shareTabs } from '../../src/chat/index.ts'
import { KNOWN } from './known.ts'
import { runSchedule } from './run.ts'
import { read } from './schedules.ts'

it.each(KNOWN)('still broken: $rule', async ({ kind, schedule }) => {
  const { breaches } = await runSchedule({ createChat, shareTabs }, read(schedule))
  // Where nothing is broken any more, the schedule belongs into kept.ts.
  expect([...new Set(breaches.map((breach) => breach.kind))]).toEqual([kind])
})
