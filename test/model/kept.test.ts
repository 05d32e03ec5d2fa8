// Schedules that broke the engine once, cut to what matters, each by the rule that it broke.

import { expect, it } from 'vitest'
import { createChat, shareTabs } from '../../src/chat/index.ts'
import { KEPT } from './kept.ts'
import { runSchedule } from './run.ts'
import { read } from './schedules.ts'

it.each(KEPT)('$rule', async ({ schedule }) => {
  const { breaches } = await runSchedule({ createChat, shareTabs }, read(schedule))
  expect(breaches).toEqual([])
})
