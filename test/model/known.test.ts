// Schedules that still break the engine, in code that is to be deleted, each by the rule that it breaks.

import { expect, it } from 'vitest'
import { createChat, shareTabs } from '../../src/chat/index.ts'
import { KNOWN } from './known.ts'
import { runSchedule } from './run.ts'
import { read } from './schedules.ts'

it.each(KNOWN)('still broken: $rule', async ({ rule, kind, schedule }) => {
  const { breaches } = await runSchedule({ createChat, shareTabs }, read(schedule))
  if (breaches.length === 0) {
    // A warning, not a failure: whoever mended it, perhaps by accident, is told to look.
    console.warn(`a known breach is gone: “${rule}”. Where that was meant, move its schedule to kept.ts.`)
    return
  }
  expect([...new Set(breaches.map((breach) => breach.kind))]).toEqual([kind])
})
