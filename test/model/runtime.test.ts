// Random schedules against the real runtime on PGlite.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createChat, shareTabs } from '../../src/chat/index.ts'
import { isLong } from '../long.ts'
import { tell } from './counts.ts'
import { runOnRuntime } from './run.ts'
import { onRuntime, written } from './schedules.ts'

const engine = { createChat, shareTabs }
/** 1 in `npm test`, 200 in `npm run test:long`. */
const SCHEDULES = Number(process.env.FOYER_TEST_RUNTIME_SCHEDULES ?? 5)
/** The highest share that may break a rule. About one in twenty does, by what README.md lists. */
const MOST_BROKEN = 1 / 10
const SEED = Number(process.env.FOYER_TEST_SEED ?? Date.now() % 2 ** 31)

it(`${SCHEDULES} random schedules against the runtime end with every message in its place`, {
  timeout: 14_400_000,
}, async () => {
  const bad: string[] = []
  let commands = 0
  for (const given of fc.sample(onRuntime, { numRuns: SCHEDULES, seed: SEED })) {
    const { breaches, ran } = await runOnRuntime(engine, given)
    commands += ran
    for (const { kind, what } of breaches.slice(0, 1)) bad.push(`${kind}: ${what}\n${written(given)}`)
  }
  console.log(`seed ${SEED} on the runtime`)
  for (const each of bad) console.log(each)
  tell(`~${SCHEDULES} on PGlite of seed ${SEED} with ${commands} commands, ${bad.length} broken`)
  if (bad.length > SCHEDULES * MOST_BROKEN) expect(bad, bad[0]).toEqual([])
})

/** Not the time of a schedule. */
const wait = globalThis.setTimeout
// The long run has many schedules on the runtime, which nobody could repeat otherwise; of the model's own, known.test.ts and kept.test.ts repeat some.
it.runIf(isLong)(
  'a schedule is the same when it is run again, however long the statements take',
  {
    timeout: 600_000,
  },
  async () => {
    const [drawn] = fc.sample(onRuntime, { numRuns: 1, seed: 12 })
    if (!drawn) throw new Error('fast-check drew no schedule')
    const log = async (slowly?: () => Promise<unknown>) => {
      const lines: string[] = []
      await runOnRuntime(engine, drawn, (line) => lines.push(line), slowly)
      return withNames(lines)
    }
    let statements = 0
    const first = await log()
    const second = await log(() => {
      statements++
      const held = statements % 7 === 0
      return held ? new Promise((resolve) => wait(resolve, Math.random() * 5)) : Promise.resolve()
    })
    expect(statements).toBeGreaterThan(500)
    expect(first.length).toBeGreaterThan(300)
    expect(second).toEqual(first)
  },
)

/** IDs are random: each becomes the number of its first appearance. */
function withNames(lines: readonly string[]): string[] {
  const names = new Map<string, string>()
  const name = (id: string) => {
    const known = names.get(id) ?? `id ${names.size}`
    names.set(id, known)
    return known
  }
  return lines.map((line) => line.replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, name))
}
